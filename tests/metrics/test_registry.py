"""Metrics by name, their options, your own, and what is said about mistakes."""

from __future__ import annotations

import inspect
import pickle
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.metrics import METRICS, Resampling, evaluate, evaluate_runs, get_metric
from sbmt.metrics.registry import each_variant


def shorter(source: str, output: str, references: list[str]) -> float:
    """A metric of the test's own: characters saved, and a point a reference."""
    return len(source) - len(output) + 100 * len(references)


def longer(source: str, output: str, references: list[str], times: int) -> float:
    return shorter(source, output, references) * times / 2


class _Empty:
    """What can be called and is false."""

    def __len__(self) -> int:
        return 0

    def __call__(self, source: str, output: str, references: list[str]) -> float:
        return shorter(source, output, references)


def talking(source: str, output: str, references: list[str]) -> float:
    print("of its own")
    return {"huge": 1e308, "endless": float("inf")}.get(output, len(output))


def leaving(source: str, output: str, references: list[str]) -> float:
    sys.exit(3)


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
def test_outputs_counted_together_have_the_statistics_of_each_alone(specification: str) -> None:
    """Tuning counts many of a sentence; there may be none of another."""
    metric, outputs = get_metric(specification), ["the cat sat down", "a cat a cat", ""]
    prepared = metric.prepare_many(["the cat sat on the mat", "dogs ran"], [["a cat sat", "the cat sat"], ["a dog"]])
    together, none = metric.statistics_lists(prepared, [outputs, []])
    assert np.array_equal(together, [metric.statistics(prepared[0], output) for output in outputs])
    assert none.shape == (0, together.shape[1])


@pytest.mark.parametrize("specification", ALL)
@pytest.mark.filterwarnings("error")
def test_empty_strings_never_give_nan(specification: str) -> None:
    metric = get_metric(specification, blank="counted")
    for source, references, output in (("", ["a"], "b"), ("", [""], ""), ("a", ["", "a"], ""), ("", ["a b"], "")):
        row = metric.statistics(metric.prepare(source, references), output)
        assert np.isfinite(metric.corpus(row[None]).value)
        assert np.isfinite(metric.score_sentences(row[None])).all()


@pytest.mark.parametrize("name", METRICS)
def test_a_label_differs_from_the_name_in_case_alone(name: str) -> None:
    """Notes below tables name the convention by it."""
    assert METRICS[name].label.lower() == name


@pytest.mark.parametrize("name", METRICS)
def test_the_document_has_every_metric_and_option(name: str) -> None:
    text = (Path(__file__).parents[2] / "docs/metrics.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}[:`]", text, re.MULTILINE)
    assert [option for option in METRICS[name].options() if f"`{option}`" not in text] == []


def test_signatures_tell_conventions_apart() -> None:
    signatures = {get_metric(specification).signature("8") for specification in ALL}
    assert len(signatures) == len(ALL)
    assert get_metric("sari:easse,deletion=precision").signature() != get_metric("sari:easse").signature()
    assert "|blank:counted|" in get_metric("sari", blank="counted").signature()


@pytest.mark.parametrize("name", METRICS)
def test_signatures_tell_the_values_of_an_option_apart(name: str) -> None:
    for option, values in METRICS[name].choices.items():
        metrics = [get_metric(f"{name},{option}={value}") for value in values]
        plays_a_part = option != "blank" or metrics[0].needs_references
        assert len({metric.signature() for metric in metrics}) == (len(values) if plays_a_part else 1)


@pytest.mark.parametrize(("name", "ours"), [("star", "sari:star"), ("fkgl", "fk:easse")])
def test_names_of_others(name: str, ours: str) -> None:
    assert get_metric(f"{name},level=sentence").signature() == get_metric(f"{ours},level=sentence").signature()


