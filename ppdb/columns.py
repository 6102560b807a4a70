"""A grammar as numpy columns under a source-side trie, in memory or memory-mapped; `sbmt.ppdb.grammar` looks things up.

`Columns` holds everything. Symbols are int32: a terminal is its word id (>= 0); in the trie a nonterminal is
`-1 - label id`, and on a target side `-k` stands for the k-th gap of the source side, counted from 1.

Trie nodes are numbered breadth first with the root 0, so the children of a node are together, sorted by symbol:
nonterminals (negative) come before terminals and one binary search finds a child. Rules are numbered by the node
that their source side ends in, and within a node in the order of the file.

    column            dtype   shape         holds
    word_start        int64   [V + 1]       word v is the UTF-8 of word_bytes[word_start[v]:word_start[v + 1]];
    word_bytes        uint8   [...]         words are unique and sorted as byte strings
    label_start       int64   [L + 1]       the same for labels (without brackets, "NP"), ids below 2**31 - 1
    label_bytes       uint8   [...]
    node_symbol       int32   [N]           symbol on the edge from the parent (the root's is 0 and means nothing)
    node_children     int64   [N + 1]       children of node n: node_children[n] <= child < node_children[n + 1]
    node_rules        int64   [N + 1]       rules of node n: node_rules[n] <= rule < node_rules[n + 1]
    rule_lhs          int32   [R]           label id
    target_start      int64   [R + 1]       target side of rule r: target_symbol[target_start[r]:target_start[r + 1]]
    target_symbol     int32   [...]         word id, or -k for gap k
    alignment_start   int64   [R + 1]       points of rule r: alignment[alignment_start[r]:alignment_start[r + 1]]
    alignment         uint8   [..., 2]      (source position, target position), from 0, over all symbols
    rule_entailment   uint8   [R]           index into `entailments`

`features` is any `FeatureTable`, however it stores the values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sbmt.arrays import Floats, Int64s, Ints, ranges, starts

Entries = tuple[Ints, Ints, Floats]
ROOT = 0


class FeatureTable(Protocol):
    """Sparse feature values of rules: a value that is not stored is 0."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, by index."""

    def entries(self, rule_ids: Ints) -> Entries:
        """Return the stored values as three arrays: position in `rule_ids` (ascending), index into `names`, value."""


@dataclass(frozen=True, slots=True)
class SparseFeatures:
    """Values in rows: rule r has `value[a:b]` for the names `index[a:b]`, where a, b = start[r], start[r + 1]."""

    names: tuple[str, ...]
    start: Ints
    index: Ints
    value: npt.NDArray[np.floating[Any]]

    def entries(self, rule_ids: Ints) -> Entries:
        """See `FeatureTable`."""
        begin = self.start[rule_ids]
        counts = self.start[rule_ids + 1] - begin
        flat = ranges(begin, counts)
        return np.repeat(np.arange(len(rule_ids)), counts), self.index[flat], self.value[flat].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Columns:
    """The content of a grammar; the head of this module gives dtypes and shapes."""

    word_start: Ints
    word_bytes: Ints
    label_start: Ints
    label_bytes: Ints
    node_symbol: Ints
    node_children: Ints
    node_rules: Ints
    rule_lhs: Ints
    target_start: Ints
    target_symbol: Ints
    alignment_start: Ints
    alignment: Ints
    rule_entailment: Ints
    entailments: tuple[str, ...]
    features: FeatureTable


class StringTable:
    """Sorted unique strings in two arrays, looked up by binary search."""

    def __init__(self, start: Ints, data: Ints) -> None:
        self._start, self._data = start.data, data.data

    def __len__(self) -> int:
        return len(self._start) - 1

    def _bytes(self, index: int) -> bytes:
        return self._data[self._start[index] : self._start[index + 1]].tobytes()

    def __getitem__(self, index: int) -> str:
        return self._bytes(index).decode()

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    def find(self, text: str) -> int:
        """Return the index of `text`, or -1."""
        encoded = text.encode("utf-8", "surrogatepass")
        index = bisect_left(range(len(self)), encoded, key=self._bytes)
        return index if index < len(self) and self._bytes(index) == encoded else -1

    @staticmethod
    def build(strings: Iterable[str]) -> tuple[Int64s, npt.NDArray[np.uint8]]:
        """Sort strings and return the two arrays of their table."""
        encoded = sorted(text.encode() for text in strings)
        return starts([len(text) for text in encoded]), np.frombuffer(b"".join(encoded), np.uint8)
