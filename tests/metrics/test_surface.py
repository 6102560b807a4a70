"""Lengths and edit distances against the textbook recursion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.metrics import get_metric
from tests.metrics.strategies import FILLED, REFERENCES, REPRODUCIBLE, SENTENCES


def distance(a: Sequence[str], b: Sequence[str]) -> int:
    @cache
    def rest(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return len(a) - i + len(b) - j
        return min(rest(i + 1, j) + 1, rest(i, j + 1) + 1, rest(i + 1, j + 1) + (a[i] != b[j]))

    return rest(0, 0)


@REPRODUCIBLE
@given(FILLED, REFERENCES, st.lists(SENTENCES, min_size=1, max_size=4))
def test_levenshtein(source: str, references: list[str], outputs: list[str]) -> None:
    cases = [
        ("words", [source], str.split),
        ("characters", [source], list),
        ("words-reference", references, str.split),
        ("characters-reference", references, list),
    ]
    for variant, others, read in cases:
        metric = get_metric(f"levenshtein:{variant}")
        rows = metric.statistics_many(metric.prepare(source, references), outputs)
        expected = [min(distance(tuple(read(other)), tuple(read(o))) for other in others) for o in outputs]
        assert metric.score(rows).tolist() == expected
        assert metric.corpus(rows).value == np.mean(expected)


@pytest.mark.parametrize("variant", ["words", "characters", "words-reference", "characters-reference"])
def test_extremely_long_lines_are_compared_up_to_a_length(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unlimited, the first pair takes minutes; a short side makes any comparison fast, and exact."""
    metric = get_metric(f"levenshtein:{variant}")

    def measured(line: str, output: str) -> float:
        return float(metric.score(metric.statistics(metric.prepare(line, [line]), output)))

    separator = " " if "words" in variant else ""
    assert measured(separator.join("ab" * 1_000_000), separator.join("ab" * 300_000)) == 0
    assert measured(separator.join("ab" * 200_000), separator.join("abc")) == 400_000 - 2
    monkeypatch.setattr("sbmt.metrics.edit_limit.MAX_COMPARED", 3)
    assert measured(separator.join("abxyz"), separator.join("acqrs")) == 2
    assert measured(separator.join("abx"), separator.join("acq")) == 2


def test_lengths_of_the_line_as_it_stands() -> None:
    outputs = ["a bc .", "", "d  e"]
    for variant, expected in (("words", [3, 0, 2]), ("characters", [6, 0, 4])):
        metric = get_metric(f"length:{variant}")
        assert metric.score(metric.statistics_many(metric.prepare("", []), outputs)).tolist() == expected


def test_case_by_option() -> None:
    for variant in ("levenshtein:words", "levenshtein:characters"):
        for case, expected in (("lc", 0), ("mixed", 1)):
            metric = get_metric(variant, case=case)
            assert float(metric.score(metric.statistics(metric.prepare("a B", []), "a b"))) == expected


def test_accents_may_be_folded() -> None:
    for accents, expected in (("kept", 1), ("folded", 0)):
        metric = get_metric("levenshtein", accents=accents)
        assert float(metric.score(metric.statistics(metric.prepare("a café", []), "a cafe"))) == expected