@pytest.mark.parametrize("name", METRICS)
def test_what_is_listed_of_options_is_what_a_metric_takes(name: str) -> None:
    metric = METRICS[name]
    owners = [owner for owner in metric.__mro__ if "__init__" in vars(owner) and owner is not object]
    taken = {option for owner in owners for option in inspect.signature(vars(owner)["__init__"]).parameters}
    assert set(metric.options()) == taken - {"self", "variant", "options", "args", "kwargs"}
    for option, values in metric.choices.items():
        assert {getattr(get_metric(f"{name},{option}={value}"), option) for value in values} == set(values)


def test_all_variants_of_a_metric() -> None:
    assert each_variant("fk:all,case=lc") == ["fk:xu2016,case=lc", "fk:easse,case=lc", "fk:plain,case=lc"]
    assert each_variant("fk:all") == ["fk:xu2016", "fk:easse", "fk:plain"]
    for other in ("fk", "fk:easse", "mine:all", "star"):
        assert each_variant(other) == [other]


def test_numbers_may_be_given_as_numbers() -> None:
    for name, option, value in (("ibleu", "alpha", 0.5), ("fkbleu", "constant", 15.19), ("fk", "constant", 15)):
        metric = METRICS[name]
        as_number = metric("x", **{option: value})
        assert as_number.signature() == metric("x", **{option: str(value)}).signature()


