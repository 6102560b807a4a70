"""Search over a forest with language models: cube pruning (Huang & Chiang 2007).

The result is a hypergraph whose *nodes* are (item, state): hypotheses of an item that no later score can tell apart.
As in Joshua the pop limit holds for a span, over all its cubes and labels; applications without gaps and label changes
are all taken and do not count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from sbmt.decoder.forest import NO_ITEM, Cell, Forest
from sbmt.decoder.states import Join, Joiner

Edge = tuple[float, int, tuple[int, ...]]  # score of the best derivation through it, application, tail nodes
Heap = list[tuple[float, int, Any, int]]  # cost, cube, ranks, state
_FORBIDDEN = -math.inf
_SHIFT = 20  # the ranks of a pair as one number: a << _SHIFT | b
_LOW = (1 << _SHIFT) - 1


@dataclass(slots=True)
class Hypergraph:
    """Columns by node: best score, state, edges into it. `goals` are the nodes of the goal item, best first."""

    score: list[float] = field(default_factory=list)
    state: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    goals: list[int] = field(default_factory=list)


def search(forest: Forest, weights: dict[str, float], joiner: Joiner, pop_limit: int) -> Hypergraph:
    """Find the best hypotheses; `joiner` uses the same weights."""
    found = _Search(forest, weights, joiner, pop_limit)
    for cell in forest.cells:
        found.take_lexical(cell)
        if cell.derived < cell.unary:
            found.prune_cubes(cell)
        if cell.unary < cell.end:
            found.change_labels(cell)
        found.close(cell)
    if forest.goal != NO_ITEM:
        found.graph.goals = found.nodes[forest.goal]
    return found.graph


class _Pair:
    """A cube of one rule and two tails, the shape of every glue rule: ranks are two numbers in one."""

    __slots__ = ("application", "base", "graph", "head", "join", "left", "number", "right", "seen", "weight")

    def __init__(self, search: _Search, cube: int) -> None:
        rule = search.first[cube]
        self.number, self.application = cube, search.forest.cubes.application[cube]
        self.base = search.rule_score[rule] + (search.extra[self.application] if search.extra else 0.0)
        self.head, self.graph = search.heads[rule], search.graph
        self.join, self.weight = search.joiner.pair(search.targets[rule]), search.joiner.weight
        left, right = search.tails[cube]
        self.left, self.right = search.nodes[left], search.nodes[right]
        self.seen: set[int] = set()

    def offer(self, heap: Heap, ranks: int) -> None:
        """Push one combination, with its true score."""
        if ranks in self.seen:
            return
        self.seen.add(ranks)
        left, right = self.left[ranks >> _SHIFT], self.right[ranks & _LOW]
        score, state = self.graph.score, self.graph.state
        value, joined = self.join(state[left], state[right])
        heappush(heap, (-(self.base + score[left] + score[right] + self.weight * value), self.number, ranks, joined))

    def grow(self, heap: Heap, ranks: int) -> None:
        """Push the neighbours of a combination that was taken."""
        if (ranks >> _SHIFT) + 1 < len(self.left):
            self.offer(heap, ranks + _LOW + 1)
        if (ranks & _LOW) + 1 < len(self.right):
            self.offer(heap, ranks + 1)

    def edge(self, cost: float, ranks: int) -> tuple[int, Edge]:
        """Head label and hyperedge of a combination."""
        return self.head, (-cost, self.application, (self.left[ranks >> _SHIFT], self.right[ranks & _LOW]))


class _Cube:
    """Any other cube: `axes` are its rules, best first by an estimate, and the nodes of each tail."""

    __slots__ = ("axes", "number", "search", "seen")

    def __init__(self, search: _Search, cube: int) -> None:
        self.search, self.number = search, cube
        rules = list(range(search.first[cube], search.first[cube] + search.count[cube]))
        if len(rules) > 1:
            rules.sort(key=search.estimate, reverse=True)
        self.axes = [rules, *[search.nodes[tail] for tail in search.tails[cube]]]
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
            if rank + 1 < len(self.axes[dimension]):
                self.offer(heap, (*ranks[:dimension], rank + 1, *ranks[dimension + 1 :]))

    def edge(self, cost: float, ranks: tuple[int, ...]) -> tuple[int, Edge]:
        """Head label and hyperedge of a combination."""
        search, rule = self.search, self.axes[0][ranks[0]]
        nodes = tuple([axis[rank] for axis, rank in zip(self.axes[1:], ranks[1:], strict=True)])
        application = search.forest.cubes.application[self.number] + rule - search.first[self.number]
        return search.heads[rule], (-cost, application, nodes)


class _Search:
    def __init__(self, forest: Forest, weights: dict[str, float], joiner: Joiner, pop_limit: int) -> None:
        self.forest, self.joiner = forest, joiner
        self.graph = Hypergraph()
        self.nodes: list[list[int]] = [[]] * forest.n_items  # of each item, best first once its cell is closed
        self.first, self.count, self.tails = forest.cubes.first, forest.cubes.count, forest.cubes.tails
        self.heads, self.targets = forest.rules.head, forest.rules.target
        self.rule_score: list[float] = forest.rule_scores(weights).tolist()
        self.extra = forest.application_scores(weights)
        self._pops = pop_limit or math.inf
        self._phrases: dict[int, Join] = {}
        self._open: dict[int, dict[int, int]] = {}  # of the current cell: label -> state -> node

    def _add(self, label: int, state: int, edge: Edge) -> None:
        """One more hypothesis of the current cell."""
        graph = self.graph
        table = self._open.get(label)
        if table is None:
            table = self._open[label] = {}
        node = table.get(state)
        if node is None:
            table[state] = len(graph.score)
            graph.score.append(edge[0])
            graph.state.append(state)
            graph.edges.append([edge])
        else:
            graph.edges[node].append(edge)
            if edge[0] > graph.score[node]:
                graph.score[node] = edge[0]

    def close(self, cell: Cell) -> None:
        """The cell is complete: order its nodes."""
        for label, table in self._open.items():
            self.nodes[cell.items[label]] = self._sorted(table)
        self._open = {}

    def _sorted(self, table: dict[int, int]) -> list[int]:
        return sorted(table.values(), key=self.graph.score.__getitem__, reverse=True)

    def take_lexical(self, cell: Cell) -> None:
        """Take all applications without gaps."""
        weight, extra, applications = self.joiner.weight, self.extra, self.forest.cubes.application
        for cube in range(cell.lexical, cell.derived):
            application = applications[cube]
            for rule in range(self.first[cube], self.first[cube] + self.count[cube]):
                join = self._phrases.get(rule)
                if join is None:
                    target = self.targets[rule]
                    join = self._phrases[rule] = self.joiner.known(target).get(()) or self.joiner.join(target, ())
                score = self.rule_score[rule] + weight * join[0]
                if extra:
                    score += extra[application]
                if score > _FORBIDDEN:
                    self._add(self.heads[rule], join[1], (score, application, ()))
                application += 1

    def change_labels(self, cell: Cell) -> None:
        """Take all unary applications, in the order given."""
        labels = {item: label for label, item in cell.items.items()}
        for cube in range(cell.unary, cell.end):
            below = self._sorted(self._open.get(labels[self.tails[cube][0]], {}))
            for node in below:
                score, state = self.join(cube, self.first[cube], (node,))
                if score > _FORBIDDEN:
                    edge = (score, self.forest.cubes.application[cube], (node,))
                    self._add(self.heads[self.first[cube]], state, edge)

    def join(self, cube: int, rule: int, nodes: Sequence[int]) -> tuple[float, int]:
        """Score and state of a rule of a cube on chosen tail nodes."""
        graph, target = self.graph, self.targets[rule]
        states = tuple([graph.state[node] for node in nodes])
        value, state = self.joiner.known(target).get(states) or self.joiner.join(target, states)
        score = self.rule_score[rule] + self.joiner.weight * value
        if self.extra:
            score += self.extra[self.forest.cubes.application[cube] + rule - self.first[cube]]
        for node in nodes:
            score += graph.score[node]
        return score, state

    def estimate(self, rule: int) -> float:
        """What a rule promises before its tails are known."""
        return self.rule_score[rule] + self.joiner.weight * self.joiner.estimate(self.targets[rule])

    def prune_cubes(self, cell: Cell) -> None:
        """Take the best of all cubes of a cell, up to the pop limit."""
        heap: Heap = []
        cubes: dict[int, _Pair | _Cube] = {}
        for number in range(cell.derived, cell.unary):
            if all([self.nodes[tail] for tail in self.tails[number]]):
                if self.count[number] == 1 and len(self.tails[number]) == 2:
                    pair = cubes[number] = _Pair(self, number)
                    pair.offer(heap, 0)
                else:
                    cube = cubes[number] = _Cube(self, number)
                    cube.offer(heap, (0,) * len(cube.axes))
        pops = 0
        while heap and pops < self._pops:
            cost, number, ranks, state = heappop(heap)
            taken = cubes[number]
            if cost < math.inf:
                pops += 1
                head, edge = taken.edge(cost, ranks)
                self._add(head, state, edge)
            taken.grow(heap, ranks)
