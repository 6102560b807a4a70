"""The part of a grammar's trie that one sentence reaches.

Very many dots are at the same nodes, from different starts and over different items: the properties of a node are
looked up once, not dot by dot. Nodes get numbers as they are reached, the root 0. All gap children of a node are
numbered together, when a dot first waits there; a node reached over a word gets a new number for each position of the
word.
"""

from __future__ import annotations

import numpy as np

from sbmt.arrays import Bools, Ints, ranges
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.ppdb.columns import ROOT

_INITIAL_CAPACITY = 4096  # nodes
_UNKNOWN = _NO_LABEL = -1
_NODE, _LABEL, _GAPS, _FIRST, _COUNT = range(5)
_ENDS, _HAS_GAPS, _HAS_WORDS, _USED = range(4)


class VisitedNodes:
    """Columns by number: the trie's `node`, the `label` it was reached over (-1: over a word), and its properties.

    `ends` says whether rules end there (unary ones do not count), `has_gaps` and `has_words` which edges it has.
    """

    def __init__(self, view: GrammarView) -> None:
        self._view, self._size = view, 0
        self._numbers = np.zeros((5, _INITIAL_CAPACITY), np.int32)  # _FIRST, _COUNT: the nodes that items lead to
        self._flags = np.zeros((4, _INITIAL_CAPACITY), np.bool_)
        self._add(np.array([ROOT]), np.array([_NO_LABEL]), np.array([0]))

    @property
    def node(self) -> Ints:
        """The nodes of the trie."""
        return self._numbers[_NODE, : self._size]

    @property
    def label(self) -> Ints:
        """The label that each was reached over; -1 for the root and over a word."""
        return self._numbers[_LABEL, : self._size]

    @property
    def n_gaps(self) -> Ints:
        """How many gaps lead to each from the root."""
        return self._numbers[_GAPS, : self._size]

    @property
    def ends(self) -> Bools:
        """Whether rules end there."""
        return self._flags[_ENDS, : self._size]

    @property
    def has_gaps(self) -> Bools:
        """Whether a node has edges over gaps."""
        return self._flags[_HAS_GAPS, : self._size]

    @property
    def has_words(self) -> Bools:
        """Whether a node has edges over words."""
        return self._flags[_HAS_WORDS, : self._size]

    def use(self, numbers: Ints) -> None:
        """Mark nodes whose rules match a span."""
        self._flags[_USED][numbers] = True

    def used(self) -> Ints:
        """Return the numbers of the marked nodes, ascending."""
        numbers: Ints = self._flags[_USED].nonzero()[0]
        return numbers

    def _add(self, nodes: Ints, labels: Ints, gaps: Ints) -> int:
        """Add nodes; returns the number of the first."""
        view, first = self._view, self._size
        self._size += len(nodes)
        missing = self._size - self._numbers.shape[1]
        if missing > 0:
            padding = ((0, 0), (0, max(missing, first)))  # at least doubles the capacity
            self._numbers, self._flags = np.pad(self._numbers, padding), np.pad(self._flags, padding)
        new = slice(first, self._size)
        self._numbers[_NODE, new], self._numbers[_LABEL, new], self._numbers[_GAPS, new] = nodes, labels, gaps
        self._numbers[_FIRST, new] = _UNKNOWN
        self._flags[_ENDS, new] = view.ends(nodes)
        self._flags[_HAS_GAPS, new] = view.grammar.has_gaps(nodes)
        self._flags[_HAS_WORDS, new] = view.grammar.has_words(nodes)
        return first

    def distinct(self, numbers: Ints) -> Ints:
        """Return the distinct numbers, ascending."""
        is_present: Bools = np.zeros(self._size, np.bool_)
        is_present[numbers] = True
        distinct: Ints = is_present.nonzero()[0]
        return distinct

    def over_word(self, numbers: Ints, word: int) -> Ints:
        """Return the child over a word of each of many nodes, -1 if there is none."""
        distinct = self.distinct(numbers)
        child = np.full(self._size, -1, np.int32)
        nodes = self._view.grammar.children(self.node[distinct], word)
        hits = (nodes >= 0).nonzero()[0]
        first = self._add(nodes[hits], np.full_like(hits, _NO_LABEL), self.n_gaps[distinct[hits]])
        child[distinct[hits]] = np.arange(first, first + len(hits))
        children: Ints = child[numbers]
        return children

    def over_gaps(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return all children over gaps of many nodes: position in `numbers` (ascending), child."""
        distinct = self.distinct(numbers)
        fresh = distinct[self._numbers[_FIRST][distinct] == _UNKNOWN]
        if len(fresh):
            position, labels, nodes = self._view.gaps(self.node[fresh])
            counts = np.bincount(position, minlength=len(fresh))
            first = self._add(nodes, labels, self.n_gaps[fresh].repeat(counts) + 1)
            self._numbers[_COUNT][fresh], self._numbers[_FIRST][fresh] = counts, first + np.cumsum(counts) - counts
        count = self._numbers[_COUNT].take(numbers)
        return np.arange(len(numbers)).repeat(count), ranges(self._numbers[_FIRST].take(numbers), count)
