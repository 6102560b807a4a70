"""A cell under search, and how it gives hypotheses one by one (as in cube growing, Huang & Chiang 2007).

Where it waits to be asked it looks ahead until the best combination left is `_MARGIN` worse than the one it gives away.
If it makes a single item it is not looked into before somebody wants that: until then the item is worth what the cell
*promises*, the best that rules and tails come to without context. On the PPDB-like workload of `docs/decoder.md` one
output takes 7 ms so, and 25 ms where all cells are searched in full.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from sbmt.decoder.forest import Cell
from sbmt.decoder.hypergraph import Edge
from sbmt.decoder.search.cube import Cube, Heap
from sbmt.decoder.search.glue import GlueCell, is_glue
from sbmt.decoder.tails import TailColumn

if TYPE_CHECKING:
    from sbmt.decoder.search.search import Search

_FORBIDDEN = -math.inf
# Sums of best scores of 60 Hiero sentences at pop limit 10 (PPDB-like workload at 100: the same for all values).
_MARGIN = 0.5  # -13489.4 in 21 ms a sentence; 0: -13490.4 in 16 ms; 2: -13490.3 in 26 ms
_GAIN = 10  # by pop limit: how much better than promised a cell may be, as a share of what context can do
# 0: -13495.7; 40: as with 10, but 10 ms a sentence in place of 8 on the PPDB-like workload
_HIGHEST = 50  # cells, one above the other, that none was looked into: looking into the highest is a recursion
_MIN_SEEDS = 20  # cubes of a cell that are looked into, at least: syntactic labels make thousands


class LazyCell:
    """A cell under search."""

    def __init__(self, search: Search, cell: Cell, pops: float) -> None:
        self._search, self._cell, self._graph = search, cell, search.graph
        tables = search.tables
        self._tables = {label: tables[item] for label, item in cell.items.items() if item in tables}
        self._heap: Heap = []
        self._cubes: dict[int, Cube] = {}
        self._pops, self._free = pops, pops - 1
        self._ready: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)  # by item: a heap of what was found
        self._given: set[int] = set()
        self._unopened: list[int] = []  # cubes of a cell that was not looked into

    def _add(self, label: int, state: int, edge: Edge) -> int:
        """One more hypothesis; returns its node if that is new or better than it was, otherwise -1."""
        graph, score = self._graph, edge[0]
        table = self._tables.get(label)
        if table is None:
            table = self._tables[label] = {}
        node = table.get(state)
        if node is None or (score > graph.score[node] and node in self._given):
            # A node that was given away keeps its score, for others rest on it: something better becomes another.
            node = table[state] = graph.add_node(state, edge)
            return node
        graph.edges[node].append(edge)
        if score > graph.score[node]:
            graph.score[node] = score
            return node
        return -1

    def _promising(self) -> list[int]:
        """The cubes that have something in every gap; of very many, those whose best parts add up to most."""
        search, most = self._search, max(2 * self._pops, _MIN_SEEDS)
        cubes, tails, best = range(self._cell.derived, self._cell.unary), search.tails, search.best
        if isinstance(tails, TailColumn):
            sums = tails.sums(cubes, best)
        else:
            alone = [sum([best[gap] for gap in gaps]) for gaps in tails[cubes.start : cubes.stop]]
            if len(alone) <= most:
                return [number for number, total in zip(cubes, alone, strict=True) if total > _FORBIDDEN]
            sums = np.array(alone)
        found = np.flatnonzero(sums > _FORBIDDEN)
        if len(found) > most:
            parts = sums[found] + search.best_rules((found + cubes.start).tolist())
            found = np.sort(found[np.argpartition(-parts, int(most))[: int(most)]])
        return (found + cubes.start).tolist()

    def _open(self, numbers: Sequence[int]) -> None:
        """Offer the first combination of some cubes."""
        tails, has = self._search.tails, self._search.has
        for number in numbers:
            if all(has(tail, 0) for tail in tails[number]):
                cube = self._cubes[number] = Cube(self._search, number)
                cube.offer(self._heap, (0,) * len(cube.axes))

    def take_cubes(self, beam: float) -> GlueCell | None:
        """Take the best combinations, up to the pop limit; those of glue, no more than `beam` below the best."""
        search, numbers = self._search, self._promising()
        if is_glue(search, numbers):
            table = self._tables.setdefault(search.heads[search.first[numbers[0]]], {})
            glue = GlueCell(search, numbers, table, self._pops)
            glue.take(-math.inf, beam)
            return glue
        self._open(numbers)
        while self._heap and self._pops > 0:
            self._pop()
        return None

    def _pop(self) -> tuple[int, int]:
        """Take one combination; returns (label, node) if it made a node or bettered one, otherwise (label, -1)."""
        cost, number, ranks, state = heappop(self._heap)
        cube = self._cubes[number]
        label, application, nodes = cube.taken(ranks)
        node = -1
        if cost < math.inf:
            if any(ranks) or not self._free:
                self._pops -= 1
            else:
                self._free -= 1
            node = self._add(label, state, (-cost, application, nodes))
        cube.grow(self._heap, ranks)
        return label, node

    def change_labels(self) -> None:
        """Take all unary applications, in the order given."""
        search, cell = self._search, self._cell
        labels = {item: label for label, item in cell.items.items()}
        for cube in range(cell.unary, cell.end):
            for node in self._sorted(self._tables.get(labels[search.tails[cube][0]], {})):
                rule = search.first[cube]
                score, state = search.join(cube, rule, (node,))
                if score > _FORBIDDEN:
                    self._add(search.heads[rule], state, (score, search.forest.cubes.application[cube], (node,)))

    def close(self) -> None:
        """The cell is complete: order its nodes."""
        for label, table in self._tables.items():
            item = self._cell.items[label]
            nodes = self._search.nodes[item]
            nodes[:] = self._sorted(table)
            if nodes:
                self._search.best[item] = self._graph.score[nodes[0]]

    def _sorted(self, table: dict[int, int]) -> list[int]:
        return sorted(table.values(), key=self._graph.score.__getitem__, reverse=True)

    def defer(self) -> None:
        """Give the best node of every item, as far as the pop limit goes, and others only when they are asked for.

        A cell of one item promises something, and is looked into when that is asked for.
        """
        search, items, nodes = self._search, self._cell.items, self._search.nodes
        search.waiting.update(dict.fromkeys(items.values(), self))
        for label in self._tables:
            item = items[label]
            self._ready[item] = [(-self._graph.score[node], node) for node in nodes[item]]
            nodes[item].clear()
        self._unopened = self._promising()
        below = (search.height.get(tail, 0) for number in self._unopened for tail in search.tails[number])
        gain = search.joiner.swing * _GAIN / self._pops  # the fewer are taken, the more their order counts
        if len(items) == 1 and gain < math.inf and (height := 1 + max(below, default=0)) <= _HIGHEST:
            [item] = items.values()
            search.height[item] = height
            promises = [search.promise(number) + gain for number in self._unopened]
            promises += [-cost for cost, _ in self._ready[item][:1]]
            if promises:
                search.best[item] = max(promises)
            return
        self._expand()
        for item in items.values():
            if item in self._ready or (self._heap and self._pops > 0):
                self.next_best(item)

    def _expand(self) -> None:
        """Look into the cell, if that was not done."""
        unopened, self._unopened = self._unopened, []
        self._open(unopened)

    def next_best(self, item: int) -> bool:
        """Append the next best node to an item; False if there is none."""
        self._expand()
        node, search = self._next(item), self._search
        if not search.nodes[item]:
            search.best[item] = self._graph.score[node] if node >= 0 else _FORBIDDEN
        if node >= 0:
            self._given.add(node)
            search.nodes[item].append(node)
        return node >= 0

    def _next(self, item: int) -> int:
        """The best node of an item that was not given yet, or -1. One that was bettered while it waited waits twice."""
        ready, heap, score, items = self._ready[item], self._heap, self._graph.score, self._cell.items
        while True:
            while heap and self._pops > 0 and (not ready or heap[0][0] < ready[0][0] + _MARGIN):
                label, node = self._pop()
                if node >= 0:
                    heappush(self._ready[items[label]], (-score[node], node))
            if not ready:
                return -1
            _, node = heappop(ready)
            if node not in self._given:
                return node
