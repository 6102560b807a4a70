"""Quality features: cases worked by hand, and the figures that EASSE's paper prints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.data.testsets import load_test_set
from sbmt.errors import SbmtError
from sbmt.io import read_lines
from sbmt.metrics import evaluate, get_metric
from sbmt.metrics.quality import FEATURES, SHARES, quality
from sbmt.text.words.frequency import log_rank
from tests.corpora import DATA, needs_data

# EASSE (2019), Table 4: compression ratio, exact copies, additions, deletions on TurkCorpus test.
EASSE_TABLE_4 = {
    "PBMT-R": (0.95, 0.10, 0.10, 0.11),
    "SBMT-SARI": (0.94, 0.11, 0.16, 0.13),
    "DMASS-DCSS": (0.89, 0.05, 0.15, 0.21),
}


def one(source: str, output: str, name: str, **options: str) -> float:
    return float(quality([source], [output], names=[name], **options)[name][0])


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("a b c d", "a b c d", {"exact copy": 1, "additions": 0, "deletions": 0, "deletion only": 0, "reordering": 0}),
        ("a b c d", "a c d", {"exact copy": 0, "additions": 0, "deletions": 0.25, "deletion only": 1, "reordering": 0}),
        ("a b c d", "c d a b", {"exact copy": 0, "additions": 0, "deletions": 0, "deletion only": 0, "reordering": 1}),
        ("a b c d", "a x c", {"additions": 0.25, "deletions": 0.5, "deletion only": 0, "reordering": 0}),
        ("a a b", "a b b b", {"additions": 0.5, "deletions": 0.25}),  # words count as often as they stand there
        ("abcd efgh", "abcd", {"compression ratio": 4 / 9, "compressed": 1, "length ratio": 0.5}),
        ("abcd", "abc", {"compression ratio": 3 / 4, "compressed": 0}),
        ("abcd", "abxd", {"Levenshtein similarity": 1 - 2 / 8, "replace-only Levenshtein": 1 - 1 / 4}),
        ("abcd", "abcdef", {"Levenshtein similarity": 1 - 2 / 10, "replace-only Levenshtein": 1}),
        ("abcd", "abxdef", {"Levenshtein similarity": 1 - 4 / 10, "replace-only Levenshtein": 1 - 1 / 4}),
        ("He sat and he slept.", "He sat. He slept.", {"split": 1, "sentence splits": 2}),
        ("", "", {"compression ratio": 1, "compressed": 0, "length ratio": 1, "exact copy": 1, "sentence splits": 1}),
        ("", "", {"additions": 0, "deletions": 0, "Levenshtein similarity": 1, "replace-only Levenshtein": 1}),
        ("", "ab cd", {"compression ratio": 5, "compressed": 0, "length ratio": 2, "additions": 1}),
        ("ab cd", "", {"compression ratio": 0, "compressed": 1, "length ratio": 0, "deletions": 1}),
    ],
)
def test_worked_by_hand(source: str, output: str, expected: dict[str, float]) -> None:
    assert {name: one(source, output, name) for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize("name", ["Levenshtein similarity", "replace-only Levenshtein"])
def test_extremely_long_lines_are_compared_up_to_a_length(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unlimited, the first pair takes minutes; a short side makes any comparison fast, and exact."""
    assert one("ab" * 1_000_000, "ab" * 300_000, name) == 1
    long = "ab" * 200_000
    assert one(long + "c", "abc", name) == pytest.approx(1 if "replace" in name else 1 - (400_001 - 3) / 400_004)
    monkeypatch.setattr("sbmt.metrics.edit_limit.MAX_COMPARED", 4)
    assert one("abcd xyz", "abcd qrs", name) == 1
    assert one("abcd", "abxd", name) < 1


def test_case_and_tokens_are_the_conventions() -> None:
    assert one("A dog.", "a dog .", "exact copy") == 1
    assert one("A dog.", "a dog .", "exact copy", case="mixed") == 0
    assert one("A dog.", "a dog .", "exact copy", tok="none") == 0
    assert one("A dog.", "a dog .", "Levenshtein similarity") == 1
    assert one("A dog.", "a dog .", "Levenshtein similarity", case="mixed") < 1
    assert one("A dog.", "a dog .", "additions", tok="none") == 2 / 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tok": "foo"}, r"^unknown tok 'foo' \(known: "),
        ({"case": "upper"}, r"^unknown case 'upper' \(known: lc, mixed\)"),
        ({"names": ["splits"]}, "unknown feature 'splits': did you mean 'split'. .known: compression ratio, "),
        ({"outputs": ["a", "b"]}, "2 outputs for 1 source"),
    ],
)
def test_mistakes_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        quality(**{"sources": ["a"], "outputs": ["a"], **arguments})


def test_lexical_complexity_is_the_upper_quartile_of_log_ranks() -> None:
    assert one("x", "The time of the river .", "lexical complexity") == pytest.approx(
        log_rank("time") + 0.75 * (log_rank("river") - log_rank("time"))
    )
    assert one("x", "of the .", "lexical complexity") == log_rank("zzgrqx")  # no content word
    assert one("x", "river 1857 .", "lexical complexity") == log_rank("river")  # a number is not rare or frequent
    words = "river time excavation house lighthouse people".split()
    for count in range(1, len(words) + 1):
        expected = np.quantile([log_rank(word) for word in words[:count]], 0.75)
        assert one("x", " ".join(words[:count]), "lexical complexity") == pytest.approx(float(expected))


@pytest.mark.parametrize("name", FEATURES)
def test_each_is_a_metric_the_mean_over_sentences(name: str) -> None:
    sources, outputs = ["A dog sat, and it slept.", "Numerous men came."], ["A dog sat. It slept.", "many Men came ."]
    metric = get_metric("quality:" + name.lower().replace(" ", "-"))
    result = evaluate(metric, sources, [[], []], {"x": outputs})["x"]
    expected = quality(sources, outputs, names=[name])[name]
    assert result.sentences.tolist() == expected.tolist()
    assert result.score.value == pytest.approx(sum(expected.tolist()) / 2)


@given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_properties(source: list[str], output: list[str]) -> None:
    values = {name: float(row[0]) for name, row in quality([" ".join(source)], [" ".join(output)]).items()}
    assert list(values) == list(FEATURES)
    assert all(values[name] in (0, 1) for name in SHARES)
    assert values["exact copy"] == (source == output)
    assert 0 <= values["additions"] <= 1
    assert 0 <= values["deletions"] <= 1
    assert values["deletion only"] + values["reordering"] + values["exact copy"] <= 1


@needs_data
@pytest.mark.parametrize("system", EASSE_TABLE_4)
def test_easse_table_4(system: str) -> None:
    names = ("compression ratio", "exact copy", "additions", "deletions")
    path = DATA / f"easse/system_outputs/turkcorpus/test/tok.low/{system}.tok.low"
    values = quality(load_test_set("turkcorpus/test").sources, list(read_lines(path)), names=names)
    assert tuple(round(float(values[name].mean()), 2) for name in names) == EASSE_TABLE_4[system]
