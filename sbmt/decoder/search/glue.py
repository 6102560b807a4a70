"""Cells of glue: one rule per cube, with two gaps or one, all of one label. Most of the time of a search goes here.

A *row* of a cube is one node of its left gap before every node of its right one, and has a single combination in the
heap (Gesmundo & Henderson 2010); the first of a row, once taken, opens the next. That makes fewer combinations than
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

# What could be taken next: score, left node, and the node that it would go into if that exists.
Offer = tuple[float, int, int | None]
_NO_STATE = -1  # stands in a right gap that is not there


class _Glue(NamedTuple):
    """A cube: nodes in both gaps, score of the rule, join of two states, application, items in the gaps.

    With one gap there are no nodes on the right, and the second state means nothing.
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

    It can be taken up again when there are more on the left.
    """

    def __init__(self, chart: SearchChart, scorer: Scorer, cubes: Sequence[GlueCube], item: int, pops: float) -> None:
        """`pops` is how many combinations may be taken."""
        self._chart, self._weight, self._item = chart, scorer.joiner.weight, item
        self._table = chart.by_state(item)
        for node in self._table.values():
            chart.graph.into(node)  # its edges are made, for others will be added
        self.nodes = chart.nodes[item]
        self._pops, self._free = pops, pops - 1
        # Cost, row, rank of the right node, state. Rank and state are -1 where only the score that the right item
        # promises is known.
        self._heap: list[tuple[float, int, int, int]] = []
        self._rows: list[_Row] = []
        # Rows to open: cube, rank of the left node.
        self._closed = [(glue, 0) for glue in _scored(chart, scorer, cubes)]
        self._settled = 0  # nodes before this one keep their score, for others rest on it

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left to take; more nodes on the left may change that."""
        return self._pops <= 0 or not self._heap or self._heap[0][0] == math.inf

    def offers(self) -> list[Offer]:
        """What could be taken next."""
        rows, table = self._rows, self._table
        return [(-cost, rows[row][0], table.get(state)) for cost, row, _, state in self._heap]

    def start(self, beam: float) -> None:
        """Take the best combinations, no more than `beam` below the best."""
        self.take(-math.inf, beam)
        self._chart.sort(self._item, self.nodes)

    def take(self, floor: float, beam: float = math.inf) -> None:
        """Take the best combinations. The nodes they make follow those that are there, best first.

        None is taken below `floor`, or more than `beam` below the best. Search spends most of its time here: what can
        be done without a call is.
        """
        heap, rows, table, weight, has = self._heap, self._rows, self._table, self._weight, self._chart.has
        graph = self._chart.graph
        score, state, edges = graph.score, graph.state, graph.edges
        pops, free, settled, made = self._pops, self._free, self._settled, list[int]()

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
                    made.append(len(score))
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
        made.sort(key=score.__getitem__, reverse=True)
        self.nodes += made

    def _open_row(self, glue: _Glue, rank: int) -> None:
        """Offer the first combination of a row, or what it promises; until its left node is there, keep it."""
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
    """The cubes with what they have in this search: score, join, nodes in the gaps."""
    nodes, score, pair = chart.nodes, scorer.score, scorer.pair
    for rule, application, left, right in cubes:
        rights, gaps = ([], 1) if right == NO_ITEM else (nodes[right], 2)
        yield _Glue(nodes[left], rights, score(rule, application), pair(rule, gaps), application, left, right)
