"""The dots of a grammar with very many labels, in arrays.

With thousands of labels a cell's items move thousands of dots, most of which lead nowhere: none of them becomes a
Python object. What `dots.Dots` does with a dot when it arrives is done here for all of a column at once, when the next
one begins; only the source sides that end are sorted out at once, for the cells of the column are waiting for them.
Parsing a sentence of the SAMT workload of `docs/decoder.md` takes 48 ms so, and 243 ms dot by dot.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sbmt.arrays import Bools, Ints, ranges
from sbmt.decoder.parsing.column import Bundle, Column, UsedRules
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.decoder.parsing.reach import Reach
from sbmt.ppdb.columns import ROOT

_SPARSE = 20  # from here on sorting numbers is faster than counting them


class DotTable(NamedTuple):
    """Columns by dot: start, trie node, and the items in its gaps, int32 [dots, most gaps], -1 where there is none."""

    start: Ints
    node: Ints
    tails: Ints

    def take(self, which: Ints) -> DotTable:
        """Some of them."""
        return DotTable(self.start[which], self.node[which], self.tails[which])

    @classmethod
    def joined(cls, parts: Sequence[DotTable]) -> DotTable:
        """One after the other."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class GapMoves:
    """The moves that dots waiting at one place could make over an item, ordered by its label."""

    def __init__(self, view: GrammarView, dots: DotTable) -> None:
        dot, label, node = view.gaps(dots.node)
        order = _order(label)
        self._dots, self._filled = dots, (dots.tails >= 0).sum(axis=1)
        self._dot, self._node = dot[order], node[order]
        self._begin = np.concatenate(([0], np.cumsum(np.bincount(label, minlength=view.n_labels))))  # by label

    def over(self, items: dict[int, int], first_start: int) -> DotTable:
        """The dots from `first_start` on, moved over {label: item}."""
        labels = np.fromiter(items.keys(), np.int64, len(items))
        begin = self._begin[labels]
        count = self._begin[labels + 1] - begin
        move, item = ranges(begin, count), np.fromiter(items.values(), np.int64, len(items)).repeat(count)
        dot = self._dot[move]
        if first_start > 0:
            near = _where(self._dots.start[dot] >= first_start)
            move, item, dot = move[near], item[near], dot[near]
        tails = self._dots.tails[dot]
        tails[np.arange(len(dot)), self._filled[dot]] = item
        return DotTable(self._dots.start[dot], self._node[move], tails)


class DotArrays:
    """The dots of one grammar in one sentence; `words` are the grammar's ids, -1 for what no rule holds."""

    def __init__(self, view: GrammarView, reach: Reach, words: Sequence[int], used: UsedRules) -> None:
        self.view, self.reach, self._words, self._used = view, reach, words, used
        self._arrived: list[DotTable] = []  # in the column
        self._waiting: list[DotTable] = []  # for items; by end
        self._moves: dict[int, GapMoves] = {}
        self._column, self._first = Column(), 0  # of the column: what it collects, the first start that may reach it

    def open(self, column: Column, end: int) -> None:
        """Begin a column: all that arrived in the one before, and what starts there, waits or moves over the word."""
        view, word = self.view, self._words[end - 1]
        root = np.full(int(self.reach.allows(end - 1, end)), end - 1)
        starting = DotTable(root, np.full_like(root, ROOT), np.full((len(root), view.most_gaps), -1, np.int32))
        dots = DotTable.joined([*self._arrived, starting])
        dots = dots.take(_where(view.grammar.has_children(dots.node)))
        self._column, self._first, self._arrived = column, self.reach.first_start[end], []
        self._waiting.append(dots.take(_where(view.grammar.has_gaps(dots.node))))
        if word >= 0:
            child = view.grammar.children(dots.node, word)
            moved = _where((child >= 0) & (dots.start >= self._first))
            dots = DotTable(dots.start[moved], child[moved], dots.tails[moved])
            has_gaps: Bools = np.any(dots.tails >= 0, axis=1)
            self._arrive(dots.take(_where(~has_gaps)), lexical=True)
            self._arrive(dots.take(_where(has_gaps)))

    def extend(self, start: int, items: dict[int, int]) -> None:
        """Move over the items from `start` to the column's end, {label: item}."""
        moves = self._moves.get(start)
        if moves is None:
            moves = self._moves[start] = GapMoves(self.view, self._waiting[start])
        self._arrive(moves.over(items, self._first))

    def _arrive(self, dots: DotTable, lexical: bool = False) -> None:
        """Dots reach the column's end; `lexical`: they have no gaps."""
        self._arrived.append(dots)
        ending = _where(self.view.ends(dots.node))
        start, node, tails = dots.take(ending[_order(dots.start[ending])])
        if not len(start):
            return
        cuts = (_where(start[1:] != start[:-1]) + 1).tolist()
        for first, last in pairwise([0, *cuts, len(start)]):
            ended = self._column.at(int(start[first]))
            (ended.phrases if lexical else ended.bundles).append(Bundle(self, node[first:last], tails[first:last]))

    def heads(self, nodes: Ints) -> list[int]:
        """The labels of the rules that end in some nodes."""
        return self.view.labels_of(nodes)

    def blocks(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Where the rules that end in nodes are in the sentence's rule table: the first, and how many."""
        nodes, position = _distinct(nodes)
        first, count = self.view.rule_ranges(nodes)
        return self._used.add_many(self.view.number, first, count)[position], count[position]


def _where(flags: Bools | Ints) -> Ints:
    """The places that are not 0. (`np.flatnonzero` does more before it begins than finding them takes.)"""
    places: Ints = flags.nonzero()[0]
    return places


def _order(numbers: Ints) -> Ints:
    """What sorts numbers that are not negative; those with equal ones stay in order."""
    fits = numbers.max(initial=0) < 1 << 16
    return (numbers.astype(np.uint16) if fits else numbers).argsort(kind="stable")  # linear in time where it fits


def _distinct(numbers: Ints) -> tuple[Ints, Ints]:
    """The distinct ones of many numbers, and where each number is among them."""
    most = int(numbers.max())
    if most > _SPARSE * len(numbers):
        return np.unique(numbers, return_inverse=True)
    found = _where(np.bincount(numbers))
    position = np.empty(most + 1, np.int64)
    position[found] = np.arange(len(found))
    return found, position[numbers]
