"""Building columns (`sbmt.ppdb.columns`) from rules: collect, sort by source side, number the trie breadth first.

Everything but the interning of strings works on whole arrays, so ten million rules take minutes and little memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from textwrap import shorten

import numpy as np

from sbmt.arguments import refuse_text
from sbmt.arrays import Int32s, Int64s, Ints, begins_run, starts
from sbmt.errors import ModelError
from sbmt.ppdb.columns import Columns, SparseFeatures, StringTable
from sbmt.ppdb.rule import NONTERMINAL, Rule
from sbmt.ppdb.spool import Spool


class _Numbering(dict[str, int]):
    """Numbers of strings, in the order of first use."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]

    def ranks(self) -> Int64s:
        """Return the rank in byte order of each string, by its number."""
        ordered = sorted(self, key=str.encode)
        ranks = np.empty(len(self), np.int64)
        ranks[[self[text] for text in ordered]] = np.arange(len(self))
        return ranks


class ColumnBuilder:
    """A collector of rules, which `columns` then sorts."""

    def __init__(self) -> None:
        self._words, self._labels = _Numbering(), _Numbering()
        self._names, self._entailments = _Numbering(), _Numbering()
        self._lhs, self._entailment = array("i"), array("B")
        self._source, self._target, self._alignment = Spool("i"), Spool("i"), Spool("B")
        self.feature_index, self.feature_value = Spool("H"), Spool("d")
        self._name_numbers: Callable[[tuple[str, ...]], array[int]] = lru_cache(maxsize=1 << 12)(self._number_names)

    def add(self, rule: Rule) -> None:
        """Add a rule; raises ModelError if its sides differ in their gaps, it has an empty word or is too large."""
        source, target = self._symbols(rule)
        try:
            self._source.append(source)
            self._target.append(target)
            self._alignment.append([position for point in rule.alignment for position in point])
            self._lhs.append(self._labels[rule.lhs])
            self._entailment.append(self._entailments[rule.entailment])
            self.feature_index.append(self._name_numbers(tuple(rule.features)))
            self.feature_value.append(list(rule.features.values()))
        except OverflowError:
            raise ModelError(
                f"rule {_shorten(rule)}: goes beyond what a grammar can hold "
                "(255 aligned words per side, 65,535 features, 255 kinds of entailment)"
            ) from None

    def _number_names(self, names: tuple[str, ...]) -> array[int]:
        """Number the names of features, which many rules share."""
        return array("H", [self._names[name] for name in names])

    def _symbols(self, rule: Rule) -> tuple[list[int], list[int]]:
        """Number the symbols of both sides; gaps are -1 - label on the source side, -k on the target side."""
        for side in rule.sides:
            refuse_text(side, "a side of a rule is a tuple of words")
        if "" in rule.source or "" in rule.target:
            raise ModelError(f"rule {_shorten(rule)}: one of its words is empty")
        source: list[int] = []
        gaps: dict[str, str] = {}  # by number
        for symbol in rule.source:
            gap = NONTERMINAL.fullmatch(symbol) if symbol[0] == "[" else None
            if gap is None:
                source.append(self._words[symbol])
            else:
                source.append(-1 - self._labels[gap["label"]])
                gaps[gap["index"]] = symbol
        place = {symbol: -1 - number for number, symbol in enumerate(gaps.values())}
        target: list[int] = []
        for symbol in rule.target:
            gap = NONTERMINAL.fullmatch(symbol) if symbol[0] == "[" else None
            target.append(self._words[symbol] if gap is None else place.get(symbol, 0))
        if sorted(s for s in target if s < 0) != sorted(place.values()) or len(gaps) != sum(s < 0 for s in source):
            raise ModelError(f"rule {_shorten(rule)}: each gap must stand once on both sides")
        return source, target

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features by number, in the order of first use."""
        return tuple(self._names)

    def columns(self) -> tuple[Columns, Int64s]:
        """Return the columns, without features, and the order that sorts the rules."""
        word_rank, label_rank = self._words.ranks(), self._labels.ranks()
        trie = _build_trie(_rank(self._source.data, word_rank, label_rank), self._source.lengths)
        order = trie.order
        word_start, word_bytes = StringTable.build(self._words)
        label_start, label_bytes = StringTable.build(self._labels)
        columns = Columns(
            word_start=word_start,
            word_bytes=word_bytes,
            label_start=label_start,
            label_bytes=label_bytes,
            node_symbol=trie.node_symbol,
            node_children=trie.node_children,
            node_rules=trie.node_rules,
            rule_lhs=label_rank[np.array(self._lhs, np.int64)[order]].astype(np.int32),
            target_start=self._target.starts(order),
            target_symbol=_rank(self._target.ordered(order), word_rank),
            alignment_start=self._alignment.starts(order) // 2,
            alignment=self._alignment.ordered(order).astype(np.uint8).reshape(-1, 2),
            rule_entailment=np.array(self._entailment, np.uint8)[order],
            entailments=tuple(self._entailments),
            features=SparseFeatures((), np.zeros(len(order) + 1, np.int64), np.zeros(0, np.int32), np.zeros(0)),
        )
        return columns, order

    def sparse_features(self, order: Int64s) -> SparseFeatures:
        """Return the features in memory, the rules in that order."""
        start = self.feature_index.starts(order)
        index = self.feature_index.ordered(order).astype(np.int32)
        values = self.feature_value.ordered(order).astype(np.float64)
        if not (is_finite := np.isfinite(values)).all():
            place = int(np.argmin(is_finite))
            raise ModelError(f"a rule has {values[place]} as its {self.feature_names[index[place]]}")
        return SparseFeatures(self.feature_names, start, index, values)


def _shorten(rule: Rule) -> str:
    """Return the beginning of a rule, for messages."""
    return shorten(rule.text, 200)


def columns_from_rules(rules: Iterable[Rule]) -> Columns:
    """Build the columns of all rules in memory; raises ModelError for a rule that `ColumnBuilder.add` refuses."""
    builder = ColumnBuilder()
    for rule in rules:
        builder.add(rule)
    columns, order = builder.columns()
    return replace(columns, features=builder.sparse_features(order))


def _rank(symbols: Ints, word_rank: Ints, label_rank: Ints | None = None) -> Int32s:
    """Replace the numbers of words by ranks, and those of source-side gaps with `label_rank`; target gaps stay."""
    ranked = np.array(symbols, np.int32)
    is_word = ranked >= 0
    ranked[is_word] = word_rank[ranked[is_word]]
    if label_rank is not None:
        ranked[~is_word] = -1 - label_rank[-1 - ranked[~is_word]]
    return ranked


@dataclass(frozen=True, slots=True)
class _Trie:
    """Nodes of all source sides, numbered breadth first, and the order that puts the rules at their nodes."""

    node_symbol: Int32s
    node_children: Int64s
    node_rules: Int64s
    order: Int64s


def _build_trie(symbols: Int32s, lengths: Int64s) -> _Trie:
    """Build the trie of source sides, given end to end with the length of each."""
    begin = np.cumsum(lengths) - lengths
    end = np.zeros(len(lengths), np.int64)  # node that each source side has reached
    active = np.arange(len(lengths))  # source sides longer than the depth
    node_symbols, child_counts = [np.zeros(1, np.int32)], []
    level, count, depth = 0, 1, 0  # first node of the level, nodes so far
    while len(active := active[lengths[active] > depth]):
        parent, symbol = end[active], symbols[begin[active] + depth]
        by_edge = np.lexsort((symbol, parent))
        parent, symbol, active = parent[by_edge], symbol[by_edge], active[by_edge]
        first = begins_run(parent, symbol)
        child_counts.append(np.bincount(parent[first] - level, minlength=count - level))
        node_symbols.append(symbol[first])
        end[active] = count - 1 + np.cumsum(first)
        level, count, depth = count, count + len(node_symbols[-1]), depth + 1
    child_counts.append(np.zeros(count - level, np.int64))
    return _Trie(
        node_symbol=np.concatenate(node_symbols).astype(np.int32),
        node_children=1 + starts(np.concatenate(child_counts)),
        node_rules=starts(np.bincount(end, minlength=count)),
        order=np.argsort(end, kind="stable"),
    )
