"""Metrics by name, their options, one's own, and what is said about mistakes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.metrics import METRICS, Resampling, evaluate, get_metric


def shorter(source: str, output: str, references: list[str]) -> float:
    """A metric of the test's own: characters saved, and a point a reference."""
    return len(source) - len(output) + 100 * len(references)


def failing(source: str, output: str, references: list[str]) -> float:
    raise KeyError(output)


NOT_A_FUNCTION = 3

ALL = [f"{name}:{variant}" for name, metric in METRICS.items() for variant in metric.variants]


@pytest.mark.parametrize("specification", ALL)
def test_every_variant_scores_and_names_itself(specification: str) -> None:
    metric = get_metric(specification)
    prepared = metric.prepare("the cat sat on the mat", ["a cat sat", "the cat sat"])
    row = metric.statistics(pickle.loads(pickle.dumps(prepared)), "the cat sat down")
    score = metric.corpus(row[None], nrefs="2")
    assert np.isfinite(score.value)
    label, *fields = score.signature.split("|")
    named = dict(field.split(":", 1) for field in fields)
    assert label == metric.label
    assert named["var"] == specification.split(":")[1]
    assert {"tok", "case", "level", "v"} <= named.keys()
    assert named.get("nrefs") == ("2" if metric.needs_references else None)


@pytest.mark.parametrize("specification", ALL)
@pytest.mark.filterwarnings("error")
def test_empty_strings_never_give_nan(specification: str) -> None:
    metric = get_metric(specification, blank="counted")
    for source, references, output in (("", ["a"], "b"), ("", [""], ""), ("a", ["", "a"], ""), ("", ["a b"], "")):
        row = metric.statistics(metric.prepare(source, references), output)
        assert np.isfinite(metric.corpus(row[None]).value)
        assert np.isfinite(metric.score_sentences(row[None])).all()


def test_signatures_tell_conventions_apart() -> None:
    signatures = {get_metric(specification).signature("8") for specification in ALL}
    assert len(signatures) == len(ALL)
    assert get_metric("sari:easse,deletion=precision").signature() != get_metric("sari:easse").signature()
    assert "|blank:counted|" in get_metric("sari", blank="counted").signature()


def test_joshuas_name_of_its_objective() -> None:
    assert get_metric("star,case=lc").signature() == get_metric("sari:star,case=lc").signature()


def test_options_win_over_the_variant_and_keywords_over_both() -> None:
    assert get_metric("sari:easse,tok=none").tok == "none"
    assert get_metric("sari:easse,tok=none", tok="nist").tok == "nist"
    assert get_metric("sari:xu2016").level == "sentence"


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("sarri", "unknown metric 'sarri' .known: sari, bleu, .*MODULE:FUNCTION"),
        ("sari:eass", "sari has no variant 'eass' .known: easse, "),
        ("sari:easse,tokk=none", "sari has no option 'tokk' .known: average, "),
        ("sari:easse,tok", "'tok' is not OPTION=VALUE"),
        ("sari,tok=14a", "tok=14a is not known .choose from: 13a, nist, none, ptb"),
        ("sari,src_tok=x", "src_tok=x is not known"),
        ("sari,deletion=recall", "deletion=recall is not known"),
        ("sari,counting=x", "counting=x is not known"),
        ("sari,average=x", "average=x is not known"),
        ("sari,level=x", "level=x is not known"),
        ("sari,case=x", "case=x is not known"),
        ("sari,blank=x", "blank=x is not known"),
        ("bleu,length=x", "length=x is not known"),
        ("ibleu,alpha=x", "alpha=x is not a number"),
        ("fk,constant=nan", "constant=nan is not a number"),
        ("fkbleu,sign=x", "sign=x is not known"),
        ("fk,syllables=x", "syllables=x is not known"),
        ("fk,sentences=x", "sentences=x is not known"),
        ("length,unit=x", "unit=x is not known"),
        ("levenshtein,to=x", "to=x is not known"),
        ("levenshtein,accents=x", "accents=x is not known"),
        ("no.such.module:f", "no.such.module:f: no metric .* nor function of that name, .* PYTHONPATH: .*No module"),
        (f"{__name__}:missing", "nor function of that name"),
        (f"{__name__}:NOT_A_FUNCTION", "is not a function"),
        (f"{__name__}:shorter,unit=x", "has no option 'unit'"),
    ],
)
def test_mistakes_are_named(specification: str, message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        get_metric(specification)


def test_a_function_of_ones_own() -> None:
    metric = get_metric(f"{__name__}:shorter")
    results = evaluate(metric, ["four words are here", "ab"], [["x", " "], []], {"A": ["four words", "a"]})
    assert results["A"].score.value == pytest.approx((9 + 100 + 1) / 2)
    assert results["A"].score.signature.startswith(f"custom|var:{__name__}:shorter|")
    assert results["A"].sentences.tolist() == [109, 1]


def test_a_function_of_ones_own_that_fails_is_named() -> None:
    with pytest.raises(SbmtError, match=r"test_registry:failing fails on 'a' and the output 'b': KeyError\('b'\)"):
        evaluate(get_metric(f"{__name__}:failing"), ["a"], [["a"]], {"A": ["b"]})


def test_references_may_vary_and_blank_ones_be_absent_or_counted() -> None:
    sources, outputs = ["a b c", "d e"], ["a c", "d"]
    references = [["a c", "", "b c"], ["d", "d e", "e"]]
    absent = evaluate(get_metric("sari:star"), sources, references, {"A": outputs})["A"]
    counted = evaluate(get_metric("sari:star", blank="counted"), sources, references, {"A": outputs})["A"]
    without = evaluate(get_metric("sari:star"), sources, [["a c", "b c"], references[1]], {"A": outputs})["A"]
    assert "|nrefs:2-3|" in absent.score.signature
    assert "|nrefs:3|blank:counted|" in counted.score.signature
    assert absent.score.value == without.score.value
    # An empty reference asks for everything to be deleted: by hand, the first sentence deletes b of "a b c" where one
    # reference in two drops it (absent), and two in three (counted).
    assert (absent.sentences != counted.sentences).tolist() == [True, False]


def test_a_sentence_without_references_is_named() -> None:
    with pytest.raises(SbmtError, match="sentence 2 has no reference, which sari needs"):
        evaluate(get_metric("sari"), ["a", "b"], [["a"], [" "]], {"A": ["a", "b"]})
    evaluate(get_metric("fk"), ["a", "b"], [[], []], {"A": ["a", "b"]})


def test_lengths_and_baselines_are_checked() -> None:
    metric = get_metric("sari")
    with pytest.raises(SbmtError, match="1 outputs for 2 sources"):
        metric.corpus_statistics(metric.prepare_many(["a", "b"], [["a"], ["b"]]), ["a"])
    with pytest.raises(SbmtError, match="no sentence to score"):
        metric.corpus_statistics([], [])
    with pytest.raises(SbmtError, match="baseline 'B' is not among the systems"):
        evaluate(metric, ["a"], [["a"]], {"A": ["a"]}, Resampling(baseline="B"))
