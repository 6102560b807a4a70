"""The cubes of cube pruning (Huang & Chiang 2007): what one source side at one place can become.

A cube ranges over the rules of the source side and over the hypotheses in each gap, both best first. Whoever searches
pops the best combination of all cubes of a cell and lets that cube *offer* its neighbours.
"""

from __future__ import annotations

from heapq import heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sbmt.decoder.search.search import Search

Heap = list[tuple[float, int, tuple[int, ...], int]]  # cost, cube, ranks, state


class Cube:
    """`axes` are its rules, best first by an estimate, and the nodes of each of its `tails`."""

    __slots__ = ("axes", "number", "search", "seen", "tails")

    def __init__(self, search: Search, cube: int) -> None:
        self.search, self.number = search, cube
        rules = list(range(search.first[cube], search.first[cube] + search.count[cube]))
        if len(rules) > 1:
            rules.sort(key=search.estimate, reverse=True)
        self.tails = search.tails[cube]
        self.axes = [rules, *[search.nodes[tail] for tail in self.tails]]
        self.seen: set[tuple[int, ...]] = set()

    def offer(self, heap: Heap, ranks: tuple[int, ...]) -> None:
        """Push one combination, with its true score."""
        if ranks in self.seen:
            return
        self.seen.add(ranks)
        rule, *nodes = [axis[rank] for axis, rank in zip(self.axes, ranks, strict=True)]
        score, state = self.search.join(self.number, rule, nodes)
        heappush(heap, (-score, self.number, ranks, state))

    def grow(self, heap: Heap, ranks: tuple[int, ...]) -> None:
        """Push the neighbours of a combination that was taken."""
        for dimension, rank in enumerate(ranks):
            if rank + 1 < len(self.axes[dimension]) or (
                dimension and self.search.has(self.tails[dimension - 1], rank + 1)
            ):
                self.offer(heap, (*ranks[:dimension], rank + 1, *ranks[dimension + 1 :]))

    def taken(self, ranks: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """Head label, application and tail nodes of a combination."""
        search, rule = self.search, self.axes[0][ranks[0]]
        nodes = tuple([axis[rank] for axis, rank in zip(self.axes[1:], ranks[1:], strict=True)])
        application = search.forest.cubes.application[self.number] + rule - search.first[self.number]
        return search.heads[rule], application, nodes
