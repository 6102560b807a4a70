"""Matching the source sides of one grammar against a sentence, column by column.

A *dot* (Chappelier & Rajman 1998) is a trie node reached over words and finished items from a start to the column's
end. On arrival, rules that end in it enter the column, and if the trie has an edge over the sentence's next word, the
dot moves on with the next column. It waits only for items, and only where the trie has edges over items. With thousands
of labels `dot_arrays` does the same in arrays; few dots are faster one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.decoder.parsing.column import Block, Column, UsedRules
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.decoder.parsing.span_limits import SpanLimits
from sbmt.decoder.tails import Tails
from sbmt.ppdb.columns import ROOT

Dot = tuple[int, int, Tails]  # start, trie node, items in the gaps


class _Blocks(dict[int, Block]):
    """The blocks of a grammar by trie node; looking one up marks it as used."""

    def __init__(self, view: GrammarView, used: UsedRules) -> None:
        super().__init__()
        self._view, self._used = view, used

    def __missing__(self, node: int) -> Block:
        block = self[node] = self._used.add(self._view.number, *self._view.rules[node])
        return block


class Dots:
    """The dots of one grammar in one sentence; `words` are the grammar's ids, -1 for words that no rule has."""

    def __init__(self, view: GrammarView, span_limits: SpanLimits, words: Sequence[int], used: UsedRules) -> None:
        self.view, self.span_limits, self._words = view, span_limits, [*words, -1]
        self._blocks = _Blocks(view, used)
        self._coming: list[Dot] = []  # the next word moves them to these nodes
        self._waiting: list[list[Dot]] = [[]]  # for items; by end
        # The current column, the word after it, and the first starts that may reach its end and the next column's.
        self._column, self._word, self._first, self._first_next = Column(), -1, 0, span_limits.first_start[1]

    def open(self, column: Column, end: int) -> None:
        """Begin a column: new dots start before its word, and dots that can move over the word do."""
        view, word = self.view, self._words[end - 1]
        coming, self._coming = self._coming, []
        if self.span_limits.allows(end - 1, end):
            self._waiting[-1].append((end - 1, ROOT, ()))
            if word >= 0 and (child := view.grammar.child(ROOT, word)) >= 0:
                coming.append((end - 1, child, ()))
        self._waiting.append([])
        self._column, self._word = column, self._words[end]
        self._first, self._first_next = (
            self._first_next,
            self.span_limits.first_start[min(end + 1, len(self._words) - 1)],
        )
        for dot in coming:
            self._arrive(*dot)

    def extend(self, start: int, items: dict[int, int]) -> None:
        """Move over the items from `start` to the column's end, {label: item}."""
        first, edges = self._first, self.view.edges
        for begin, node, tails in self._waiting[start]:
            if begin >= first:
                children = edges[node]
                for label, item in items.items():
                    if label in children:
                        self._arrive(begin, children[label], (*tails, item))

    def _arrive(self, start: int, node: int, tails: Tails) -> None:
        """Record a dot that reaches the column's end."""
        ends, has_gaps, has_words = self.view.nodes[node]
        if ends:
            ended = self._column.at(start)
            if tails:
                ended.derived.append(self._blocks[node])
                ended.tails.append(tails)
            else:
                ended.lexical.append(self._blocks[node])
        if has_gaps:
            self._waiting[-1].append((start, node, tails))
        if has_words and self._word >= 0 and start >= self._first_next:
            child = self.view.grammar.child(node, self._word)
            if child >= 0:
                self._coming.append((start, child, tails))
