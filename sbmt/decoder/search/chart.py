"""The state of a search, shared by all cells: they add nodes to it, and request nodes of other cells through it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Protocol

from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.lexical import LexicalNodes

FORBIDDEN = -math.inf  # the score of an impossible hypothesis


class Waiting(Protocol):
    """A cell that yields hypotheses on request."""

    def next_best(self, item: int) -> bool:
        """Append the next best node to an item; returns False if there is none."""


_NO_NODES: list[int] = []  # of all items without nodes; never changed


class SearchChart:
    """The hypergraph and, by item, the nodes that others may use, best first (`nodes` to read, `own` to add to).

    `best[item]` is the score of the item's best node or, while its cell has not been searched, the score the cell
    promises; the 0 at the end is for the index -1, no item. `heights[item]` is how many unsearched cells are nested,
    this one included.
    """

    def __init__(self, n_items: int) -> None:
        self.graph = Hypergraph()
        self.nodes = [_NO_NODES] * n_items  # labels make very many items, most of which never get a node
        self.best = array("d", [FORBIDDEN]) * n_items + array("d", [0.0])
        self.heights = [0] * n_items
        self._waiting: list[Waiting | None] = [None] * n_items

    def begin(self, lexical: LexicalNodes) -> None:
        """Add the nodes without gaps, the first of all."""
        graph, best, nodes = self.graph, self.best, self.nodes
        graph.score, graph.state = lexical.score.tolist(), lexical.state.tolist()
        graph.edges, graph.make_edges = [[] for _ in graph.score], lexical.edges
        for item, first, last in lexical.by_item():
            nodes[item] = list(range(first, last))
            best[item] = graph.score[first]

    def own(self, item: int) -> list[int]:
        """Return the list of an item's nodes, to be added to, or to be kept while others add to it."""
        nodes = self.nodes[item]
        if nodes is _NO_NODES:
            nodes = self.nodes[item] = []
        return nodes

    def by_state(self, item: int) -> dict[int, int]:
        """Return the nodes of an item, by state."""
        state = self.graph.state
        return {state[node]: node for node in self.nodes[item]}

    def sort(self, item: int, nodes: Iterable[int]) -> None:
        """Set the nodes of an item, best first."""
        item_nodes = self.own(item)
        item_nodes[:] = sorted(nodes, key=self.graph.score.__getitem__, reverse=True)
        if item_nodes:
            self.best[item] = self.graph.score[item_nodes[0]]

    def wait(self, items: range, cell: Waiting) -> None:
        """Register the cell that yields more nodes of these items."""
        self._waiting[items.start : items.stop] = [cell] * len(items)

    def has(self, item: int, rank: int) -> bool:
        """Whether an item has a hypothesis of this rank; requests one more from its cell if necessary."""
        if rank < len(self.nodes[item]):
            return True
        cell = self._waiting[item]
        return cell is not None and cell.next_best(item)

    def close(self) -> None:
        """Drop the waiting cells. (They refer to this chart: without the cycle everything is freed at once.)"""
        self._waiting.clear()
