"""Cells of glue: one rule a cube, with two gaps or one, all of one label. Most of the time of a search goes here.

A *row* of a cube is one node of its left gap before every node of its right one, and has a single combination in the
heap (Gesmundo & Henderson 2010); the first of a row, once taken, opens the next. That makes fewer combinations than
Huang & Chiang's frontier, which is made up for: the best of a cube does not count, up to `pops` - 1 times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from heapq import heappop, heappush, heapreplace
from typing import TYPE_CHECKING, NamedTuple

from sbmt.decoder.hypergraph import Edge
from sbmt.decoder.search.joiner import Join

if TYPE_CHECKING:
    from sbmt.decoder.search.search import Search


class _Glue(NamedTuple):
    """A cube: nodes in both gaps, score of the rule, join of two states, application, items in the gaps.

    With one gap there are no nodes on the right, and the second state means nothing.
    """

    lefts: list[int]
    rights: list[int]
    base: float
    join: Callable[[int, int], Join]
    application: int
    left: int
    right: int


# Left node, right nodes, state of the left node, score of rule and left node, join, cube, rank of the left node.
_Row = tuple[int, list[int], int, float, Callable[[int, int], Join], _Glue, int]


class GlueCell:
    """The search of such a cell. It can be taken up again when there are more nodes on the left.

    `table` maps states to nodes. `pops` is how many combinations may be taken.
    """

    def __init__(self, search: Search, numbers: Sequence[int], table: dict[int, int], pops: float) -> None:
        self._search, self._table = search, table
        self._pops, self._free = pops, pops - 1
        self._heap: list[tuple[float, int, int, int]] = []  # cost, row, rank of the right node, state; rank and
        # state are -1 where only the score that the right item promises is known
        self._rows: list[_Row] = []
        self._closed = [(_glue(search, number), 0) for number in numbers]  # rows to open: cube, rank of the left node
        self._settled = 0  # nodes before this one keep their score, for others rest on it

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left to take; more nodes on the left may change that."""
        return self._pops <= 0 or not self._heap or self._heap[0][0] == math.inf

    def offers(self) -> list[tuple[float, int, int | None]]:
        """What could be taken next: score, left node, and the node that it would go into if that exists."""
        rows, table = self._rows, self._table
        return [(-cost, rows[row][0], table.get(state)) for cost, row, _, state in self._heap]

    def take(self, floor: float, beam: float) -> list[int]:
        """Take the best combinations; returns the nodes they made, best first.

        None is taken below `floor`, or more than `beam` below the best. Nothing is called that need not be.
        """
        search, heap, rows, table = self._search, self._heap, self._rows, self._table
        graph, weight, has = search.graph, search.joiner.weight, search.has
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
            left, rights, before, base, join, glue, left_rank = rows[number]
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
        return made

    def _open_row(self, glue: _Glue, rank: int) -> None:
        """Offer the first combination of a row, or what it promises; without its left node, remember the row."""
        search, graph = self._search, self._search.graph
        if rank >= len(glue.lefts) and not search.has(glue.left, rank):
            self._closed.append((glue, rank))
            return
        left, rights, join = glue.lefts[rank], glue.rights, glue.join
        before, base = graph.state[left], glue.base + graph.score[left]
        if rights or glue.right < 0:
            value, joined = join(before, graph.state[rights[0]] if rights else -1)
            ahead = graph.score[rights[0]] if rights else 0.0
            heappush(self._heap, (-(base + ahead + search.joiner.weight * value), len(self._rows), 0, joined))
        else:
            heappush(self._heap, (-(base + search.best[glue.right]), len(self._rows), -1, -1))
        self._rows.append((left, rights, before, base, join, glue, rank))


def is_glue(search: Search, numbers: Sequence[int]) -> bool:
    """Whether cubes can be searched as a cell of glue."""
    heads = {search.heads[search.first[number]] for number in numbers}
    return len(heads) == 1 and all(search.count[n] == 1 and len(search.tails[n]) <= 2 for n in numbers)


def _glue(search: Search, cube: int) -> _Glue:
    rule, application = search.first[cube], search.forest.cubes.application[cube]
    target, joiner, nodes = search.targets[rule], search.joiner, search.nodes
    base = search.rule_score[rule] + (search.extra[application] if search.extra else 0.0)
    left, *rest = search.tails[cube]
    if rest:
        return _Glue(nodes[left], nodes[rest[0]], base, joiner.pair(target), application, left, rest[0])
    known = joiner.known(target)

    def join(state: int, _: int) -> Join:
        return known.get((state,)) or joiner.join(target, (state,))

    return _Glue(nodes[left], [], base, join, application, left, -1)
