"""Counting the n-grams of many hypotheses of one sentence at once.

The hypotheses of an n-best list share most of their n-grams. Each window of four words is looked up once a position
(not each n-gram), stands for the n-grams that begin there, and all the counting happens in one numpy call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

ORDER = 4
Gram = tuple[str, ...]
Floats = NDArray[np.float64]


def count_ngrams(words: Sequence[str]) -> Counter[Gram]:
    """Count all n-grams of orders 1 to 4."""
    counts: Counter[Gram] = Counter()
    for n in range(1, ORDER + 1):
        counts.update(zip(*(words[k:] for k in range(n)), strict=False))
    return counts


def by_order(grams: Iterable[Gram]) -> Floats:
    """Return the indicator matrix [n_grams, 4] that sums a row of per-n-gram values into one value an order."""
    lengths = np.fromiter(map(len, grams), dtype=np.int64)
    return np.asarray(lengths[:, None] == np.arange(1, ORDER + 1), dtype=np.float64)


class _Windows(dict[tuple[str | None, ...], int]):
    """Numbers windows as they come; `grams` lists the columns of the n-grams that begin each (0: cut short)."""

    def __init__(self, columns: dict[Gram, int]) -> None:
        self.columns = columns
        self.grams: list[int] = []

    def __missing__(self, window: tuple[str | None, ...]) -> int:
        columns = self.columns
        for n in range(1, ORDER + 1):
            gram = window[:n]
            self.grams.append(0 if gram[-1] is None else columns.setdefault(gram, len(columns)))  # type: ignore[arg-type]
        self[window] = number = len(self)
        return number


class NgramIndex:
    """Gives n-grams that are known beforehand the columns 0, 1, ... of every count matrix."""

    def __init__(self, known: Iterable[Gram]) -> None:
        self._columns: dict[Gram, int] = {(): 0}
        for gram in known:
            self._columns[gram] = len(self._columns)

    def count(self, hypotheses: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], list[Gram]]:
        """Return counts [n_hypotheses, n_grams] and the n-grams beyond the known ones, in column order."""
        columns = dict(self._columns)
        windows = _Windows(columns)
        numbers = [
            map(
                windows.__getitem__,
                zip(w, [*w[1:], None], [*w[2:], None, None], [*w[3:], None, None, None], strict=False),
            )
            for w in hypotheses
        ]
        ids = np.fromiter(chain.from_iterable(numbers), dtype=np.int64)
        cells = np.array(windows.grams, dtype=np.int64).reshape(-1, ORDER)[ids]  # [n_words in all, 4]
        n, width = len(hypotheses), len(columns)
        rows = np.repeat(np.arange(n), [len(words) for words in hypotheses])
        cells += (rows * width)[:, None]
        counts = np.bincount(cells.ravel(), minlength=n * width).reshape(n, width)
        return counts[:, 1:], list(columns)[len(self._columns) :]
