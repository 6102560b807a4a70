"""The part of a grammar's trie that one sentence reaches.

The 180,000 dots of a sentence of the SAMT workload of `docs/decoder.md` are at 5,200 nodes: what parsing asks of a node
is asked once, and not dot by dot. Nodes are numbered in the order in which they are reached, the root being 0. A node
that is reached over a word has a number for each time the word comes.
"""

from __future__ import annotations

import numpy as np

from sbmt.arrays import Bools, Ints, ranges
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.ppdb.columns import ROOT

_ROOM = 50_000  # nodes, 20 bytes each; a sentence of 17 words reaches 24,000
_UNKNOWN = -1


class Reached:
    """Columns by number: `node` of the trie, the `label` it was reached over (0 for a word), and what comes of it.

    `ends` says whether rules end there (unary ones do not count), `has_gaps` and `has_words` what leads on; `used` is
    for whoever wants to know which rules a sentence uses. There is room for more at the end of all columns.
    """

    def __init__(self, view: GrammarView) -> None:
        self._view, self._size = view, 0
        self.node, self.label = np.zeros((2, _ROOM), np.int32)
        self._first, self._count = np.zeros((2, _ROOM), np.int32)  # of the children over gaps: number, how many
        self.ends, self.has_gaps, self.has_words, self.used = np.zeros((4, _ROOM), np.bool_)
        self._add(np.array([ROOT]), np.array([0]))

    def _add(self, nodes: Ints, labels: Ints) -> int:
        """Reach nodes; returns the number of the first."""
        view, first = self._view, self._size
        self._size += len(nodes)
        if self._size > len(self.node):
            for name in ("node", "label", "_first", "_count", "ends", "has_gaps", "has_words", "used"):
                column = getattr(self, name)
                setattr(self, name, np.concatenate((column, np.zeros(self._size, column.dtype))))
        new = slice(first, self._size)
        self.node[new], self.label[new], self._first[new] = nodes, labels, _UNKNOWN
        self.ends[new] = view.ends(nodes)
        self.has_gaps[new], self.has_words[new] = view.grammar.has_gaps(nodes), view.grammar.has_words(nodes)
        return first

    def distinct(self, numbers: Ints) -> Ints:
        """Each of many numbers once, ascending."""
        found: Bools = np.zeros(self._size, np.bool_)
        found[numbers] = True
        distinct: Ints = found.nonzero()[0]
        return distinct

    def over_word(self, numbers: Ints, word: int) -> Ints:
        """Where a word leads from each of many nodes, -1 where it does not."""
        distinct = self.distinct(numbers)
        nodes = self._view.grammar.children(self.node[distinct], word)
        hits = (nodes >= 0).nonzero()[0]
        child = np.full(self._size, -1, np.int32)
        first = self._add(nodes[hits], np.zeros_like(hits))
        child[distinct[hits]] = np.arange(first, first + len(hits))
        found: Ints = child[numbers]
        return found

    def over_gaps(self, numbers: Ints) -> tuple[Ints, Ints]:
        """All nodes that gaps lead to from each of many: position in `numbers` (ascending), child."""
        distinct = self.distinct(numbers)
        fresh = distinct[self._first[distinct] == _UNKNOWN]
        if len(fresh):
            position, labels, nodes = self._view.gaps(self.node[fresh])
            each = np.bincount(position, minlength=len(fresh))
            self._count[fresh], self._first[fresh] = each, np.cumsum(each) - each + self._add(nodes, labels)
        count = self._count[numbers]
        return np.arange(len(numbers)).repeat(count), ranges(self._first[numbers], count)
