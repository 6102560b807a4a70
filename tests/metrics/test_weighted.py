"""Sums of metrics against the metrics themselves."""

from __future__ import annotations

import pickle

import pytest

from sbmt.errors import SbmtError
from sbmt.metrics import get_metric

SOURCES = ["the committee commenced an investigation of the affair", "he utilized a tool", "it rained"]
REFERENCES = [["the group began to look into the affair", "they began an inquiry"], ["he used a tool"], ["it rained"]]
OUTPUTS = ["the committee began to look into it", "he used a tool", "there was rain"]


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_a_sum_is_the_weighted_sum_of_its_scores(level: str) -> None:
    terms = {"sari:easse": 1.0, "bleu:easse": 0.25, "fk:easse": -2.0}
    single, rows = {}, {}
    for name in terms:
        metric = get_metric(name, level=level)
        rows[name] = metric.count_outputs(SOURCES, REFERENCES, OUTPUTS)
        single[name] = metric
    whole = get_metric("sari:easse + 0.25*bleu:easse + -2*fk:easse", level=level)
    prepared = pickle.loads(pickle.dumps(whole.prepare_many(SOURCES, REFERENCES)))
    matrix = whole.corpus_statistics(prepared, OUTPUTS)
    expected = sum(weight * single[name].corpus(rows[name]).value for name, weight in terms.items())
    score = whole.corpus(matrix, "2")
    assert score.value == pytest.approx(expected)
    assert score.parts == pytest.approx({name: single[name].corpus(rows[name]).value for name in terms})
    by_sentence = sum(weight * single[name].score_sentences(rows[name]) for name, weight in terms.items())
    assert whole.score_sentences(matrix) == pytest.approx(by_sentence)
    assert whole.statistics(prepared[0], OUTPUTS[0]) == pytest.approx(matrix[0])


def test_ones_own_function_sees_no_other_sentences_in_a_sum() -> None:
    for metric in (
        get_metric(f"sari:easse+{__name__}:known"),
        get_metric(f"sari:easse,level=sentence+{__name__}:known"),
    ):
        rows = metric.count_outputs(SOURCES, REFERENCES, OUTPUTS)
        assert metric.corpus(rows).parts[f"{__name__}:known"] == 1


def test_a_mean_takes_the_level_of_the_others_unless_it_is_given_one() -> None:
    """Where all are means, none has a level to take."""
    for name, level in [
        ("math:dist+sari", "corpus"),
        ("sari,level=sentence+length", "sentence"),
        ("math:dist", "sentence"),
    ]:
        assert {metric.level for metric in get_metric(name).terms()} == {level}
    for other in ("math:dist,level=sentence+sari", "sari,level=sentence+bleu"):  # BLEU is no mean
        with pytest.raises(SbmtError, match="must agree on level and blank"):
            get_metric(other)


@pytest.mark.parametrize(
    ("name", "needs_source", "needs_references"), [("bleu+sari", True, True), ("-1*fk:easse+bleu", False, True)]
)
def test_a_sum_needs_what_any_term_needs(name: str, needs_source: bool, needs_references: bool) -> None:
    metric = get_metric(name)
    assert (metric.needs_source, metric.needs_references) == (needs_source, needs_references)


def known(source: str, output: str, references: list[str]) -> float:
    return dict.fromkeys(SOURCES, 1.0)[source]


def test_a_sum_names_its_weights_and_conventions() -> None:
    signature = get_metric("sari+0.25*bleu:easse").signature("8")
    assert signature.startswith("1 * SARI|var:easse|nrefs:8")
    assert " + 0.25 * BLEU|var:easse|nrefs:8" in signature


def test_two_variants_of_a_metric_are_two_parts() -> None:
    metric = get_metric("sari:easse+sari:star")
    rows = metric.count_outputs(SOURCES, REFERENCES, OUTPUTS)
    parts = metric.corpus(rows).parts
    assert list(parts) == ["sari:easse", "sari:star"]
    assert sum(parts.values()) == pytest.approx(metric.corpus(rows).value)


def test_a_sum_of_figures_in_units_of_their_own_is_in_such_units() -> None:
    expected = {
        "math:dist+0.5*math:hypot": 1,
        "sari+-0.1*fkgl": 100,
        "-0.5*fkgl+sari": 100,
        "-1*fk+-1*length,level=sentence": 1,
    }
    assert {name: get_metric(name).scale for name in expected} == expected


@pytest.mark.parametrize("weight", ["half", "nan", "inf"])
def test_a_weight_that_is_no_number_is_named(weight: str) -> None:
    with pytest.raises(SbmtError, match=rf"weight={weight} is not a number \(a sum is NAME\+WEIGHT\*NAME\)"):
        get_metric(f"sari+{weight}*bleu")


def test_terms_must_agree_on_level() -> None:
    with pytest.raises(SbmtError, match="must agree on level and blank, as in ") as caught:
        get_metric("math:dist+0.5*sari,blank=counted")
    cure = str(caught.value).rpartition(" ")[2]
    assert cure == "math:dist+0.5*sari,blank=absent"
    assert get_metric(cure).level == "corpus"
