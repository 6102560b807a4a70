"""Counting the n-grams of many hypotheses of one sentence at once.

The hypotheses of an n-best list share most of their n-grams. Each position is looked up once, by the window of four
words that begins there; a window's number gives the columns of the 1- to 4-grams that begin with it. All counting is
then one numpy call. N-grams are strings, words between spaces, because Python's garbage collector would traverse tuples
again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, zip_longest

import numpy as np

from sbmt.arrays import Floats, Int64s

ORDER = 4
ORDERS = range(1, ORDER + 1)
Window = tuple[str | None, ...]  # four words, or None beyond the sentence


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of orders 1 to 4 of some texts together, by ascending order."""

    counts: Counter[str]
    distinct: Int64s  # [4] number of distinct n-grams of each order

    def by_order(self) -> Floats:
        """Return the indicator matrix [n_grams, 4] that sums a row of per-n-gram values into one value per order."""
        return np.repeat(np.eye(ORDER), self.distinct, axis=0)


def count_ngrams(*texts: Sequence[str]) -> Ngrams:
    """Count all n-grams of all texts."""
    counts: Counter[str] = Counter()
    shifted = [[words[k:] for words in texts] for k in range(ORDER)]
    sizes = [0]
    for n in ORDERS:
        counts.update(map(" ".join, chain.from_iterable(map(zip, *shifted[:n]))))
        sizes.append(len(counts))
    return Ngrams(counts, np.diff(sizes))


class _Columns(dict[str, int]):
    """Numbers n-grams in the order of their first occurrence."""

    def __missing__(self, gram: str) -> int:
        self[gram] = column = len(self)
        return column


class _Windows(dict[Window, int]):
    """Numbers windows in order; `grams` has the columns of the n-grams that begin each (0: cut short)."""

    def __init__(self, columns: _Columns) -> None:
        self.columns = columns
        self.grams: list[int] = []

    def __missing__(self, window: Window) -> int:
        gram = ""
        for word in window:
            if word is None:
                self.grams.append(0)
            else:
                gram = f"{gram} {word}" if gram else word
                self.grams.append(self.columns[gram])
        self[window] = number = len(self)
        return number


class NgramIndex:
    """Numbers K n-grams that are known in advance."""

    def __init__(self, grams: Iterable[str]) -> None:
        self._columns: dict[str, int] = dict(zip(chain([""], grams), count()))

    def locate(self, hypotheses: Sequence[Sequence[str]]) -> Located:
        """Find the n-grams that begin at each word of each hypothesis."""
        columns = _Columns(self._columns)
        windows = _Windows(columns)
        numbers = (map(windows.__getitem__, zip_longest(w, w[1:], w[2:], w[3:])) for w in hypotheses)
        ids = np.fromiter(chain.from_iterable(numbers), dtype=np.int64)
        return Located(
            grams=np.array(windows.grams, dtype=np.int64).reshape(-1, ORDER)[ids],
            rows=np.repeat(np.arange(len(hypotheses)), [len(words) for words in hypotheses]),
            n=len(hypotheses),
            n_columns=len(self._columns),
            others=list(islice(columns, len(self._columns), None)),
        )


@dataclass(frozen=True, slots=True)
class Located:
    """The n-grams of `n` hypotheses with `n_words` words in all."""

    grams: Int64s  # [n_words, 4]: 0 none (cut short), 1 ... `n_columns` - 1 the index's n-grams, then the others
    rows: Int64s  # [n_words]: the hypothesis of each word
    n: int
    n_columns: int  # K + 1
    others: list[str]  # n-grams that are not in the index

    def counts(self) -> Int64s:
        """Return how often each hypothesis has each of the index's n-grams [n, K]."""
        cells = np.where(self.grams < self.n_columns, self.grams, 0) + self.n_columns * self.rows[:, None]
        return np.bincount(cells.ravel(), minlength=self.n * self.n_columns).reshape(self.n, self.n_columns)[:, 1:]

    def distinct_others(self, marked: Container[str]) -> Int64s:
        """Return how many distinct other n-grams of each order there are: all, then the marked ones [n, 2, 4]."""
        size = self.n_columns + len(self.others)
        words, orders = positions = np.nonzero(self.grams >= self.n_columns)
        cells, grams = np.divmod(np.unique((ORDER * self.rows[words] + orders) * size + self.grams[positions]), size)
        marks = np.fromiter(map(marked.__contains__, self.others), bool, len(self.others))[grams - self.n_columns]
        counts = [np.bincount(part, minlength=ORDER * self.n) for part in (cells, cells[marks])]
        return np.stack([part.reshape(self.n, ORDER) for part in counts], axis=1)
