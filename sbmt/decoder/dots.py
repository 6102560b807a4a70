"""How far the source sides of one grammar match a sentence, column by column.

A *dot* (Chappelier & Rajman 1998) is a trie node reached over words and finished items from a start to the column's
end. What is known about it at once is done at once: rules that end in it enter the column, and if the sentence's next
word leads on, the dot comes back with the next column. It waits only for items, and only where the trie has edges over
items. Where very many moves are to be tried, `fan` makes them in arrays; few are faster one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sbmt.decoder.column import Block, Column, Used
from sbmt.decoder.fan import Dot, Fan, Moves
from sbmt.decoder.tails import Tails
from sbmt.decoder.view import GrammarView
from sbmt.ppdb.columns import ROOT

_MANY = 200  # moves to try; with fewer arrays do not pay


class _Blocks(dict[int, Block]):
    """The blocks of a grammar by trie node; what is asked for is used."""

    def __init__(self, view: GrammarView, used: Used) -> None:
        super().__init__()
        self._view, self._used = view, used

    def __missing__(self, node: int) -> Block:
        block = self[node] = self._used.add(self._view.number, *self._view.rules[node])
        return block


class Dots:
    """The dots of one grammar in one sentence; `words` are the grammar's ids, -1 for what no rule holds."""

    def __init__(self, view: GrammarView, words: Sequence[int], used: Used) -> None:
        self.view, self._words = view, [*words, -1]
        self._blocks = _Blocks(view, used)
        self._coming: list[Dot] = []  # the next word moves them to these nodes
        self._waiting: list[list[Dot]] = [[]]  # for items; by end
        self._fans: dict[int, Fan] = {}  # the same in arrays
        # Of the column: what it collects, the word after it, the first starts that may reach its end and the next.
        self._column, self._word, self._first, self._first_next = Column(), -1, 0, view.first_start(1)

    def open(self, column: Column, end: int) -> None:
        """Begin a column: new dots start before its word, and all that can move over that."""
        view, word = self.view, self._words[end - 1]
        coming, self._coming = self._coming, []
        if view.allows(end - 1, end):
            self._waiting[-1].append((end - 1, ROOT, ()))
            if word >= 0 and (child := view.grammar.child(ROOT, word)) >= 0:
                coming.append((end - 1, child, ()))
        self._waiting.append([])
        self._column, self._word = column, self._words[end]
        self._first, self._first_next = self._first_next, view.first_start(end + 1)
        if len(coming) >= _MANY:
            self._arrive_many(Moves.made([dot for dot in coming if dot[2]]))
            coming = [dot for dot in coming if not dot[2]]
        for dot in coming:
            self._arrive(*dot)

    def extend(self, start: int, items: dict[int, int]) -> None:
        """Move over the items from `start` to the column's end, {label: item}."""
        waiting = self._waiting[start]
        if len(waiting) * len(items) >= _MANY:
            fan = self._fans.get(start)
            if fan is None:
                fan = self._fans[start] = Fan(self.view, waiting)
            self._arrive_many(fan.over(items, self._first))
            return
        first, edges = self._first, self.view.edges
        for begin, node, tails in waiting:
            if begin >= first:
                children = edges[node]
                for label, item in items.items():
                    if label in children:
                        self._arrive(begin, children[label], (*tails, item))

    def _arrive(self, start: int, node: int, tails: Tails) -> None:
        """A dot reaches the column's end."""
        ends, n_gaps, has_words = self.view.nodes[node]
        if ends:
            ended = self._column.at(start)
            if tails:
                ended.derived.append(self._blocks[node])
                ended.tails.append(tails)
            else:
                ended.lexical.append(self._blocks[node])
        if n_gaps:
            self._waiting[-1].append((start, node, tails))
        if has_words and self._word >= 0 and start >= self._first_next:
            child = self.view.grammar.child(node, self._word)
            if child >= 0:
                self._coming.append((start, child, tails))

    def _arrive_many(self, moves: Moves) -> None:
        """Dots with gaps reach the column's end."""
        start, node = moves.start, moves.node
        ending = np.flatnonzero(self.view.ends(node))
        blocks, tails = [self._blocks[number] for number in node[ending].tolist()], moves.column(ending)
        starts = start[ending]
        for first, last in pairwise([*np.flatnonzero(np.diff(starts, prepend=-1)).tolist(), len(starts)]):
            ended = self._column.at(int(starts[first]))
            ended.derived += blocks[first:last]
            ended.tails.append(tails.part(first, last))
        deeper = np.flatnonzero(self.view.grammar.has_gaps(node))
        self._waiting[-1] += zip(start[deeper].tolist(), node[deeper].tolist(), moves.tails(deeper), strict=True)
        if self._word >= 0:
            child = self.view.grammar.children(node, self._word)
            going = np.flatnonzero((child >= 0) & (start >= self._first_next))
            self._coming += zip(start[going].tolist(), child[going].tolist(), moves.tails(going), strict=True)
