"""Counting the n-grams of many hypotheses of one sentence at once.

The hypotheses of an n-best list share most of their n-grams. Each window of four words is looked up once a position
(not each n-gram), stands for the n-grams that begin there, and all the counting happens in one numpy call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, zip_longest

import numpy as np
from numpy.typing import NDArray

ORDER = 4
ORDERS = range(1, ORDER + 1)
Gram = tuple[str, ...]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def count_ngrams(*texts: Sequence[str]) -> Counter[Gram]:
    """Count all n-grams of orders 1 to 4 of all texts together."""
    shifted = [[words[k:] for words in texts] for k in range(ORDER)]
    return Counter(chain.from_iterable(chain.from_iterable(map(zip, *shifted[:n])) for n in ORDERS))


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
    """Numbers K n-grams that are known beforehand."""

    def __init__(self, known: Iterable[Gram]) -> None:
        self._columns: dict[Gram, int] = dict(zip(chain([()], known), count()))

    def locate(self, hypotheses: Sequence[Sequence[str]]) -> Located:
        """Find the n-grams that begin at each word of each hypothesis."""
        columns = dict(self._columns)
        windows = _Windows(columns)
        numbers = (map(windows.__getitem__, zip_longest(w, w[1:], w[2:], w[3:])) for w in hypotheses)
        ids = np.fromiter(chain.from_iterable(numbers), dtype=np.int64)
        return Located(
            grams=np.array(windows.grams, dtype=np.int64).reshape(-1, ORDER)[ids],
            rows=np.repeat(np.arange(len(hypotheses)), [len(words) for words in hypotheses]),
            n=len(hypotheses),
            known=len(self._columns),
            others=list(islice(columns, len(self._columns), None)),
        )


@dataclass(frozen=True, slots=True)
class Located:
    """The n-grams of `n` hypotheses with `n_words` words in all."""

    grams: Integers  # [n_words, 4]: 0 none (cut short), 1 ... `known` - 1 the index's n-grams, then the others
    rows: Integers  # [n_words]: whose word it is
    n: int
    known: int
    others: list[Gram]

    def counts(self) -> Integers:
        """Return how often each hypothesis has each of the index's n-grams [n, K]."""
        cells = np.where(self.grams < self.known, self.grams, 0) + self.known * self.rows[:, None]
        return np.bincount(cells.ravel(), minlength=self.n * self.known).reshape(self.n, self.known)[:, 1:]

    def distinct_others(self, marked: Container[Gram]) -> Integers:
        """Return how many distinct other n-grams of each order there are: all, then the marked ones [n, 2, 4]."""
        marks = np.array([gram in marked for gram in self.others], dtype=bool)
        found = np.empty((self.n, 2, ORDER), dtype=np.int64)
        for order in range(ORDER):
            present = np.zeros((self.n, len(marks)), dtype=bool)
            here = self.grams[:, order] >= self.known
            present[self.rows[here], self.grams[here, order] - self.known] = True
            found[:, 0, order] = present.sum(axis=1)
            found[:, 1, order] = present[:, marks].sum(axis=1)
        return found
