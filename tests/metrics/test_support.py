"""Support by hand."""

from __future__ import annotations

import pytest

from sbmt.metrics import get_metric

SOURCES = ["He utilized a tool .", "They commenced the work ."]
REFERENCES = [["He used a tool .", "He used a thing ."], ["They began the work .", "They started the work ."]]


def test_support_counts_added_words_that_a_reference_adds_too() -> None:
    metric = get_metric("support")
    prepared = metric.prepare_many(SOURCES, REFERENCES)
    # used and thing are supported, device is not; began twice has one supporter; the source adds nothing
    outputs = ["He used a thing device .", "They began began the work ."]
    rows = metric.corpus_statistics(prepared, outputs)
    assert rows.tolist() == [[2, 3], [1, 2]]
    assert metric.corpus(rows).value == pytest.approx(60)
    assert metric.corpus(metric.corpus_statistics(prepared, SOURCES)).value == 0
    assert "tok:13a" in metric.signature("2")


def test_support_of_a_reference_is_whole() -> None:
    metric = get_metric("support")
    prepared = metric.prepare_many(SOURCES, REFERENCES)
    rows = metric.corpus_statistics(prepared, [references[1] for references in REFERENCES])
    assert metric.corpus(rows).value == 100


def test_a_word_is_supported_as_often_as_the_most_generous_reference_adds_it() -> None:
    """Each of two references adds `used` once, so of two in the output one has support."""
    metric = get_metric("support")
    rows = metric.count_outputs(SOURCES[:1], REFERENCES[:1], ["He used used a tool ."])
    assert rows.tolist() == [[1, 2]]
