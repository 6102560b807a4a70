"""Counting the n-grams of many hypotheses of one sentence at once.

The hypotheses of an n-best list share most of their n-grams. Each window of four words is looked up once a position
(not each n-gram), stands for the n-grams that begin there, and all the counting happens in one numpy call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, count, zip_longest

import numpy as np
from numpy.typing import NDArray

ORDER = 4
ORDERS = range(1, ORDER + 1)
Gram = tuple[str, ...]
Floats = NDArray[np.float64]


def count_ngrams(*texts: Sequence[str]) -> Counter[Gram]:
    """Count all n-grams of orders 1 to 4 of all texts together."""
    shifted = ((words[k:] for k in range(n)) for words in texts for n in ORDERS)
    return Counter(chain.from_iterable(zip(*columns, strict=False) for columns in shifted))


def by_order(grams: Iterable[Gram]) -> Floats:
    """Return the indicator matrix [n_grams, 4] that sums a row of per-n-gram values into one value an order."""
    lengths = np.fromiter(map(len, grams), dtype=np.int64)
    return np.asarray(lengths[:, None] == ORDERS, dtype=np.float64)


class _Windows(dict[tuple[str | None, ...], int]):
    """Numbers windows as they come; `grams` lists the columns of the n-grams that begin each (0: cut short)."""

    def __init__(self, columns: dict[Gram, int]) -> None:
        self.columns = columns
        self.grams: list[int] = []

    def __missing__(self, window: tuple[str | None, ...]) -> int:
        columns = self.columns
        for n in ORDERS:
            gram = window[:n]
            self.grams.append(0 if gram[-1] is None else columns.setdefault(gram, len(columns)))  # type: ignore[arg-type]
        self[window] = number = len(self)
        return number


class NgramIndex:
    """Gives K n-grams that are known beforehand the columns 0 to K - 1 of every count matrix."""

    def __init__(self, known: Iterable[Gram]) -> None:
        self._columns: dict[Gram, int] = dict(zip(chain([()], known), count()))

    def count(self, hypotheses: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count in each hypothesis the known n-grams [n, K], and how many distinct others of each order [n, 4]."""
        columns = dict(self._columns)
        windows = _Windows(columns)
        numbers = (map(windows.__getitem__, zip_longest(w, w[1:], w[2:], w[3:])) for w in hypotheses)
        ids = np.fromiter(chain.from_iterable(numbers), dtype=np.int64)
        grams = np.array(windows.grams, dtype=np.int64).reshape(-1, ORDER)[ids]  # [n_words in all, 4]
        n, known = len(hypotheses), len(self._columns)
        rows = np.repeat(np.arange(n), [len(words) for words in hypotheses])
        cells = np.where(grams < known, grams, 0) + known * rows[:, None]
        counts = np.bincount(cells.ravel(), minlength=n * known).reshape(n, known)
        return counts[:, 1:], self._others(grams - known, rows, n, len(columns) - known)

    @staticmethod
    def _others(grams: NDArray[np.int64], rows: NDArray[np.int64], n: int, width: int) -> NDArray[np.int64]:
        others = np.empty((n, ORDER), dtype=np.int64)
        for order in range(ORDER):
            present = np.zeros((n, width), dtype=bool)
            at = grams[:, order]
            present[rows[at >= 0], at[at >= 0]] = True
            others[:, order] = present.sum(axis=1)
        return others
