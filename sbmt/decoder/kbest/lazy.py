"""Lazy k-best derivations of every node of a hypergraph (Huang & Chiang 2005, *Better k-best Parsing*, algorithm 3).

`_Node.best` is the paper's D(v), `heap` its cand[v], a candidate being an edge and the rank of each tail's derivation.
We depart from it in three ways: derivations of a node may be required to differ in their output; a stack takes the
place of recursion (`_demand`), as derivations are as deep as sentences are long; and a candidate whose tail has too few
derivations so far is kept among `moves` until one more is needed (LazyNext computes it at once).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from operator import itemgetter
from typing import NamedTuple

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import NO_APPLICATION, SEPARATOR, Edge, Hypergraph
from sbmt.lm.symbols import Symbol


class Derivation(NamedTuple):
    """`text` is the output, `applications` the rules used, each before those that fill its gaps, left to right."""

    score: float
    text: str
    applications: tuple[int, ...]


class _Node:
    """The state of one node: `best` derivations so far, candidates for the next, and moves still to be made."""

    __slots__ = ("below", "best", "edges", "heap", "moves", "queued", "texts")

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
        self.below: dict[int, list[_Node]] = {}  # by edge, once its tails have a derivation

    def settle_moves(self) -> tuple[int, int] | None:
        """Queue the moves whose tail has the derivation they need; returns the (node, k) that one still needs."""
        while self.moves:
            score, number, ranks, dimension = self.moves[-1]
            below, rank = self.below[number][dimension], ranks[dimension]
            if len(below.best) <= rank and (below.heap or below.moves):
                return self.edges[number][2][dimension], rank + 1
            self.moves.pop()
            if len(below.best) > rank:
                self.queue(score, number, ranks, dimension, below.best)
        return None

    def queue(self, score: float, number: int, ranks: tuple[int, ...], dimension: int, best: list[Derivation]) -> None:
        """Add a candidate that differs by one step along one tail from one of this score."""
        if len(ranks) > 1:
            if (number, ranks) in self.queued:
                return
            self.queued.add((number, ranks))
        rank = ranks[dimension]
        heappush(self.heap, (best[rank - 1][0] - best[rank][0] - score, number, ranks))


class _Targets(dict[int, tuple[Symbol, ...]]):
    """Cache of target sides by application."""

    def __init__(self, forest: Forest) -> None:
        super().__init__()
        self._forest = forest

    def __missing__(self, application: int) -> tuple[Symbol, ...]:
        target = self[application] = self._forest.target(application) if application != NO_APPLICATION else ()
        return target

    def text(self, application: int, parts: Sequence[Derivation]) -> str:
        """Return the output of a derivation."""
        if application == NO_APPLICATION:
            return "".join([part.text for part in parts])
        symbols = self[application]
        return "".join([symbol + SEPARATOR if isinstance(symbol, str) else parts[symbol].text for symbol in symbols])

    def words(self, application: int) -> str:
        """Return the output of an application without gaps."""
        return SEPARATOR.join((*self[application], ""))  # type: ignore[arg-type]


class _Only(dict[int, "Derivation | None"]):
    """Cache, by node, of the only derivation if its edges have no tails and write the same words; otherwise None."""

    def __init__(self, graph: Hypergraph, targets: _Targets, unique: bool) -> None:
        super().__init__()
        self._graph, self._targets, self._unique = graph, targets, unique

    def __missing__(self, node: int) -> Derivation | None:
        derivation = self[node] = self._find(self._graph.into(node))
        return derivation

    def _find(self, edges: Sequence[Edge]) -> Derivation | None:
        if edges[0][2]:
            return None
        words = self._targets.words
        score, application, _ = edges[0]
        text = words(application)
        if len(edges) > 1:
            if not self._unique or any(tails or words(number) != text for _, number, tails in edges):
                return None
            score, application, _ = max(edges, key=itemgetter(0))
        return Derivation(score, text, _used(application))


def _used(application: int) -> tuple[int, ...]:
    return (application,) if application != NO_APPLICATION else ()


class NodeLists:
    """Derivations of every node, best first."""

    def __init__(self, graph: Hypergraph, forest: Forest, unique: bool) -> None:
        self._graph, self._unique = graph, unique
        self._nodes: dict[int, _Node] = {}
        self._targets = _Targets(forest)
        self.only = _Only(graph, self._targets, unique)

    def best(self, node: int, k: int) -> list[Derivation]:
        """Return the best derivations of a node: at least k of them, or all if there are fewer."""
        entry = self._nodes.get(node)
        if entry is None or (len(entry.best) < k and (entry.heap or entry.moves)):
            self._demand(node, k)
            entry = self._nodes[node]
        return entry.best

    def _demand(self, node: int, k: int) -> None:
        """Compute the k best derivations of a node. A stack of demands takes the place of recursion."""
        stack = [(node, k)]
        while stack:
            number, n_needed = stack[-1]
            entry = self._nodes.get(number)
            if entry is None:
                entry = self._nodes[number] = _Node(self._graph.into(number))
            missing = None if len(entry.best) >= n_needed else self._next(entry)
            if missing is not None:
                stack.append(missing)
            elif len(entry.best) >= n_needed or not (entry.heap or entry.moves):
                stack.pop()

    def _next(self, entry: _Node) -> tuple[int, int] | None:
        """Find one more derivation, if there is one; returns the (node, k) that must be computed first, if any."""
        while True:
            if missing := entry.settle_moves():
                return missing
            if not entry.heap:
                return None
            if missing := self._missing_tail(entry, entry.heap[0][1]):
                return missing
            if self._accept(entry, *heappop(entry.heap)):
                return None

    def _missing_tail(self, entry: _Node, number: int) -> tuple[int, int] | None:
        """Return the (node, 1) that an edge's first candidate needs; None once `below` has the edge's tails."""
        if number in entry.below:
            return None
        tails = entry.edges[number][2]
        nodes = [self._nodes.get(tail) for tail in tails]
        for tail, node in zip(tails, nodes, strict=True):
            if node is None or not node.best:
                return tail, 1
        entry.below[number] = [node for node in nodes if node is not None]
        return None

    def _accept(self, entry: _Node, cost: float, number: int, ranks: tuple[int, ...]) -> bool:
        """Take a candidate, and queue or defer its neighbours; returns whether its output is new."""
        belows = entry.below[number]
        parts = [below.best[rank] for below, rank in zip(belows, ranks)]  # noqa: B905 - a third of the time
        for dimension, below in enumerate(belows):
            rank = ranks[dimension] + 1
            moved = (*ranks[:dimension], rank, *ranks[dimension + 1 :]) if len(ranks) > 1 else (rank,)
            if rank < len(below.best):
                entry.queue(-cost, number, moved, dimension, below.best)
            elif below.heap or below.moves:
                entry.moves.append((-cost, number, moved, dimension))
        application = entry.edges[number][1]
        text = self._targets.text(application, parts)
        if self._unique:
            if text in entry.texts:
                return False
            entry.texts.add(text)
        used = _used(application)
        for part in parts:
            used += part[2]
        entry.best.append(Derivation(-cost, text, used))
        return True
