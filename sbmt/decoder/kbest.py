"""Lazy k-best derivations of a hypergraph (Huang & Chiang 2005, algorithm 3), with unique outputs at every node."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from sbmt.decoder.features import Symbol
from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import Edge, Hypergraph

SEPARATOR = "\0"  # ends each word in `Derivation.text`; no word holds it


class Derivation(NamedTuple):
    """`text` is the output, `applications` the rules used, each before those that fill its gaps, left to right."""

    score: float
    text: str
    applications: tuple[int, ...]


class _Node:
    """What is known of one node: `best` derivations so far, candidates beyond them, and moves yet to be made."""

    __slots__ = ("best", "edges", "heap", "moves", "queued", "texts")

    def __init__(self, edges: Sequence[Edge]) -> None:
        self.edges = edges
        self.best: list[Derivation] = []
        self.heap: list[tuple[float, int, tuple[int, ...]]] = [
            (-edge[0], number, (0,) * len(edge[2])) for number, edge in enumerate(edges)
        ]
        heapify(self.heap)
        self.queued: set[tuple[int, tuple[int, ...]]] = set()
        self.moves: list[tuple[float, int, tuple[int, ...], int]] = []
        self.texts: set[str] = set()


class KBest:
    """Derivations of the goal, best first."""

    def __init__(self, graph: Hypergraph, forest: Forest, unique: bool) -> None:
        self._graph, self._forest, self._unique = graph, forest, unique
        self._nodes: dict[int, _Node] = {}
        self._targets: dict[int, tuple[Symbol, ...]] = {}
        root = [Edge(graph.score[node], -1, (node,)) for node in graph.goals]
        self._nodes[-1] = _Node(root)

    def take(self, k: int) -> list[Derivation]:
        """The k best derivations, or all there are."""
        self._demand(-1, k)
        return self._nodes[-1].best[:k]

    def _demand(self, node: int, k: int) -> None:
        """Make the k best derivations of a node known. A stack of demands takes the place of recursion."""
        stack = [(node, k)]
        while stack:
            number, wanted = stack[-1]
            entry = self._nodes.get(number)
            if entry is None:
                entry = self._nodes[number] = _Node(self._graph.edges(number))
            missing = None if len(entry.best) >= wanted else self._next(entry)
            if missing is not None:
                stack.append(missing)
            elif len(entry.best) >= wanted or not (entry.heap or entry.moves):
                stack.pop()

    def _next(self, entry: _Node) -> tuple[int, int] | None:
        """Find one more derivation, if there is one; returns the (node, k) that must be known before, if any."""
        nodes, heap, moves = self._nodes, entry.heap, entry.moves
        while True:
            while moves:
                score, number, ranks, dimension = moves[-1]
                below = nodes[entry.edges[number][2][dimension]]
                if len(below.best) <= ranks[dimension] and (below.heap or below.moves):
                    return entry.edges[number][2][dimension], ranks[dimension] + 1
                moves.pop()
                if len(below.best) > ranks[dimension]:
                    self._queue(entry, score, number, ranks, dimension, below.best)
            if not heap:
                return None
            cost, number, ranks = heap[0]
            _, application, tails = entry.edges[number]
            belows = []
            for tail in tails:
                below_or_none = nodes.get(tail)
                if below_or_none is None or not below_or_none.best:
                    return tail, 1
                belows.append(below_or_none)
            heappop(heap)
            parts = [below.best[rank] for below, rank in zip(belows, ranks, strict=True)]
            for dimension, rank in enumerate(ranks):
                below, moved = belows[dimension], (*ranks[:dimension], rank + 1, *ranks[dimension + 1 :])
                if rank + 1 < len(below.best):
                    self._queue(entry, -cost, number, moved, dimension, below.best)
                elif below.heap or below.moves:
                    moves.append((-cost, number, moved, dimension))
            text = self._text(application, parts)
            if not self._unique or text not in entry.texts:
                entry.texts.add(text)
                used: tuple[int, ...] = (application,) if application >= 0 else ()
                for part in parts:
                    used += part.applications
                entry.best.append(Derivation(-cost, text, used))
                return None

    @staticmethod
    def _queue(
        entry: _Node, score: float, number: int, ranks: tuple[int, ...], dimension: int, best: list[Derivation]
    ) -> None:
        """A candidate that differs from one of this score by one step along one tail."""
        if len(ranks) > 1:
            if (number, ranks) in entry.queued:
                return
            entry.queued.add((number, ranks))
        rank = ranks[dimension]
        heappush(entry.heap, (best[rank - 1].score - best[rank].score - score, number, ranks))

    def _text(self, application: int, parts: Sequence[Derivation]) -> str:
        """The output of a derivation; application -1 passes on the only part."""
        if application < 0:
            return parts[0].text
        target = self._targets.get(application)
        if target is None:
            target = self._targets[application] = self._forest.target(application)
        if target == (0, 1):
            return parts[0].text + parts[1].text
        return "".join([symbol + SEPARATOR if isinstance(symbol, str) else parts[symbol].text for symbol in target])
