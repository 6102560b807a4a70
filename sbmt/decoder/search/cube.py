"""The cubes of cube pruning (Huang & Chiang 2007): what one source side at one place can become.

A cube ranges over the rules of the source side and over the hypotheses in each gap, both best first. Whoever searches
pops the best combination of all cubes of a cell and lets that cube *offer* its neighbours.
"""

from __future__ import annotations

from heapq import heappush

from sbmt.decoder.search.found import Found
from sbmt.decoder.search.scorer import Scorer

Heap = list[tuple[float, int, tuple[int, ...], int]]  # cost, cube, ranks, state


class Cube:
    """Its axes are its rules, best first by an estimate, and the nodes of each of its tails."""

    __slots__ = ("_axes", "_found", "_number", "_scorer", "_seen", "_tails")

    def __init__(self, found: Found, scorer: Scorer, number: int) -> None:
        self._found, self._scorer, self._number = found, scorer, number
        self._tails = scorer.tails[number]
        self._axes = [scorer.rules(number), *[found.nodes[tail] for tail in self._tails]]
        self._seen: set[tuple[int, ...]] = set()

    def open(self, heap: Heap) -> None:
        """Offer the first combination."""
        self._offer(heap, (0,) * len(self._axes))

    def _offer(self, heap: Heap, ranks: tuple[int, ...]) -> None:
        """Push one combination, with its true score."""
        if ranks in self._seen:
            return
        self._seen.add(ranks)
        rule, *nodes = [axis[rank] for axis, rank in zip(self._axes, ranks, strict=True)]
        score, state = self._scorer.join(self._found.graph, self._number, rule, nodes)
        heappush(heap, (-score, self._number, ranks, state))

    def grow(self, heap: Heap, ranks: tuple[int, ...]) -> None:
        """Push the neighbours of a combination that was taken."""
        for dimension, rank in enumerate(ranks):
            if rank + 1 < len(self._axes[dimension]) or (
                dimension and self._found.has(self._tails[dimension - 1], rank + 1)
            ):
                self._offer(heap, (*ranks[:dimension], rank + 1, *ranks[dimension + 1 :]))

    def taken(self, ranks: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """Head label, application and tail nodes of a combination."""
        rule = self._axes[0][ranks[0]]
        nodes = tuple([axis[rank] for axis, rank in zip(self._axes[1:], ranks[1:], strict=True)])
        return self._scorer.label(rule), self._scorer.application(self._number, rule), nodes
