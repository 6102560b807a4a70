"""Estimation against KenLM's lmplz (lmplz.tsv holds what it made of the same text) and against what defines a model."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sbmt.errors import SbmtError
from sbmt.io import read_lines
from sbmt.lm.arpa import read_arpa
from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.lmplz import find_lmplz, run_lmplz
from sbmt.lm.ngrams import BEGIN_ID, NGramModel
from tests.corpora import DATA, needs_data

Text = Callable[..., list[str]]
Probability = Callable[[NGramModel, tuple[str, ...], str], float]
Entries = Callable[[NGramModel], dict[str, tuple[float, float]]]

_EXPECTED = Path(__file__).parent / "lmplz.tsv"
ADJACENT = "what stands around them is counted as adjacent"


def settings_of_lmplz() -> list[tuple[list[str], list[list[str]]]]:
    """(setting and numbers of n-grams, lines) for each part of lmplz.tsv."""
    parts: list[tuple[list[str], list[list[str]]]] = []
    for line in _EXPECTED.read_text().splitlines():
        fields = line.split("\t")
        if fields[0] == "setting":
            parts.append((fields[1:], []))
        else:
            parts[-1][1].append(fields)
    return parts


LMPLZ = settings_of_lmplz()


@pytest.mark.parametrize(("setting", "lines"), LMPLZ, ids=["-".join(setting[:3]) for setting, _ in LMPLZ])
def test_agrees_with_lmplz(setting: list[str], lines: list[list[str]], text: Text, entries: Entries) -> None:
    order, prune, limit, *sizes = setting
    counts = count_text(text(), int(order))
    model = estimate(counts, [int(c) for c in prune.split()], int(limit) if limit else None)
    assert [model.trie.size(k) for k in range(1, model.order + 1)] == [int(size) for size in sizes]
    ours = entries(model)
    for p, ngram, *backoff in lines:
        assert ours[ngram] == pytest.approx((float(p), float(backoff[0]) if backoff else 0.0), abs=2e-6), ngram


@needs_data
@pytest.mark.skipif(find_lmplz() is None, reason="lmplz is not on the PATH (scripts/build_lmplz.sh)")
@pytest.mark.parametrize(
    ("order", "prune", "limit"), [(1, (), None), (3, (), None), (5, (), None), (4, (0, 0, 1), None), (3, (), 5000)]
)
def test_agrees_with_lmplz_on_wikipedia(
    tmp_path: Path, entries: Entries, order: int, prune: tuple[int, ...], limit: int | None
) -> None:
    """Every n-gram of 20,000 lines, by the lmplz that is installed."""
    path = DATA / "lm-enwiki2015/enwiki2015-sample.txt.xz"
    lines = list(islice(read_lines(path), 20_000))
    run_lmplz(find_lmplz() or "", lines, order, tmp_path / "arpa", prune, limit)
    expected = entries(read_arpa(tmp_path / "arpa"))
    ours = entries(estimate(count_text(lines, order), prune, limit))
    assert ours.keys() == expected.keys()
    names = list(ours)
    difference = np.array([ours[name] for name in names]) - np.array([expected[name] for name in names])
    assert np.abs(difference).max() < 1e-4


texts = st.lists(
    st.lists(st.sampled_from("a b c d e".split()), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=8
)


@given(
    lines=texts,
    order=st.integers(1, 4),
    prune=st.sampled_from([(), (0, 1), (1,)]),
    limit=st.sampled_from([None, 2]),
)
@settings(max_examples=30, deadline=None, derandomize=True)
@example("d|b e e|f|b e d f|f a|f".split("|"), 2, (), None)  # equation 26 has a discount of 0
def test_every_context_sums_to_one(
    brute_force: Probability, lines: list[str], order: int, prune: tuple[int, ...], limit: int | None
) -> None:
    model = estimate(count_text(lines, order), prune[:order], limit)
    contexts = {tuple(model.words[i] for i in row) for k in range(1, order) for row in model.trie.words(k).tolist()}
    predicted = [word for word in model.words if word != "<s>"]
    for context in [(), *sorted(contexts)]:
        if "</s>" not in context and "<unk>" not in context:
            assert math.fsum(brute_force(model, context, word) for word in predicted) == pytest.approx(1, abs=1e-5)


def test_vectorised_back_off_is_the_definition(text: Text, brute_force: Probability) -> None:
    model = estimate(count_text(text(60, 30), 3), (0, 0, 1))
    other = count_text(text(20, 30, seed=8), 4)
    known = {word: i for i, word in enumerate(model.words)}
    p = model.probabilities(other.trie, np.array([known.get(word, 0) for word in other.words], np.int32))
    for k in range(1, 5):
        for row, ngram in list(enumerate(other.trie.words(k).tolist()))[::9]:
            words = [other.words[i] if other.words[i] in known else "<unk>" for i in ngram]
            if ngram[-1] != BEGIN_ID:
                assert p[k - 1][row] == pytest.approx(brute_force(model, tuple(words[:-1]), words[-1]), rel=1e-6)


def test_white_space_and_special_tokens() -> None:
    counts = count_text(["a\u00a0b  <s> c\t<unk>", "", "  ", "c </s>"], 2)
    assert counts.words[3:] == ["a\u00a0b", "c"]
    assert counts.raw[0].tolist() == [0, 2, 2, 1, 2]


def test_special_tokens_that_are_left_out_are_told(caplog: pytest.LogCaptureFixture) -> None:
    """Marks where lines end say nothing new."""
    count_text(["<s> a b </s>", "<s>", "</s> c"], 2, "f")
    assert caplog.messages == ["f: left out 1 token <s>, </s> or <unk> inside lines: " + ADJACENT]
    caplog.clear()
    count_text(["<s> a b </s>", "<s> </s>", "<s>", "c"], 2, "f")
    assert caplog.messages == []
    count_text(["a <s> b </s>", "<unk> c </s> <unk>"], 2, "f")
    assert caplog.messages == ["f: left out 4 tokens <s>, </s> or <unk> inside lines: " + ADJACENT]


@pytest.mark.parametrize(
    ("prune", "message"),
    [((2, 1), "pruning thresholds 2 1 fall"), ((0, 0, 0, 1), "4 pruning thresholds for a model of order 3")],
)
def test_thresholds_that_cannot_be(prune: tuple[int, ...], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        estimate(count_text(["a b c"], 3), prune)


def test_no_text() -> None:
    with pytest.raises(SbmtError, match="no words"):
        count_text(["", "<s>"], 2)


@pytest.mark.filterwarnings("error")  # nothing is divided by a count of 0
def test_too_small_a_text_is_said(caplog: pytest.LogCaptureFixture) -> None:
    estimate(count_text(["a b"], 2))
    assert "too small or too regular" in caplog.text
