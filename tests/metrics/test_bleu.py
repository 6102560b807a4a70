"""BLEU against sacreBLEU, and Joshua's smoothing and lengths worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from sbmt.metrics import get_metric
from tests.metrics.strategies import FILLED, REFERENCES, REPRODUCIBLE, SENTENCES


@REPRODUCIBLE
@given(st.lists(st.tuples(SENTENCES, REFERENCES), min_size=1, max_size=5))
def test_equals_sacrebleu(pairs: list[tuple[str, list[str]]]) -> None:
    outputs, references = [output for output, _ in pairs], [lines for _, lines in pairs]
    most = max(map(len, references))
    columns = [[lines[k] if k < len(lines) else None for lines in references] for k in range(most)]
    metric = get_metric("bleu:sacrebleu")
    rows = metric.count_outputs(outputs, references, outputs)
    expected = sacrebleu.corpus_bleu(outputs, columns, force=True)
    score = metric.corpus(rows)
    assert score.value == pytest.approx(expected.score)
    if any(expected.counts):  # sacreBLEU reports nothing else of an output without any match
        assert score.parts["bp"] == pytest.approx(expected.bp)
        assert (score.parts["output_length"], score.parts["reference_length"]) == (expected.sys_len, expected.ref_len)
    sentences = [sacrebleu.sentence_bleu(output, lines).score for output, lines in pairs]
    assert metric.score_sentences(rows) == pytest.approx(sentences)
    assert get_metric("bleu:sentence").corpus(rows).value == pytest.approx(np.mean(sentences))


def test_smoothing_by_hand() -> None:
    # Five words, unigram precision 2/5, no longer match: 1/2 of 4, 1/4 of 3, 1/8 of 2; reference as long.
    metric = get_metric("bleu:joshua")
    value = float(metric.score(metric.statistics(metric.prepare("", ["a b x y z"]), "a q b r s")))
    expected = (2 / 5 * (1 / 2 / 4) * (1 / 4 / 3) * (1 / 8 / 2)) ** 0.25
    assert value == pytest.approx(100 * expected)


def test_closest_length_prefers_the_shorter_and_mean_is_floored() -> None:
    references = ["a b c d", "a b c d e f", "a b c d e f g"]
    for option, length in (("closest", 4), ("mean", 5)):
        metric = get_metric("bleu:joshua", length=option)
        row = metric.statistics(metric.prepare("", references), "a b c d e")
        assert row[-2:].tolist() == [5, length]


def test_clips_by_the_most_generous_reference() -> None:
    metric = get_metric("bleu:joshua")
    row = metric.statistics(metric.prepare("", ["the cat", "the the dog"]), "the the the cat")
    assert row[:4].tolist() == [3, 2, 0, 0]  # the (twice), cat; "the the", "the cat"


def test_brevity_penalty() -> None:
    metric = get_metric("bleu:joshua")
    row = metric.statistics(metric.prepare("", ["a b c d e f g h"]), "a b c d")
    assert float(metric.score(row)) == pytest.approx(100 * math.exp(1 - 8 / 4))
    nothing = metric.statistics(metric.prepare("", ["a b c d"]), "")
    assert float(metric.parts(nothing)["bp"]) == sacrebleu.corpus_bleu([""], [["a b c d"]]).bp == 0


@REPRODUCIBLE
@given(FILLED, REFERENCES, st.lists(SENTENCES, min_size=1, max_size=5))
def test_batch_is_one_by_one_within_bounds(source: str, references: list[str], outputs: list[str]) -> None:
    for variant in ("bleu:xu2016", "ibleu:xu2016", "ibleu:corpus", "fkbleu:xu2016", "fkbleu:equations"):
        metric = get_metric(variant)
        prepared = metric.prepare(source, references)
        rows = metric.statistics_many(prepared, outputs)
        assert np.array_equal(rows, [metric.statistics(prepared, output) for output in outputs])
        assert np.array_equal(rows, np.round(rows))
        assert np.array_equal(rows, metric.statistics_many(metric.prepare(source, references[::-1]), outputs))
        scores = metric.score_sentences(rows)
        assert np.isfinite(scores).all()
        assert (scores <= 100 + 1e-9).all()
        assert (scores >= (-10 if variant.startswith("ibleu") else 0)).all()


@REPRODUCIBLE
@given(FILLED)
def test_a_reference_as_output_scores_full(line: str) -> None:
    metric = get_metric("bleu:sentence")
    row = metric.statistics(metric.prepare(line, ["the cat on a mat", line]), line)
    assert float(metric.score_sentences(row[None])[0]) == pytest.approx(100)
