"""The hypergraph that a search builds: nodes, hypotheses that no later score can tell apart, and their edges."""

from __future__ import annotations

import math
from collections.abc import Callable

from sbmt.lm.symbols import BEGIN, END, MARKS

SEPARATOR = "\0"  # ends each word where outputs are texts; no word holds it
_FIRST, _LAST = BEGIN + SEPARATOR, SEPARATOR + END + SEPARATOR
NO_APPLICATION = -1  # of an edge that applies no rule of the forest and writes nothing
# One way to make a node: score of the best derivation through it, application, tail nodes. (A plain tuple, because
# a search makes thousands per sentence.)
Edge = tuple[float, int, tuple[int, ...]]


def without_marks(text: str) -> str:
    """Return an output without sentence marks."""
    begin = len(_FIRST) if text.startswith(_FIRST) else 0
    inner = text[begin : 1 - len(_LAST)] if text.endswith(_LAST) else text[begin:]
    if BEGIN in inner or END in inner:  # rules can write them anywhere
        return "".join([word + SEPARATOR for word in words_of(inner) if word not in MARKS])
    return inner


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of an output."""
    return tuple(text.split(SEPARATOR)[:-1])


class Hypergraph:
    """A *node* is an item with a state of the stateful features; an *edge* one application on chosen tail nodes.

    By node: `score` is that of its best derivation, `state` the number of its state; `into(node)` the ways to make it,
    in the order in which they were found. `goals` are the nodes of the goal item, best first. The derivations that
    pruning leaves are all there if their scores are within `radius` of the best.

    `edges` holds those ways as far as they were created; `into` gets the edges of a node that has none there from
    `make_edges`.
    """

    __slots__ = ("edges", "goals", "make_edges", "radius", "score", "state")

    def __init__(self) -> None:
        self.score: list[float] = []
        self.state: list[int] = []
        self.edges: list[list[Edge]] = []
        self.goals: list[int] = []
        self.radius = math.inf
        self.make_edges: Callable[[int], list[Edge]] = lambda node: []

    def into(self, node: int) -> list[Edge]:
        """Return the edges into a node."""
        edges = self.edges[node]
        if not edges:
            edges += self.make_edges(node)
        return edges

    def add_node(self, state: int, edge: Edge) -> int:
        """Add a node with its first edge; returns its number."""
        self.score.append(edge[0])
        self.state.append(state)
        self.edges.append([edge])
        return len(self.score) - 1