def test_options_win_over_the_variant_and_keywords_over_both() -> None:
    assert get_metric("sari:easse,tok=none").tok == "none"
    assert get_metric("sari:easse,tok=none", tok="nist").tok == "nist"
    assert get_metric("sari:xu2016").level == "sentence"


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        ("zzz", "unknown metric 'zzz' .known: sari, bleu, .*MODULE:FUNCTION"),
        ("FK_BLEU", "unknown metric 'FK_BLEU': did you mean 'fkbleu'"),
        ("SARI:easse", "unknown metric 'SARI': did you mean 'sari'"),
        ("sary", "unknown metric 'sary': did you mean 'sari'"),  # "star" has as many letters of it
        ("fkgl:easse", "fkgl:easse: fkgl stands for fk:easse and takes no variant"),
        ("star:easse,level=sentence", "star:easse: star stands for sari:star and takes no variant"),
        ("FKGL:easse", "unknown metric 'FKGL': did you mean 'fkgl'"),
        ("sari:eass", "sari has no variant 'eass' .known: easse, "),
        ("sari:easse,tokk=none", "sari has no option 'tokk' .known: average, "),
        ("bleu,sari", "'sari' is not OPTION=VALUE .metrics are separated by spaces, or joined to a sum by "),
        ("sari,tok=none,tok=13a", "sari,tok=none,tok=13a: tok is there twice: leave one of the two out"),
        ("sari,tok=14a", "tok=14a is not known .known: 13a, nist, none, ptb"),
        ("sari,src_tok=x", "src_tok=x is not known"),
        ("sari,deletion=recall", "deletion=recall is not known"),
        ("sari,counting=x", "counting=x is not known"),
        ("sari,average=x", "average=x is not known"),
        ("sari,level=x", "level=x is not known"),
        ("sari,case=x", "case=x is not known"),
        ("sari,blank=x", "blank=x is not known"),
        ("bleu,length=x", "length=x is not known"),
        ("ibleu,alpha=x", "alpha=x is not a number"),
        ("ibleu,alpha=7", "alpha=7 is not from 0 to 1"),
        ("fk,constant=-1e200", "constant=-1e200 is not from -1e.100 to 1e.100"),
        ("fk,constant=nan", "constant=nan is not a number"),
        ("fkbleu,sign=x", "sign=x is not known"),
        ("fk,syllables=x", "syllables=x is not known"),
        ("fk,sentences=x", "sentences=x is not known"),
        ("length,unit=x", "unit=x is not known"),
        ("levenshtein,to=x", "to=x is not known"),
        ("levenshtein,accents=x", "accents=x is not known"),
        ("no.such.module:f", "no.such.module:f: no metric .* nor function .* PYTHONPATH: there is no module no"),
        (f"{__name__}:missing", "nor function of that name"),
        (f"{__name__}:NOT_A_FUNCTION", "is not a function"),
        (f"{__name__}:shorter,unit=x", "has no option 'unit'"),
        (f"{__name__}:shorter,specification=x", "has no option 'specification' .known: blank, case, level, tok"),
    ],
)
def test_mistakes_are_named(specification: str, message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        get_metric(specification)


def test_a_function_of_ones_own() -> None:
    metric = get_metric(f"{__name__}:shorter")
    results = evaluate(metric, ["four words are here", "ab"], [["x", " "], []], {"A": ["four words", "a"]})
    assert results["A"].score.value == pytest.approx((9 + 100 + 1) / 2)
    assert results["A"].score.signature.startswith(f"custom|var:{__name__}:shorter|nrefs:0-1|tok:none|")
    assert results["A"].sentences.tolist() == [109, 1]
    counted = get_metric(f"{__name__}:shorter", blank="counted")
    results = evaluate(counted, ["four words are here", "ab"], [["x", " "], []], {"A": ["four words", "a"]})
    assert results["A"].sentences.tolist() == [209, 1]
    assert "|nrefs:0-2|blank:counted|" in results["A"].score.signature


@pytest.mark.parametrize("variant", ["sari:easse-legacy", "ibleu:xu2016", "fkbleu:xu2016"])
def test_a_tokeniser_for_all_is_that_of_the_sources_too(variant: str) -> None:
    """These variants take sources as they are."""
    assert "|src:none" in get_metric(variant).signature()
    assert "|src:none" not in get_metric(variant, tok="ptb").signature()
    assert "|src:none" in get_metric(f"{variant},tok=ptb,src_tok=none").signature()
    line = ["It's (here), he said."]
    kept = evaluate(get_metric("sari:easse-legacy,tok=ptb"), line, [line], {"A": line})["A"].score.parts["keep"]
    assert kept == pytest.approx(100)


def test_a_function_of_ones_own_that_fails_is_named() -> None:
    place = rf"\({re.escape(__file__)}, line {failing.__code__.co_firstlineno + 1}\)"
    with pytest.raises(
        SbmtError, match=rf"test_registry:failing fails on 'a' and the output 'b': KeyError\('b'\) {place}$"
    ):
        evaluate(get_metric(f"{__name__}:failing"), ["a"], [["a"]], {"A": ["b"]})


def test_a_function_itself_is_a_metric() -> None:
    """As notebooks have it; also one without a name, and an object that can be called."""
    texts = ["four words are here"], [["x"]], {"A": ["four words"]}
    named = {"shorter": shorter, "longer(times=2)": partial(longer, times=2), "_Empty": _Empty()}
    for name, function in named.items():
        score = evaluate(get_metric(function), *texts)["A"].score
        assert (score.value, score.signature.split("|")[1]) == (109, f"var:{__name__}:{name}")
    assert evaluate(get_metric(lambda source, output, references: 3), *texts)["A"].score.value == 3
    for no_function in (3, None, ["sari"]):
        with pytest.raises(TypeError, match="is neither a metric's name nor a function"):
            get_metric(no_function)  # type: ignore[arg-type]
    assert get_metric(shorter, blank="counted").signature().startswith(f"custom|var:{__name__}:shorter|blank:counted|")
    with pytest.raises(SbmtError, match="has no option 'beta'"):
        get_metric(shorter, beta="1")


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
    bare = [["a"], [" ", ""], []]
    lines = {
        name: get_metric(name).first_without_reference(bare)
        for name in ("sari", "sari,blank=counted", "fk", "sari+-1*fk:easse")
    }
    assert lines == {"sari": 2, "sari,blank=counted": 3, "fk": None, "sari+-1*fk:easse": 2}


def test_lengths_and_baselines_are_checked() -> None:
    metric = get_metric("sari")
    with pytest.raises(SbmtError, match="1 output for 2 sources"):
        metric.count_outputs(["a", "b"], [["a"], ["b"]], ["a"])
    with pytest.raises(SbmtError, match="1 output of B for 2 sources"):
        evaluate(metric, ["a", "b"], [["a"], ["b"]], {"A": ["a", "b"], "B": ["a"]})
    with pytest.raises(SbmtError, match="no sentence to score"):
        metric.corpus_statistics([], [])
    with pytest.raises(SbmtError, match="baseline 'B' is not among the systems"):
        evaluate(metric, ["a"], [["a"]], {"A": ["a"]}, Resampling(baseline="B"))
    with pytest.raises(SbmtError, match="there is no system to score"):
        evaluate(metric, ["a"], [["a"]], {})


def test_what_reads_lines_as_they_stand_says_so() -> None:
    """No token plays a part: the signature must not claim one that was asked for."""
    for name in ("length:characters", "length,unit=characters", "levenshtein:characters-reference"):
        metric = get_metric(name, tok="13a", case="lc")
        assert "|tok:none|case:lc|" in metric.signature()
        read = metric.read(["It's."])
        assert [len(line) for line in read] == [5]


def test_a_function_of_ones_own_does_not_print_among_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(get_metric(f"{__name__}:talking"), ["a"], [[]], {"A": ["b"]})
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "of its own\n")


