"""A column of the chart: the source sides that end in it, and their rules."""

from __future__ import annotations

from array import array
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

import numpy as np

from sbmt.arrays import Int64s, Ints
from sbmt.decoder.tails import Tails

# Rules that share their source side: the first in the sentence's rule table, their number, their heads.
Block = tuple[int, int, tuple[int, ...]]


class Nodes(Protocol):
    """What bundles need of the trie nodes of a grammar (`sbmt.decoder.parsing.dot_arrays.DotArrays`)."""

    def heads(self, nodes: Ints) -> list[int]: ...
    def enter_rules(self) -> tuple[Ints, Ints]: ...


class Bundle(NamedTuple):
    """Very many source sides that match a span: trie nodes, and the items in their gaps, padded with -1."""

    dots: Nodes
    node: Ints
    tails: Ints

    @classmethod
    def merged(cls, bundles: list[Bundle]) -> list[Bundle]:
        """Return one bundle for each grammar."""
        parts: dict[int, list[Bundle]] = {}
        for bundle in bundles:
            parts.setdefault(id(bundle.dots), []).append(bundle)
        return [
            cls(same[0].dots, np.concatenate([b.node for b in same]), np.concatenate([b.tails for b in same]))
            for same in parts.values()
        ]


class UsedRules:
    """The rules that a sentence uses, by block in the order of its rule table."""

    def __init__(self) -> None:
        self._blocks = array("q")  # grammar, first rule, number of rules; then those of the next block
        self.n_rules = 0

    @property
    def blocks(self) -> Int64s:
        """Grammar, first rule and number of rules of each block: int64 [blocks, 3]."""
        return np.asarray(self._blocks).reshape(-1, 3)

    def add(self, grammar: int, first: int, count: int, heads: tuple[int, ...]) -> Block:
        """Add a block of rules to the table."""
        block = self.n_rules, count, heads
        self._blocks.extend((grammar, first, count))
        self.n_rules += count
        return block

    def add_many(self, grammar: int, first: Ints, count: Ints) -> Ints:
        """Add many blocks; returns where each begins in the table."""
        blocks = np.column_stack((np.full(len(first), grammar, np.int64), first, count))
        self._blocks.frombytes(blocks.tobytes())
        begin: Ints = self.n_rules + np.cumsum(count) - count
        self.n_rules += int(count.sum())
        return begin


class Completed:
    """The source sides that match a span: `lexical` without gaps, `derived` with the items in `tails`.

    `lexical_bundles` and `derived_bundles` are the same for grammars with very many labels.
    """

    __slots__ = ("derived", "derived_bundles", "lexical", "lexical_bundles", "tails")

    def __init__(self) -> None:
        self.lexical: list[Block] = []
        self.derived: list[Block] = []
        self.tails: list[Tails] = []
        self.lexical_bundles: list[Bundle] = []
        self.derived_bundles: list[Bundle] = []


class Column:
    """The source sides that end at one boundary of the sentence, by start."""

    def __init__(self) -> None:
        self._ended: dict[int, Completed] = {}
        self.starts: list[int] = []  # heap, negated: the latest first

    def at(self, start: int) -> Completed:
        """Return the source sides that match from `start` on, to be added to."""
        completed = self._ended.get(start)
        if completed is None:
            completed = self._ended[start] = Completed()
            heappush(self.starts, -start)
        return completed

    def pop(self) -> tuple[int, Completed]:
        """Remove and return the latest start, with the source sides that match from there on."""
        start = -heappop(self.starts)
        return start, self._ended.pop(start)
