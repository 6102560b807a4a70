"""N-best lists of several iterations in one pool."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from sbmt.tuning.pool import NBest, Pool, Scores, Texts, chosen_statistics


def column(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)[:, None]


def scores(*values: float) -> Scores:
    return Scores(column(*values), np.array(values) / 10)


def test_pool_merges_by_string_and_forgets() -> None:
    pool = Pool(keep=1)
    assert pool.unknown(0, Texts("xy")) == ("x", "y")
    assert pool.merge([NBest(Texts("xy"), column(1, 2))], [scores(10, 20)]) == 2
    assert pool.unknown(0, Texts("yz")) == ("z",)
    assert pool.merge([NBest(Texts("yz"), column(3, 4))], [scores(40)]) == 1
    assert pool.sentences[0].texts == ("y", "z", "x")
    assert pool.sentences[0].features[:, 0].tolist() == [3, 4, 1]  # the newest features of y
    assert pool.sentences[0].statistics[:, 0].tolist() == [20, 40, 10]  # y's were not asked for again
    assert pool.sentences[0].gains.tolist() == [2, 4, 1]
    assert pool.merge([NBest(Texts("z"), column(5))], [scores()]) == 0
    assert pool.sentences[0].texts == ("z", "y")  # x was last decoded two iterations ago
    assert pool.sentences[0].statistics[:, 0].tolist() == [40, 20]
    assert pool.unknown(0, Texts("x")) == ("x",)
    assert chosen_statistics(pool.sentences, np.array([-1.0])).tolist() == [[20]]


@pytest.mark.parametrize("keep", [0, 1, 2, 3])
def test_a_string_stays_for_as_many_iterations_as_are_kept(keep: int) -> None:
    """Where each iteration brings another one, those of the last `keep` iterations are there beside it."""
    pool = Pool(keep)
    for number, text in enumerate("abcde"):
        pool.merge([NBest(Texts(text), column(number))], [scores(number)])
    assert sorted(pool.sentences[0].texts) == list("abcde")[-1 - keep :]


@pytest.mark.parametrize("texts", [(), ("",), ("a", "", "b c"), ("\u2028", "\r")])
def test_texts_survive_pickling(texts: tuple[str, ...]) -> None:
    again = pickle.loads(pickle.dumps(Texts(texts)))
    assert (type(again), again) == (Texts, texts)