@pytest.mark.parametrize("output", ["huge", "endless"])
def test_numbers_without_a_finite_mean_are_refused(output: str) -> None:
    with pytest.raises(
        SbmtError, match=r"talking gives no finite number but (1e\+308|inf) for the output .*at most 1e"
    ):
        evaluate(get_metric(f"{__name__}:talking"), ["a"], [[]], {"A": [output]})


def test_a_function_or_module_of_ones_own_that_exits_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SbmtError, match=r"leaving fails on 'a' and the output 'b': SystemExit\(3\)"):
        evaluate(get_metric(f"{__name__}:leaving"), ["a"], [[]], {"A": ["b"]})
    (tmp_path / "exits_on_import.py").write_text("import sys\nprint('bye')\nsys.exit(4)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    place = re.escape(f"({tmp_path / 'exits_on_import.py'}, line 3)")
    with pytest.raises(SbmtError, match=rf"exits_on_import:f: the module cannot be imported: SystemExit\(4\) {place}"):
        get_metric("exits_on_import:f")
    (tmp_path / "lacks_another.py").write_text("import there_is_no_such_module\n")
    place = re.escape(f"({tmp_path / 'lacks_another.py'}, line 1)")
    with pytest.raises(SbmtError, match=rf"cannot be imported: ModuleNotFoundError.* {place}$"):
        get_metric("lacks_another:f")
    (tmp_path / "misspelt.py").write_text("good = 1\ndef f(:\n")
    place = re.escape(f"({tmp_path / 'misspelt.py'}, line 2)")
    with pytest.raises(SbmtError, match=rf"cannot be imported: SyntaxError: .* {place}$"):
        get_metric("misspelt:f")
    with pytest.raises(SbmtError, match=r":f: no module is named before the colon"):
        get_metric(":f")
    with pytest.raises(SbmtError, match=r"time:foo: no metric .*: time has none$"):
        get_metric("time:foo")
    for name in ("there_is_no_such_module:f", "there_is_no.such:f", f"{__name__}:gone"):
        with pytest.raises(SbmtError, match=rf"{name}: no metric \(sbmt-eval --list-metrics\) nor function"):
            get_metric(name)


def test_a_function_of_ones_own_gets_lines_as_they_are_or_by_the_convention() -> None:
    asked = []

    def asking(source: str, output: str, references: Sequence[str]) -> float:
        asked.append((source, output, *references))
        return 1.0

    lines = (["It's  A."], [["B's", " "]], {"x": ["C(d)"]})
    for options, expected in (
        ({}, ("It's  A.", "C(d)", "B's")),
        ({"case": "lc"}, ("it's  a.", "c(d)", "b's")),
        ({"tok": "13a"}, ("It's A .", "C ( d )", "B's")),
        ({"tok": "ptb", "case": "lc", "blank": "counted"}, ("it 's a .", "c -lrb- d -rrb-", "b 's", "")),
    ):
        own = get_metric(asking, **options)
        evaluate(own, *lines)
        assert asked.pop() == expected
        assert [f"|{name}:{value}|" in own.signature("2") for name, value in options.items()] == [True] * len(options)


def test_what_is_neither_better_nor_worse_and_what_is_added_though_less_is_better() -> None:
    ways = {
        name: get_metric(name).higher_is_better for name in ("sari", "fk", "length", "levenshtein", "quality:split")
    }
    assert ways == {"sari": True, "fk": False, "length": None, "levenshtein": None, "quality:split": None}
    assert get_metric("levenshtein:words-reference").higher_is_better is False
    with pytest.raises(SbmtError, match=r"less of fk is better"):
        get_metric("sari+fk")  # whose levels differ, too
    with pytest.raises(SbmtError, match=r"less of fkgl is better, so a sum subtracts it: \+-0\.1\*fkgl"):
        get_metric("sari:easse+0.1*fkgl")
    with pytest.raises(SbmtError, match=r"less of fkgl is better, so a sum subtracts it: -2\*fkgl$"):
        get_metric("2*fkgl")
    assert get_metric("-2*fkgl").higher_is_better
    for empty in ("sari+", "+-2*fkgl", "sari+0.1*"):
        with pytest.raises(SbmtError, match=re.escape(f"{empty}: a term has no metric (a sum is NAME+WEIGHT*NAME)")):
            get_metric(empty)
    lowered = evaluate(get_metric("sari+-0.1*fkgl"), ["a b"], [["a b"]], {"x": ["a b"]})["x"].score
    assert lowered.value == pytest.approx(lowered.parts["sari"] - 0.1 * lowered.parts["fkgl"])


@pytest.mark.parametrize(
    ("sources", "references", "systems", "message"),
    [
        (
            ["a b c", "d"],
            ["abc", "d"],
            {"A": ["a", "b"]},
            r"references\[0\] is a text, not a list of lines",
        ),
        ("ab", [["a"], ["b"]], {"A": ["a", "b"]}, "sources is a text"),
        (["a"], [["a"]], {"A": "b"}, r"systems\['A'\] is a text"),
        (["a", "b"], [["a", "b"]], {"A": ["a", "b"]}, "1 list of references for 2 sources"),
        (
            ["a", "b", "c"],
            [["a", "b", "c"], ["d", "e", "f"]],
            {"A": ["a", "b", "c"]},
            r"2 lists .* for 3 sources: .* \(these are lists by file: give list\(zip\(\*references, strict=True\)\)\)",
        ),
    ],
)
def test_texts_of_the_wrong_shape_are_refused(
    sources: Sequence[str], references: list[Sequence[str]], systems: dict[str, Sequence[str]], message: str
) -> None:
    kind = TypeError if "is a text" in message else SbmtError
    with pytest.raises(kind, match=message):
        evaluate(get_metric("sari"), sources, references, systems)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"metric": "sari:easse"},
            r"'sari:easse' is no metric: make one, get_metric\('sari:easse'\) or get_metric\(function\)",
        ),
        ({"systems": [["a"]]}, r"systems: a list names no system: give \{name: outputs\}"),
        ({"references": None}, r"references: a NoneType is no list of lists .*\[\[\]\] \* len\(sources\)"),
        ({"references": [None]}, r"references\[0\]: a NoneType is no list of lines"),
        ({"references": [["a", 1]]}, r"references\[0\]\[1\] is 1, not a text"),
        ({"sources": (line for line in "a")}, "sources: a generator is no list of lines"),
        ({"systems": {"A": {"a"}}}, r"systems\['A'\]: a set is no list of lines"),
        ({"sources": [b"a"]}, r"sources\[0\] is b'a', not a text"),
        ({"systems": {"A": [None]}}, r"systems\['A'\]\[0\] is None, not a text"),
    ],
)
def test_arguments_of_another_kind_are_refused(changes: dict[str, Any], message: str) -> None:
    arguments = {"metric": get_metric("sari"), "sources": ["a"], "references": [["a"]], "systems": {"A": ["a"]}}
    with pytest.raises(TypeError, match=message):
        evaluate(**{**arguments, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"metric": "sari"}, TypeError, r"'sari' is no metric: make one, get_metric\('sari:easse'\)"),
        ({"systems": [["a"]]}, TypeError, r"names no system: give \{name: \[outputs of each run\]\}"),
        ({"systems": {"A": None}}, TypeError, r"systems\['A'\]: a NoneType is no list of runs: give \{name: \[outputs"),
        ({"systems": {"A": [[None]]}}, TypeError, r"systems\['A'\]\[0\]\[0\] is None, not a text"),
        (
            {"systems": {"A": ["a"]}},
            TypeError,
            r"systems\['A'\]: a run is a text, not a list of lines: give \{name: \[outputs of each run\]\}",
        ),
        ({"systems": {"A": []}}, SbmtError, r"systems\['A'\] has no run: give \{name: \[outputs of each run\]\}"),
    ],
)
def test_arguments_of_another_kind_are_refused_of_runs_too(
    changes: dict[str, Any], kind: type[Exception], message: str
) -> None:
    arguments = {"metric": get_metric("sari"), "sources": ["a"], "references": [["a"]], "systems": {"A": [["a"]]}}
    with pytest.raises(kind, match=message):
        evaluate_runs(**{**arguments, **changes})


