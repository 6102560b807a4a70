"""Cells of glue: one rule per cube, with two gaps or one, all of one label. Most of the time of a search goes here.

A *row* of a cube joins one node of its left gap to each node of its right one, and has a single combination in the heap
(Gesmundo & Henderson 2010); the first of a row, once taken, opens the next. That makes fewer combinations than
Huang & Chiang's frontier. In return the best of each cube is free, up to `pops` - 1 times.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush, heapreplace
from typing import NamedTuple

from sbmt.decoder.forest import NO_ITEM
from sbmt.decoder.hypergraph import Edge
from sbmt.decoder.search.chart import SearchChart
from sbmt.decoder.search.forest_cache import GlueCube
from sbmt.decoder.search.joiner import PairJoin
from sbmt.decoder.search.scorer import Scorer

# A combination that could be taken next: score, left node, and the node that it would become an edge of, if it exists.
Offer = tuple[float, int, int | None]
_NO_STATE = -1  # second argument of a join with one gap


class _Glue(NamedTuple):
    """A cube: nodes in both gaps, score of the rule, join of two states, application, items in the gaps.

    With one gap there are no right nodes, and the second state is ignored.
    """

    lefts: list[int]
    rights: list[int]
    base: float
    join: PairJoin
    application: int
    left: int
    right: int


# Left node, its state, score of rule and left node, right nodes, join, cube, rank of the left node.
_Row = tuple[int, int, float, list[int], PairJoin, _Glue, int]


class GlueCell:
    """The search of one cell of glue, for the nodes of its item.

    It can be resumed when there are more nodes on the left.
    """

    def __init__(self, chart: SearchChart, scorer: Scorer, cubes: Sequence[GlueCube], item: int, pops: float) -> None:
        """`pops` is how many combinations may be taken."""
        self._chart, self._weight, self._item = chart, scorer.joiner.weight, item
        self._table = chart.by_state(item)
        for node in self._table.values():
            chart.graph.into(node)  # creates its edges, for others will be added
        self.nodes = chart.own(item)
        self._pops, self._free = pops, pops - 1
        # Cost, row, rank of the right node, state. Rank and state are -1 while only the score promised by the right
        # item is known.
        self._heap: list[tuple[float, int, int, int]] = []
        self._rows: list[_Row] = []
        # Rows to open: cube, rank of the left node.
        self._closed = [(glue, 0) for glue in _scored(chart, scorer, cubes)]
        self._settled = 0  # nodes before this one keep their score, for others rest on it

    @property
    def exhausted(self) -> bool:
        """Whether no combination is left to take; more nodes on the left may change that."""
        return self._pops <= 0 or not self._heap or self._heap[0][0] == math.inf

    def offers(self) -> list[Offer]:
        """Return the combinations that could be taken next."""
        rows, table = self._rows, self._table
        return [(-cost, rows[row][0], table.get(state)) for cost, row, _, state in self._heap]

    def start(self, beam: float) -> None:
        """Take the best combinations, no more than `beam` below the best."""
        self.take(-math.inf, beam)
        self._chart.sort(self._item, self.nodes)

    def take(self, floor: float, beam: float = math.inf) -> None:
        """Take the best combinations. New nodes are appended to the existing ones, best first.

        None is taken below `floor`, or more than `beam` below the best. Search spends most of its time here, so calls
        are avoided.
        """
        heap, rows, table, weight, has = self._heap, self._rows, self._table, self._weight, self._chart.has
        graph = self._chart.graph
        score, state, edges = graph.score, graph.state, graph.edges
        pops, free, settled, new_nodes = self._pops, self._free, self._settled, list[int]()

        closed, self._closed = self._closed, []
        for glue, rank in closed:
            self._open_row(glue, rank)
        worst = -floor
        while heap and pops > 0:
            cost, number, rank, joined = heap[0]
            if cost > worst:
                break
            left, before, base, rights, join, glue, left_rank = rows[number]
            if rank >= 0 and cost < math.inf:
                if cost + beam < worst:
                    worst = cost + beam
                if rank or left_rank or not free:
                    pops -= 1
                else:
                    free -= 1
                edge: Edge = (-cost, glue.application, (left, rights[rank]) if rights else (left,))
                node = table.get(joined)
                if node is None or (node < settled and -cost > score[node]):
                    table[joined] = len(score)
                    new_nodes.append(len(score))
                    score.append(-cost)
                    state.append(joined)
                    edges.append([edge])
                else:
                    edges[node].append(edge)
                    if -cost > score[node]:
                        score[node] = -cost
            rank += 1
            if rank < len(rights) or (glue.right >= 0 and has(glue.right, rank)):
                right = rights[rank]
                value, joined = join(before, state[right])
                heapreplace(heap, (-(base + score[right] + weight * value), number, rank, joined))
            else:
                heappop(heap)
            if rank == 1:
                self._open_row(glue, left_rank + 1)
        self._pops, self._free, self._settled = pops, free, len(score)
        new_nodes.sort(key=score.__getitem__, reverse=True)
        self.nodes += new_nodes

    def _open_row(self, glue: _Glue, rank: int) -> None:
        """Offer the first combination of a row, or its promise; keep the row closed until its left node exists."""
        lefts, rights, base, join, _, left_item, right_item = glue
        if rank >= len(lefts) and not self._chart.has(left_item, rank):
            self._closed.append((glue, rank))
            return
        graph, rows = self._chart.graph, self._rows
        left = lefts[rank]
        before, base = graph.state[left], base + graph.score[left]
        if rights or right_item == NO_ITEM:
            value, joined = join(before, graph.state[rights[0]] if rights else _NO_STATE)
            ahead = graph.score[rights[0]] if rights else 0.0
            heappush(self._heap, (-(base + ahead + self._weight * value), len(rows), 0, joined))
        else:
            heappush(self._heap, (-(base + self._chart.best[right_item]), len(rows), -1, -1))
        rows.append((left, before, base, rights, join, glue, rank))


def _scored(chart: SearchChart, scorer: Scorer, cubes: Sequence[GlueCube]) -> Iterator[_Glue]:
    """Yield the cubes with what depends on this search: score, join, nodes in the gaps."""
    nodes, score, pair = chart.own, scorer.score, scorer.pair
    for rule, application, left, right in cubes:
        rights, gaps = ([], 1) if right == NO_ITEM else (nodes(right), 2)
        yield _Glue(nodes(left), rights, score(rule, application), pair(rule, gaps), application, left, right)
