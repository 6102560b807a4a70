"""A grammar as a decoder sees it: labels numbered across grammars, and the properties of trie nodes for parsing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from sbmt.arrays import Bools, Ints, ranges
from sbmt.lm.symbols import Symbol
from sbmt.ppdb.columns import ROOT
from sbmt.ppdb.grammar import Grammar

T = TypeVar("T")
_MANY_LABELS = 100  # of gaps at the start of source sides
_MAX_CACHED = 10_000  # nodes, words; larger caches are hardly faster
_MAX_SCANNED = 2_000_000  # rules or trie nodes, for the warnings of a new decoder
_MAX_TARGETS = 100_000  # target sides, some 100 bytes each


class Node(NamedTuple):
    """A trie node: whether rules end here, and whether it has edges over items and over words."""

    ends: bool
    has_gaps: bool
    has_words: bool


class _BoundedCache(dict[int, T]):
    """A bounded cache of `make(number)`."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, number: int) -> T:
        if len(self) > _MAX_CACHED:
            self.clear()
        self[number] = value = self._make(number)
        return value


class GrammarView:
    """`number` is the grammar's place in its decoder; `labels` is shared by all and grows here.

    By trie node, `nodes` says what follows it, `edges` holds the children over items, {label: child}, and `rules` the
    rules that end there: first, number, heads. `unary` holds the rules whose source side is one gap, by its label, each
    with its head. With `many_labels`, dots are better kept in arrays.
    """

    def __init__(self, grammar: Grammar, number: int, labels: dict[str, int]) -> None:
        self.grammar, self.number = grammar, number
        self._labels = [labels.setdefault(name, len(labels)) for name in grammar.labels]
        self._numbers = labels
        self._label_array = np.array(self._labels, np.int64)
        self._lhs = grammar.columns.rule_lhs.data
        self._symbols = _BoundedCache(self._symbol)
        self._targets: dict[int, tuple[Symbol, ...]] = {}
        self.nodes, self.edges = _BoundedCache(self._node), _BoundedCache(self._edges)
        self.rules = _BoundedCache(self._rules)
        self.many_labels = len(grammar.gap_children(ROOT)) > _MANY_LABELS
        self._last_unary = max(grammar.gap_children(ROOT), default=ROOT)
        self.unary = self._unary()

    def unfilled(self, heads: set[int]) -> set[int]:
        """Return the labels of gaps that are not among `heads`; none for a grammar that is too large to scan."""
        symbols = self.grammar.columns.node_symbol
        if len(symbols) > _MAX_SCANNED:
            return set()
        return {self._labels[label] for label in np.unique(-1 - symbols[symbols < 0]).tolist()} - heads

    def head_labels(self) -> set[int]:
        """Return the labels of left-hand sides; of a very large grammar all its labels."""
        heads = self.grammar.columns.rule_lhs
        return set(self._labels if len(heads) > _MAX_SCANNED else self._label_array[np.unique(heads)].tolist())

    def _node(self, number: int) -> Node:
        grammar = self.grammar
        ends = number > self._last_unary and len(grammar.rules(number)) > 0
        return Node(ends, len(grammar.gap_children(number)) > 0, grammar.leads_by_word(number))

    def _edges(self, number: int) -> dict[int, int]:
        return {self._labels[label]: child for label, child in self.grammar.gap_edges(number).items()}

    def _rules(self, number: int) -> tuple[int, int, tuple[int, ...]]:
        rules, labels = self.grammar.rules(number), self._labels
        heads = tuple([labels[label] for label in dict.fromkeys(self._lhs[rules.start : rules.stop])])
        return rules.start, len(rules), heads

    def _symbol(self, symbol: int) -> Symbol:
        return -1 - symbol if symbol < 0 else self.grammar.word(symbol)

    def ends(self, nodes: Ints) -> Bools:
        """Whether rules other than unary ones end in each of many nodes."""
        return (nodes > self._last_unary) & self.grammar.has_rules(nodes)

    def gaps(self, nodes: Ints) -> tuple[Ints, Ints, Ints]:
        """Return all edges over items of many nodes: position in `nodes` (ascending), label, child."""
        first, count = self.grammar.gap_ranges(nodes)
        children = ranges(first, count)
        labels = self._label_array[-1 - self.grammar.columns.node_symbol[children]]
        return np.repeat(np.arange(len(nodes)), count), labels, children

    def rule_ranges(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return the rules that end in each of many nodes: first and number."""
        rules = self.grammar.columns.node_rules
        first = rules.take(nodes)
        return first, rules.take(nodes + 1) - first

    def labels_of(self, nodes: Ints) -> list[int]:
        """Return the labels of all rules that end in some nodes."""
        is_head = np.zeros(len(self._numbers), np.bool_)
        is_head[self.heads(ranges(*self.rule_ranges(nodes)))] = True
        labels: list[int] = is_head.nonzero()[0].tolist()
        return labels

    def targets(self, rules: Ints) -> list[tuple[Symbol, ...]]:
        """Return the target sides of many rules; cached, for the rules of common words come with most sentences."""
        cache, numbers = self._targets, rules.tolist()
        missing = [number for number in numbers if number not in cache]
        if missing:
            if len(cache) > _MAX_TARGETS:
                cache.clear()
                missing = numbers
            cache.update(zip(missing, self._read_targets(np.array(missing)), strict=True))
        return [cache[number] for number in numbers]

    def _read_targets(self, rules: Ints) -> list[tuple[Symbol, ...]]:
        numbers, lengths = self._target_symbols(rules)
        symbols = list(map(self._symbols.__getitem__, numbers.tolist()))
        ends = np.cumsum(lengths).tolist()
        return [
            (symbols[first],) if last - first == 1 else tuple(symbols[first:last])
            for first, last in zip([0, *ends], ends, strict=False)
        ]

    def arities(self, rules: Ints) -> Ints:
        """Return the number of gaps of each of many rules."""
        symbols, lengths = self._target_symbols(rules)
        ends = np.cumsum(lengths)
        gaps = np.concatenate(([0], np.cumsum(symbols < 0)))
        arities: Ints = gaps[ends] - gaps[ends - lengths]
        return arities

    def _target_symbols(self, rules: Ints) -> tuple[Ints, Ints]:
        """Return the target sides of many rules, concatenated, and their lengths."""
        columns = self.grammar.columns
        begin = columns.target_start[rules]
        lengths = columns.target_start[rules + 1] - begin
        return columns.target_symbol[ranges(begin, lengths)], lengths

    def heads(self, rules: Ints) -> Ints:
        """Return the left-hand sides of many rules."""
        return self._label_array.take(self.grammar.columns.rule_lhs.take(rules))

    def _unary(self) -> dict[int, list[tuple[int, int]]]:
        return {
            label: [(rule, self._labels[self._lhs[rule]]) for rule in rules]
            for label, child in self._edges(ROOT).items()
            if (rules := self.grammar.rules(child))
        }