def test_arrays_and_tuples_are_lists_of_lines_too() -> None:
    outputs = np.array(["a b", "c"])
    results = evaluate(get_metric("sari"), ("a b", "c"), (("a",), ("c",)), {"A": outputs, "B": outputs.tolist()})  # type: ignore[dict-item]
    assert results["A"].score == results["B"].score


def test_references_that_seem_to_be_lists_by_file_are_remarked_on(caplog: pytest.LogCaptureFixture) -> None:
    sources = ["He resided in a cabin .", "Nobody utilized it ."]
    by_sentence = [["He lived in a cabin .", "He lived in a hut ."], ["Nobody used it .", "No one used it ."]]
    for references, warned in ((by_sentence, 0), (list(zip(*by_sentence, strict=True)), 1)):
        caplog.clear()
        evaluate(get_metric("sari"), sources, references, {"A": sources})
        assert len(caplog.messages) == warned
    assert "seem to be lists by file, not by sentence: give list(zip(" in caplog.text
    caplog.clear()
    evaluate(get_metric("sari"), sources[:1], [["He left ."]], {"A": sources[:1]})
    assert caplog.messages == []


def test_parts_of_sentences_are_those_of_the_metric_at_that_level() -> None:
    """Sentence BLEU is of effective order whatever the corpus figure is: so are its parts, and the signature tells."""
    sources, references, outputs = ["a b c", "d e f g h"], [["a c"], ["d e f g"]], ["a c", "d e f h"]
    for name in ("sari", "ibleu:corpus", "bleu+0.5*sari"):
        result = evaluate(get_metric(name), sources, references, {"A": outputs})["A"]
        by_level = evaluate(get_metric(name, level="sentence"), sources, references, {"A": outputs})["A"]
        assert result.sentence_signature == by_level.score.signature != result.score.signature
        assert result.sentences.mean() == pytest.approx(by_level.score.value)
        assert {k: v.mean() for k, v in result.sentence_parts.items()} == pytest.approx(by_level.score.parts)
