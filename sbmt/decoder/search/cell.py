"""A cell under search, which yields hypotheses one by one, on request (as in cube growing, Huang & Chiang 2007).

Before it yields one it looks ahead, until the best remaining combination is worse by `_MARGIN`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from heapq import heappop, heappush

from sbmt.decoder.forest import Cell
from sbmt.decoder.hypergraph import Edge
from sbmt.decoder.search.chart import FORBIDDEN, SearchChart
from sbmt.decoder.search.cube import Cube, Heap
from sbmt.decoder.search.scorer import Scorer

# How far to look ahead. Sums of best scores of 60 Hiero sentences at pop limit 10, by value:
#   0: -13490.4, in a quarter less time
#   0.5: -13489.4
#   2: -13490.3, in a quarter more time
# PPDB-like sentences at pop limit 100 come to the same sum with all three.
_MARGIN = 0.5


class LazyCell:
    """A cell under search."""

    def __init__(self, chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> None:
        self._chart, self._scorer, self._cell, self._graph = chart, scorer, cell, chart.graph
        nodes = chart.nodes
        # Only lexical cubes, and glue before unary rules, can have created nodes already.
        searched_items = cell.items.items() if cell.lexical < cell.derived or cell.unary < cell.end else ()
        self._tables = {label: chart.by_state(item) for label, item in searched_items if nodes[item]}
        self._heap: Heap = []
        self._cubes: dict[int, Cube] = {}
        self._pops, self._free = pops, pops - 1
        # By item: a heap of (cost, node), found but not yielded.
        self._ready: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
        self._yielded: set[int] = set()

    def _add(self, label: int, state: int, edge: Edge) -> int:
        """Add a hypothesis; returns its node if that is new or better than it was, otherwise -1."""
        graph, score = self._graph, edge[0]
        table = self._tables.get(label)
        if table is None:
            table = self._tables[label] = {}
        node = table.get(state)
        if node is None or (score > graph.score[node] and node in self._yielded):
            # A node that was yielded keeps its score, for others rest on it: a better hypothesis becomes another node.
            node = table[state] = graph.add_node(state, edge)
            return node
        graph.into(node).append(edge)
        if score > graph.score[node]:
            graph.score[node] = score
            return node
        return -1

    def _open(self, cubes: Iterable[int]) -> None:
        """Offer the first combination of some cubes."""
        tails, nodes, has = self._scorer.tails, self._chart.nodes, self._chart.has
        for number in cubes:
            for tail in tails[number]:
                if not nodes[tail] and not has(tail, 0):
                    break
            else:
                cube = self._cubes[number] = Cube(self._chart, self._scorer, number)
                cube.open(self._heap)

    def take(self, cubes: Iterable[int]) -> None:
        """Take the best combinations of some cubes, up to the pop limit."""
        self._open(cubes)
        while self._heap and self._pops > 0:
            self._pop()

    def _pop(self) -> tuple[int, int]:
        """Take one combination; returns (label, node) if it created or improved a node, otherwise (label, -1)."""
        cost, number, ranks, state, tails = heappop(self._heap)
        cube = self._cubes[number]
        label, application, _, _, _ = cube.applied(ranks)
        node = -1
        if cost < math.inf:
            if any(ranks) or not self._free:
                self._pops -= 1
            else:
                self._free -= 1
            node = self._add(label, state, (-cost, application, tails))
        cube.grow(self._heap, ranks)
        return label, node

    def apply_unary(self) -> None:
        """Take all unary applications, in the order given."""
        scorer, cell, graph = self._scorer, self._cell, self._graph
        labels = {item: label for label, item in cell.items.items()}
        for cube in range(cell.unary, cell.end):
            applied = scorer.applied(cube, scorer.only_rule(cube))
            label, application, _, _, _ = applied
            table = self._tables.get(labels[scorer.tails[cube][0]], {})
            for node in sorted(table.values(), key=graph.score.__getitem__, reverse=True):
                score, state = scorer.join(graph, applied, (node,))
                if score > FORBIDDEN:
                    self._add(label, state, (score, application, (node,)))

    def close(self) -> None:
        """Order the nodes of the cell, which is complete."""
        for label, table in self._tables.items():
            self._chart.sort(self._cell.items[label], table.values())

    def start(self, cubes: Iterable[int]) -> None:
        """Yield the best node of every item, as far as the pop limit goes; others follow on request."""
        chart, items = self._chart, self._cell.items
        chart.wait(self._cell.numbers, self)
        for label in self._tables:
            nodes = chart.nodes[items[label]]
            self._ready[items[label]] = [(-self._graph.score[node], node) for node in nodes]
            nodes.clear()
        self._open(cubes)
        for item in items.values():
            if not self._heap or self._pops <= 0:
                break
            self.next_best(item)
        for item in [item for item in self._ready if not chart.nodes[item]]:
            self.next_best(item)

    def next_best(self, item: int) -> bool:
        """Append the next best node to an item; returns False if there is none."""
        node, chart = self._next(item), self._chart
        if not chart.nodes[item]:
            chart.best[item] = self._graph.score[node] if node >= 0 else FORBIDDEN
        if node >= 0:
            self._yielded.add(node)
            chart.own(item).append(node)
        return node >= 0

    def _next(self, item: int) -> int:
        """Return the best node of an item not yielded yet, or -1. One improved before that is in the heap twice."""
        ready, heap, score, items = self._ready[item], self._heap, self._graph.score, self._cell.items
        while True:
            while heap and self._pops > 0 and (not ready or heap[0][0] < ready[0][0] + _MARGIN):
                label, node = self._pop()
                if node >= 0:
                    heappush(self._ready[items[label]], (-score[node], node))
            if not ready:
                return -1
            _, node = heappop(ready)
            if node not in self._yielded:
                return node
