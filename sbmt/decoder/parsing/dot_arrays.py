"""The dots of a grammar with very many labels, in arrays.

With thousands of labels a cell's items move thousands of dots, most of which lead nowhere: none of them becomes a
Python object. What `dots.Dots` does with a dot when it arrives is done here for a whole column, when the next begins;
only source sides that end are handled immediately, for the cells of the column need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sbmt.arrays import Bools, Ints, ranges
from sbmt.decoder.parsing.column import Bundle, Column, UsedRules
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.decoder.parsing.span_limits import SpanLimits
from sbmt.decoder.parsing.visited import VisitedNodes


class DotTable(NamedTuple):
    """Columns by dot: start, number of its trie node among those reached, and the items in its gaps.

    `tails` is int32 [dots, most gaps], padded with -1.
    """

    start: Ints
    node: Ints
    tails: Ints

    def take(self, indices: Ints) -> DotTable:
        """Return the dots at these indices."""
        # Much faster than an index: rows of a matrix a dozen times.
        return DotTable(self.start.take(indices), self.node.take(indices), self.tails.take(indices, axis=0))

    @classmethod
    def joined(cls, parts: Sequence[DotTable]) -> DotTable:
        """Return the tables concatenated."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class GapMoves:
    """The moves over an item of the dots that wait at one place, by the item's label; the nearest starts come first."""

    def __init__(self, reached: VisitedNodes, dots: DotTable, place: int) -> None:
        dots = dots.take(_order(place - dots.start))
        dot, node = reached.over_gaps(dots.node)
        label = reached.label.take(node)
        order = _order(label)
        self._place, self._dots, self._filled = place, dots, reached.n_gaps.take(dots.node)
        self._dot, self._node = dot.take(order), node.take(order)
        # By label, then by distance from the start, so that all within reach of a label's item stand together.
        self._key = label.take(order).astype(np.int64) * (place + 1) + place - dots.start.take(self._dot)

    def over(self, items: dict[int, int], first_start: int) -> DotTable:
        """Return the dots that start at `first_start` or later, moved over {label: item}."""
        keys = np.fromiter(items.keys(), np.int64, len(items)) * (self._place + 1)
        begin = self._key.searchsorted(keys)
        count = self._key.searchsorted(keys + max(self._place + 1 - first_start, 0)) - begin
        move, item = ranges(begin, count), np.fromiter(items.values(), np.int32, len(items)).repeat(count)
        dot = self._dot.take(move)
        tails = self._dots.tails.take(dot, axis=0)
        tails.ravel()[np.arange(len(dot)) * tails.shape[1] + self._filled.take(dot)] = item
        return DotTable(self._dots.start.take(dot), self._node.take(move), tails)


class DotArrays:
    """The dots of one grammar in one sentence; `words` are the grammar's ids, -1 for words that no rule has."""

    def __init__(self, view: GrammarView, span_limits: SpanLimits, words: Sequence[int], used: UsedRules) -> None:
        self.view, self.span_limits, self._words, self._used = view, span_limits, words, used
        self._reached = VisitedNodes(view)
        self._arrived: list[DotTable] = []  # in the column
        self._waiting: list[DotTable] = []  # for items; by end
        self._moves: dict[int, GapMoves] = {}
        self._column, self._first = Column(), 0  # the current column, the first start that may reach it

    def open(self, column: Column, end: int) -> None:
        """Begin a column: dots that arrived in the last one, and those that start there, wait or move over the word."""
        reached, word = self._reached, self._words[end - 1]
        starts = np.full(int(self.span_limits.allows(end - 1, end)), end - 1)
        no_tails = np.full((len(starts), self.view.grammar.most_gaps), -1, np.int32)
        root = DotTable(starts, np.zeros_like(starts), no_tails)
        dots = DotTable.joined([*self._arrived, root])
        self._column, self._first, self._arrived = column, self.span_limits.first_start[end], []
        self._waiting.append(dots.take(_where(reached.has_gaps[dots.node])))
        if word >= 0:
            dots = dots.take(_where(reached.has_words[dots.node] & (dots.start >= self._first)))
            child = reached.over_word(dots.node, word)
            moved = _where(child >= 0)
            dots = DotTable(dots.start.take(moved), child.take(moved), dots.tails.take(moved, axis=0))
            has_gaps = reached.n_gaps[dots.node] > 0
            self._arrive(dots.take(_where(~has_gaps)), lexical=True)
            self._arrive(dots.take(_where(has_gaps)))

    def extend(self, start: int, items: dict[int, int]) -> None:
        """Move over the items from `start` to the column's end, {label: item}."""
        moves = self._moves.get(start)
        if moves is None:
            moves = self._moves[start] = GapMoves(self._reached, self._waiting[start], start)
        dots = moves.over(items, self._first)
        if len(dots.start):
            self._arrive(dots)

    def _arrive(self, dots: DotTable, lexical: bool = False) -> None:
        """Record dots that reach the column's end; `lexical`: they have no gaps."""
        self._arrived.append(dots)
        ending = _where(self._reached.ends[dots.node])
        start, node, tails = dots.take(ending[_order(dots.start[ending])])
        if not len(start):
            return
        self._reached.use(node)
        cuts = (_where(start[1:] != start[:-1]) + 1).tolist()
        for first, last in pairwise([0, *cuts, len(start)]):
            ended = self._column.at(int(start[first]))
            (ended.lexical_bundles if lexical else ended.derived_bundles).append(
                Bundle(self, node[first:last], tails[first:last])
            )

    def heads(self, nodes: Ints) -> list[int]:
        """Return the labels of the rules that end in some nodes."""
        return self.view.labels_of(self._reached.node[self._reached.distinct(nodes)])

    def enter_rules(self) -> tuple[Ints, Ints]:
        """Enter the rules of all nodes used into the sentence's rule table, once.

        Returns the first rule and the number of rules, by number of the node.
        """
        reached = self._reached
        used = reached.used()
        nodes, position = np.unique(reached.node[used], return_inverse=True)
        first, count = self.view.rule_ranges(nodes)
        begin = self._used.add_many(self.view.number, first, count)
        blocks = np.zeros((2, len(reached.node)), np.int32)
        blocks[:, used] = begin[position], count[position]
        return blocks[0], blocks[1]


def _where(flags: Bools | Ints) -> Ints:
    """Return the indices of non-zero values. (`np.flatnonzero` has more overhead than the search itself.)"""
    indices: Ints = flags.nonzero()[0]
    return indices


def _order(numbers: Ints) -> Ints:
    """Return the stable sort order of non-negative numbers."""
    fits = numbers.max(initial=0) < 1 << 16
    return (numbers.astype(np.uint16) if fits else numbers).argsort(kind="stable")  # linear in time where it fits
