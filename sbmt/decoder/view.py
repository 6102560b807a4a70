"""A grammar as one decoder sees it: labels numbered across grammars, targets as words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sbmt.decoder.features import Symbol
from sbmt.ppdb.columns import ROOT, Ints
from sbmt.ppdb.grammar import Grammar

_MAX_CACHED = 200_000  # nodes or words; only a bound on memory


class _Symbols(dict[int, Symbol]):
    """Target symbols of the columns as words and numbers of gaps (from 0), remembered."""

    def __init__(self, grammar: Grammar) -> None:
        super().__init__()
        self._grammar = grammar

    def __missing__(self, symbol: int) -> Symbol:
        if len(self) > _MAX_CACHED:
            self.clear()
        self[symbol] = found = -1 - symbol if symbol < 0 else self._grammar.word(symbol)
        return found


class GrammarView:
    """`labels` is shared by all grammars of a decoder and grows here."""

    def __init__(self, grammar: Grammar, labels: dict[str, int]) -> None:
        self.grammar, self.limit = grammar, grammar.span_limit
        self.child, self.rules, self.terminal = grammar.child, grammar.rules, grammar.terminal
        self.has_terminal_edges = grammar.has_terminal_edges
        self._labels = [labels.setdefault(grammar.label(index), len(labels)) for index in range(len(grammar.labels))]
        self._lhs = memoryview(grammar.columns.rule_lhs)  # type: ignore[arg-type]
        self._symbols = _Symbols(grammar)
        self._edges: dict[int, Mapping[int, int]] = {}
        at_root = {label: grammar.rules(node) for label, node in self.edges(ROOT).items()}
        self.unary = {label: rules for label, rules in at_root.items() if rules}  # rules whose source is one gap

    def allows(self, start: int, end: int) -> bool:
        """Whether a rule may cover the span, counted with the sentence marks."""
        return start == 0 if self.limit < 0 else end - start <= self.limit

    def head(self, rule: int) -> int:
        """Label of a rule's left-hand side."""
        return self._labels[self._lhs[rule]]

    def edges(self, node: int) -> Mapping[int, int]:
        """{label: child} of a trie node."""
        found = self._edges.get(node)
        if found is None:
            if len(self._edges) > _MAX_CACHED:
                self._edges.clear()
            edges = self.grammar.nonterminal_edges(node)
            found = self._edges[node] = {self._labels[label]: child for label, child in edges.items()}
        return found

    def targets(self, rules: Ints) -> list[tuple[Symbol, ...]]:
        """Target sides of many rules."""
        columns = self.grammar.columns
        begin, end = columns.target_start[rules].tolist(), columns.target_start[rules + 1].tolist()
        symbols = self._symbols
        flat = columns.target_symbol[_ranges(columns.target_start[rules], columns.target_start[rules + 1])].tolist()
        words = [symbols[symbol] for symbol in flat]
        targets, position = [], 0
        for first, last in zip(begin, end, strict=True):
            after = position + last - first
            targets.append(tuple(words[position:after]))
            position = after
        return targets


def _ranges(begin: Ints, end: Ints) -> Ints:
    """The numbers of all ranges [begin, end), one after the other."""
    lengths = end - begin
    offset = np.cumsum(lengths) - lengths
    return np.arange(lengths.sum()) + np.repeat(begin - offset, lengths)
