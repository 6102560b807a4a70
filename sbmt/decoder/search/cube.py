"""The cubes of cube pruning (Huang & Chiang 2007): the translations of one source side at one place.

A cube ranges over the rules of the source side and over the hypotheses in each gap, both best first. The search pops
the best combination of all cubes of a cell and lets its cube *offer* the neighbours.
"""

from __future__ import annotations

from heapq import heappush
from operator import getitem

from sbmt.decoder.search.chart import SearchChart
from sbmt.decoder.search.scorer import Applied, Scorer

# Cost, cube, ranks, state, tail nodes.
Heap = list[tuple[float, int, tuple[int, ...], int, tuple[int, ...]]]


class Cube:
    """A cube; its axes are its rules, best first by an estimate, and the nodes of each of its tails."""

    __slots__ = ("_applied", "_chart", "_nodes", "_number", "_offered", "_rules", "_scorer", "_tails")

    def __init__(self, chart: SearchChart, scorer: Scorer, number: int) -> None:
        self._chart, self._scorer, self._number = chart, scorer, number
        self._rules, self._tails = scorer.rules(number), scorer.tails[number]
        self._nodes = [chart.nodes[tail] for tail in self._tails]
        self._applied: list[Applied] = []  # the rules offered so far, a prefix of `_rules`
        self._offered: set[tuple[int, ...]] = set()

    def open(self, heap: Heap) -> None:
        """Offer the first combination."""
        self._offer(heap, (0,) * (1 + len(self._nodes)))

    def _offer(self, heap: Heap, ranks: tuple[int, ...]) -> None:
        """Push one combination, with its true score."""
        if ranks in self._offered:
            return
        self._offered.add(ranks)
        rule = ranks[0]
        if rule == len(self._applied):
            self._applied.append(self._scorer.applied(self._number, self._rules[rule]))
        tails = tuple(map(getitem, self._nodes, ranks[1:]))
        score, state = self._scorer.join(self._chart.graph, self._applied[rule], tails)
        heappush(heap, (-score, self._number, ranks, state, tails))

    def grow(self, heap: Heap, ranks: tuple[int, ...]) -> None:
        """Push the neighbours of a combination that was taken."""
        if ranks[0] + 1 < len(self._rules):
            self._offer(heap, (ranks[0] + 1, *ranks[1:]))
        for dimension, nodes in enumerate(self._nodes, 1):
            rank = ranks[dimension] + 1
            if rank < len(nodes) or self._chart.has(self._tails[dimension - 1], rank):
                self._offer(heap, (*ranks[:dimension], rank, *ranks[dimension + 1 :]))

    def applied(self, ranks: tuple[int, ...]) -> Applied:
        """Return the rule of a combination that was offered, as it applies here."""
        return self._applied[ranks[0]]
