"""Moves of very many dots at once, in arrays: with thousands of labels a cell's items move thousands of dots.

Most of what is tried leads nowhere, so that only what is kept becomes Python objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from sbmt.decoder.tails import TailColumn, Tails
from sbmt.decoder.view import GrammarView
from sbmt.ppdb.columns import Ints

Dot = tuple[int, int, Tails]  # start, trie node, items in the gaps


class Before:
    """The items in the gaps of dots: `tails` by dot, of `most` items; first and last of each in arrays, -1 for none."""

    def __init__(self, tails: list[Tails]) -> None:
        self.tails = tails
        self.first: Ints = np.array([items[0] if items else -1 for items in tails], np.int64)
        self.last: Ints = np.array([items[-1] if items else -1 for items in tails], np.int64)
        self.most = max(map(len, tails), default=0)


class Moves(NamedTuple):
    """By move: the dot's start, the trie node it reaches, which of the dots `before` it is, the item it moves over."""

    start: Ints
    node: Ints
    dot: Ints
    item: Ints | None  # None: a word
    before: Before

    @classmethod
    def made(cls, dots: Sequence[Dot]) -> Moves:
        """Dots that have moved over a word."""
        start, node = [dot[0] for dot in dots], [dot[1] for dot in dots]
        before = Before([dot[2] for dot in dots])
        return cls(np.array(start, np.int64), np.array(node, np.int64), np.arange(len(dots)), None, before)

    def tails(self, which: Ints) -> list[Tails]:
        """The items in the gaps after some of the moves."""
        before, dots = self.before.tails, self.dot[which].tolist()
        if self.item is None:
            return [before[dot] for dot in dots]
        return [(*before[dot], item) for dot, item in zip(dots, self.item[which].tolist(), strict=True)]

    def column(self, which: Ints) -> TailColumn:
        """The same as a column."""
        dots, longer = self.dot[which], dict[int, Tails]()
        first, last, most = self.before.first[dots], self.before.last[dots], self.before.most
        if self.item is not None:
            first, last, most = np.where(first < 0, self.item[which], first), self.item[which], most + 1
        if most > 2:
            longer = {number: tails for number, tails in enumerate(self.tails(which)) if len(tails) > 2}
        return TailColumn.of(first, last, longer)


class Fan:
    """All moves over items that are open to the dots that wait at one place, ordered by the dots' start."""

    def __init__(self, view: GrammarView, waiting: Sequence[Dot]) -> None:
        waiting = sorted(waiting, key=itemgetter(0))
        self._before = Before([tails for _, _, tails in waiting])
        self._dot, self._label, self._node = view.gaps(np.array([node for _, node, _ in waiting]))
        self._start = np.array([start for start, _, _ in waiting])[self._dot]
        self._n_labels = view.n_labels

    def over(self, items: dict[int, int], first_start: int) -> Moves:
        """The moves over {label: item} of the dots from `first_start` on."""
        item_of = np.full(self._n_labels, -1)
        item_of[list(items)] = list(items.values())
        first = int(np.searchsorted(self._start, first_start))
        item = item_of[self._label[first:]]
        met = np.flatnonzero(item >= 0)
        move = first + met
        return Moves(self._start[move], self._node[move], self._dot[move], item[met], self._before)
