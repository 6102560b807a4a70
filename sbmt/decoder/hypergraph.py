"""What a search leaves: hypotheses that no later score can tell apart, and how they were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

NO_EDGE = -1


class Edge(NamedTuple):
    """One way to make a node; `score` is that of the best derivation through it."""

    score: float
    application: int
    tails: tuple[int, ...]


class Hypergraph:
    """A *node* is an item with a state. `goals` are the nodes of the goal item, best first.

    Columns by node: best score, state, last edge. Columns by edge: score, application, where its tails begin in
    `tails`, and the edge before it into the same node. Flat lists, because tens of thousands of small objects a
    sentence would cost more in the cycle collector than they cost to make.
    """

    __slots__ = ("application", "edge_score", "goals", "last", "previous", "score", "start", "state", "tails")

    def __init__(self) -> None:
        self.score: list[float] = []
        self.state: list[int] = []
        self.last: list[int] = []
        self.edge_score: list[float] = []
        self.application: list[int] = []
        self.start: list[int] = []
        self.previous: list[int] = []
        self.tails: list[int] = []
        self.goals: list[int] = []

    def add_node(self, state: int, score: float, application: int, tails: Sequence[int]) -> int:
        """A node with its first edge; returns its number."""
        self.score.append(score)
        self.state.append(state)
        self.last.append(NO_EDGE)
        self.add_edge(len(self.score) - 1, score, application, tails)
        return len(self.score) - 1

    def add_edge(self, node: int, score: float, application: int, tails: Sequence[int]) -> None:
        """One more edge into a node, whose score the caller keeps."""
        self.previous.append(self.last[node])
        self.last[node] = len(self.edge_score)
        self.edge_score.append(score)
        self.application.append(application)
        self.start.append(len(self.tails))
        self.tails.extend(tails)

    def edges(self, node: int) -> list[Edge]:
        """The edges into a node, in the order in which they were found."""
        found = []
        edge = self.last[node]
        while edge != NO_EDGE:
            end = self.start[edge + 1] if edge + 1 < len(self.start) else len(self.tails)
            found.append(Edge(self.edge_score[edge], self.application[edge], tuple(self.tails[self.start[edge] : end])))
            edge = self.previous[edge]
        found.reverse()
        return found
