"""What a column of the chart collects: the source sides that end in it, and the rules that they stand for."""

from __future__ import annotations

from heapq import heappop, heappush

from sbmt.decoder.tails import TailColumn, Tails

# Rules that share their source side: the first in the sentence's rule table, how many, their heads.
Block = tuple[int, int, tuple[int, ...]]


class Used:
    """The rules that a sentence uses, by blocks in the order of its rule table: grammar, first rule in it, how many."""

    def __init__(self) -> None:
        self.blocks: list[tuple[int, int, int]] = []
        self.n_rules = 0

    def add(self, grammar: int, first: int, count: int, heads: tuple[int, ...]) -> Block:
        """A block of rules enters the table."""
        block = self.n_rules, count, heads
        self.blocks.append((grammar, first, count))
        self.n_rules += count
        return block


class Ended:
    """The source sides that match a span: `lexical` without gaps, `derived` with the items in `tails`."""

    __slots__ = ("derived", "lexical", "tails")

    def __init__(self) -> None:
        self.lexical: list[Block] = []
        self.derived: list[Block] = []
        self.tails: list[Tails | TailColumn] = []


class Column:
    """What ends at one place of the sentence, by start."""

    def __init__(self) -> None:
        self._ended: dict[int, Ended] = {}
        self.starts: list[int] = []  # heap, negated: the latest first

    def at(self, start: int) -> Ended:
        """What matches from `start` on, to be added to."""
        found = self._ended.get(start)
        if found is None:
            found = self._ended[start] = Ended()
            heappush(self.starts, -start)
        return found

    def pop(self) -> tuple[int, Ended]:
        """The latest start that is left, with what matches from there on."""
        start = -heappop(self.starts)
        return start, self._ended.pop(start)
