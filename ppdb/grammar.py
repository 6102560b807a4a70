"""Look-up in a grammar: words and labels, the source-side trie, rules and their features.

It works the same on columns in memory and in memory-mapped files (documented in `sbmt.ppdb.columns`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import count
from pathlib import Path

import numpy as np

from sbmt.arrays import Bools, Ints
from sbmt.ppdb.build import columns_from_rules
from sbmt.ppdb.columns import ROOT, Columns, StringTable
from sbmt.ppdb.rule import Rule

_MAX_CACHED_RULES = 2_000


class Grammar:
    """The rules of one owner.

    `span_limit`: how many source words a rule may cover at most; -1: any number, but only from the sentence's start.
    `path`: the packed file of the columns, if any.
    """

    def __init__(self, columns: Columns, owner: str, span_limit: int, path: Path | None = None) -> None:
        self.columns, self.owner, self.span_limit, self.path = columns, owner, span_limit, path
        self.words = StringTable(columns.word_start, columns.word_bytes)
        self.labels = StringTable(columns.label_start, columns.label_bytes)
        # Memoryviews: scalars read from one are Python ints, several times faster than from an array.
        self._symbol, self._children = columns.node_symbol.data, columns.node_children.data
        self._rules = columns.node_rules.data
        self._word_ids: dict[str, int] = {}
        self._rule_cache: dict[int, Rule] = {}  # glue rules are needed for every word

    def __len__(self) -> int:
        return len(self.columns.rule_lhs)

    @classmethod
    def from_rules(cls, rules: Iterable[Rule], owner: str, span_limit: int) -> Grammar:
        """Build a grammar in memory; raises ModelError for a rule that no grammar can hold (`columns_from_rules`)."""
        return cls(columns_from_rules(rules), owner, span_limit)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features of all rules."""
        return self.columns.features.names

    @cached_property
    def most_gaps(self) -> int:
        """The largest number of gaps in a rule. Reads the targets of all rules."""
        return -int(self.columns.target_symbol.min(initial=0))

    def terminal(self, word: str) -> int:
        """Return the id of a word, or -1 if no rule contains it."""
        word_id = self._word_ids.get(word)
        if word_id is None:
            word_id = self.words.find(word)
            if word_id >= 0:
                self._word_ids[word] = word_id
        return word_id

    def word(self, index: int) -> str:
        """Return the word with an id (as in `terminal` and the symbols of both sides)."""
        return self.words[index]

    def label(self, index: int) -> str:
        """Return the label with an id, without brackets ("NP"); ids follow the labels' order, 0 to len(labels) - 1."""
        return self.labels[index]

    def child(self, node: int, symbol: int) -> int:
        """Return the node that `symbol` (a word id, or -1 - label id) leads to, or -1."""
        low, high = self._children[node], self._children[node + 1]
        child = bisect_left(self._symbol, symbol, low, high)
        return child if child < high and self._symbol[child] == symbol else -1

    def children(self, nodes: Ints, symbol: int) -> Ints:
        """Return `child` of each of many nodes."""
        columns = self.columns
        low = self._first_from(nodes, symbol)
        hit = (low < columns.node_children[nodes + 1]) & (columns.node_symbol.take(low, mode="clip") == symbol)
        return np.where(hit, low, -1)

    def gap_ranges(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return the first and the number of `gap_children` of each of many nodes."""
        first = self.columns.node_children[nodes]
        return first, self._first_from(nodes, 0) - first

    def _first_from(self, nodes: Ints, symbol: int) -> Ints:
        """Return the first child of each of many nodes whose symbol is at least this one, or the children's end."""
        low, high = self.columns.node_children[nodes], self.columns.node_children[nodes + 1]
        for _ in range(int((high - low).max(initial=0)).bit_length()):
            middle = (low + high) >> 1
            right = (self.columns.node_symbol.take(middle, mode="clip") < symbol) & (low < high)
            low, high = np.where(right, middle + 1, low), np.where(right, high, middle)
        return low

    def gap_children(self, node: int) -> range:
        """Return the children of a node that gaps lead to, which come before the others."""
        low, high = self._children[node], self._children[node + 1]
        return range(low, bisect_left(self._symbol, 0, low, high))

    def gap_edges(self, node: int) -> Mapping[int, int]:
        """Return {label id: child} of a node."""
        return {-1 - self._symbol[child]: child for child in self.gap_children(node)}

    def leads_by_word(self, node: int) -> bool:
        """Whether a word leads on from a node."""
        high = self._children[node + 1]
        return high > self._children[node] and self._symbol[high - 1] >= 0

    def has_rules(self, nodes: Ints) -> Bools:
        """Whether any source side ends in each of many nodes."""
        rules = self.columns.node_rules
        any_rules: Bools = rules[nodes] < rules[nodes + 1]
        return any_rules

    def has_words(self, nodes: Ints) -> Bools:
        """Whether a word leads on from each of many nodes."""
        end, symbol = self.columns.node_children[nodes + 1], self.columns.node_symbol
        any_words: Bools = (end > self.columns.node_children[nodes]) & (symbol.take(end - 1, mode="clip") >= 0)
        return any_words

    def has_gaps(self, nodes: Ints) -> Bools:
        """Whether a gap leads on from each of many nodes."""
        children, symbol = self.columns.node_children, self.columns.node_symbol
        any_gaps: Bools = (children[nodes] < children[nodes + 1]) & (symbol.take(children[nodes], mode="clip") < 0)
        return any_gaps

    def rules(self, node: int) -> range:
        """Return the ids of the rules whose source side ends in a node."""
        return range(self._rules[node], self._rules[node + 1])

    def features(self, rule_id: int) -> dict[str, float]:
        """Return the stored feature values of one rule."""
        _, index, value = self.columns.features.entries(np.array([rule_id]))
        return {self.feature_names[i]: v for i, v in zip(index.tolist(), value.tolist(), strict=True)}

    def target(self, rule_id: int) -> list[int]:
        """Return a target side: word ids, and -k for gap k."""
        start = self.columns.target_start
        symbols: list[int] = self.columns.target_symbol[start[rule_id] : start[rule_id + 1]].tolist()
        return symbols

    def source(self, node: int) -> tuple[int, ...]:
        """Return the symbols on the path from the root to a node."""
        symbols: list[int] = []
        while node != ROOT:
            symbols.append(self._symbol[node])
            node = bisect_right(self._children, node) - 1
        return tuple(reversed(symbols))

    def is_copy(self, rule_id: int) -> bool:
        """Whether a rule's target side is its source side."""
        gaps = count(1)
        source = self.source(bisect_right(self._rules, rule_id) - 1)
        return [symbol if symbol >= 0 else -next(gaps) for symbol in source] == self.target(rule_id)

    def rule(self, rule_id: int) -> Rule:
        """Return a rule with its features, gaps numbered in the order of the source side."""
        rule = self._rule_cache.get(rule_id)
        if rule is None:
            if len(self._rule_cache) >= _MAX_CACHED_RULES:
                self._rule_cache.clear()
            rule = self._rule_cache[rule_id] = self._build_rule(rule_id)
        return rule

    def _build_rule(self, rule_id: int) -> Rule:
        columns = self.columns
        symbols = self.source(bisect_right(self._rules, rule_id) - 1)
        gaps = [f"[{self.label(-1 - s)},{i}]" for i, s in enumerate((s for s in symbols if s < 0), 1)]
        unused = iter(gaps)
        begin, end = columns.alignment_start[rule_id : rule_id + 2]
        return Rule(
            lhs=self.label(int(columns.rule_lhs[rule_id])),
            source=tuple(self.word(s) if s >= 0 else next(unused) for s in symbols),
            target=tuple(self.word(s) if s >= 0 else gaps[-1 - s] for s in self.target(rule_id)),
            features=self.features(rule_id),
            alignment=tuple((int(s), int(t)) for s, t in columns.alignment[begin:end]),
            entailment=columns.entailments[columns.rule_entailment[rule_id]],
        )
