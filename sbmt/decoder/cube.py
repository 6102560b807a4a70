"""Search over a forest with language models: cube pruning (Huang & Chiang 2007).

The result is a hypergraph whose *nodes* are (item, state): hypotheses of an item that no later score can tell apart.
As in Joshua the pop limit holds for a span, over all its cubes and labels; applications without gaps and label changes
are all taken and do not count.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from sbmt.decoder.features import Symbol
from sbmt.decoder.forest import NO_ITEM, Cube, Forest
from sbmt.decoder.states import Joiner

Edge = tuple[float, int, tuple[int, ...]]  # score of the best derivation through it, application, tail nodes


@dataclass(slots=True)
class Hypergraph:
    """Columns by node: best score, state, edges into it. `goals` are the nodes of the goal item, best first."""

    score: list[float] = field(default_factory=list)
    state: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    goals: list[int] = field(default_factory=list)


def search(forest: Forest, scores: Sequence[float], joiner: Joiner, pop_limit: int) -> Hypergraph:
    """Find the best hypotheses; `scores` are the weighted sums of the applications."""
    found = _Search(forest, scores, joiner, pop_limit)
    for cell in forest.cells:
        found.lexical(cell.lexical)
        found.cubes(cell.cubes)
        found.change_labels(cell.unary)
        found.close()
    if forest.goal != NO_ITEM:
        found.graph.goals = found.nodes[forest.goal]
    return found.graph


class _Search:
    def __init__(self, forest: Forest, scores: Sequence[float], joiner: Joiner, pop_limit: int) -> None:
        self.graph = Hypergraph()
        self.nodes: list[list[int]] = [[] for _ in range(forest.n_items)]  # of each item, best first once closed
        self._targets = [application.target for application in forest.applications]
        self._heads, self._scores, self._joiner = forest.heads, scores, joiner
        self._pops = pop_limit or math.inf
        self._open: dict[int, dict[int, int]] = {}  # of the current cell: item -> state -> node

    def _add(self, application: int, score: float, state: int, tails: tuple[int, ...]) -> None:
        graph, item = self.graph, self._heads[application]
        table = self._open.setdefault(item, {})
        node = table.get(state)
        if node is None:
            table[state] = len(graph.score)
            self.nodes[item].append(len(graph.score))
            graph.score.append(score)
            graph.state.append(state)
            graph.edges.append([(score, application, tails)])
        else:
            graph.edges[node].append((score, application, tails))
            if score > graph.score[node]:
                graph.score[node] = score

    def _join(self, application: int, tails: tuple[int, ...]) -> tuple[float, int]:
        """Score and state of an application on chosen tail nodes."""
        graph = self.graph
        value, state = self._joiner.join(self._targets[application], tuple([graph.state[tail] for tail in tails]))
        return self._scores[application] + value + sum([graph.score[tail] for tail in tails]), state

    def lexical(self, applications: range) -> None:
        """Take all applications without gaps."""
        for application in applications:
            score, state = self._join(application, ())
            if score > -math.inf:
                self._add(application, score, state, ())

    def change_labels(self, cubes: Sequence[Cube]) -> None:
        """Take all unary applications, in the order given."""
        for cube in cubes:
            nodes = self.nodes[cube.tails[0]]
            self._sort(nodes)
            for node in nodes:
                for application in range(cube.first, cube.last):
                    score, state = self._join(application, (node,))
                    if score > -math.inf:
                        self._add(application, score, state, (node,))

    def close(self) -> None:
        """The cell is complete: order its nodes."""
        for item in self._open:
            self._sort(self.nodes[item])
        self._open = {}

    def _sort(self, nodes: list[int]) -> None:
        nodes.sort(key=self.graph.score.__getitem__, reverse=True)

    def cubes(self, cubes: Sequence[Cube]) -> None:
        """Take the best of all cubes of a cell, up to the pop limit."""
        heap: list[tuple[float, int, tuple[int, ...], int, int, tuple[int, ...]]] = []
        seen: set[tuple[int, tuple[int, ...]]] = set()
        axes = [self._axes(cube) for cube in cubes]

        def push(number: int, ranks: tuple[int, ...]) -> None:
            if (number, ranks) in seen:
                return
            seen.add((number, ranks))
            applications, *tails = axes[number]
            application = applications[ranks[0]]
            nodes = tuple([tail[rank] for tail, rank in zip(tails, ranks[1:], strict=True)])
            score, state = self._join(application, nodes)
            heapq.heappush(heap, (-score, number, ranks, application, state, nodes))

        for number, axis in enumerate(axes):
            if all(axis):
                push(number, (0,) * len(axis))
        pops = 0
        while heap and pops < self._pops:
            cost, number, ranks, application, state, nodes = heapq.heappop(heap)
            if cost < math.inf:
                pops += 1
                self._add(application, -cost, state, nodes)
            axis = axes[number]
            for dimension, rank in enumerate(ranks):
                if rank + 1 < len(axis[dimension]):
                    push(number, (*ranks[:dimension], rank + 1, *ranks[dimension + 1 :]))

    def _axes(self, cube: Cube) -> list[list[int]]:
        """What a cube ranges over: its applications, best first by an estimate, and the nodes of each tail."""
        applications = list(range(cube.first, cube.last))
        if len(applications) > 1:
            applications.sort(key=self._estimate, reverse=True)
        return [applications, *(self.nodes[tail] for tail in cube.tails)]

    def _estimate(self, application: int) -> float:
        return self._scores[application] + self._joiner.estimate(self._targets[application])
