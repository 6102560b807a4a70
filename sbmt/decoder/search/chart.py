"""What a search has found so far. All cells share it: they add to it, and ask one another for more through it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Protocol

from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.lexical import LexicalNodes

FORBIDDEN = -math.inf  # the score of what cannot be


class Waiting(Protocol):
    """A cell that gives hypotheses when asked."""

    def next_best(self, item: int) -> bool:
        """Append the next best node to an item; False if there is none."""


class SearchChart:
    """The hypergraph and, by item, the nodes that others may use, best first.

    `best[item]` is the score of the item's best node or, while its cell has not been searched, the score the cell
    promises; the 0 at the end is for the index -1, no item. `heights[item]` is how many unsearched cells lie one above
    the other, this one included.
    """

    def __init__(self, n_items: int) -> None:
        self.graph = Hypergraph()
        self.nodes: list[list[int]] = [[] for _ in range(n_items)]
        self.best = array("d", [FORBIDDEN]) * n_items + array("d", [0.0])
        self.heights = [0] * n_items
        self._waiting: list[Waiting | None] = [None] * n_items

    def begin(self, lexical: LexicalNodes) -> None:
        """Take the nodes without gaps: nothing else is there yet."""
        graph, best, nodes = self.graph, self.best, self.nodes
        graph.score, graph.state = lexical.score.tolist(), lexical.state.tolist()
        graph.edges, graph.make_edges = [[] for _ in graph.score], lexical.edges
        for item, first, last in lexical.by_item():
            nodes[item] = list(range(first, last))
            best[item] = graph.score[first]

    def by_state(self, item: int) -> dict[int, int]:
        """The nodes of an item."""
        state = self.graph.state
        return {state[node]: node for node in self.nodes[item]}

    def sort(self, item: int, nodes: Iterable[int]) -> None:
        """These are all nodes of an item."""
        own = self.nodes[item]
        own[:] = sorted(nodes, key=self.graph.score.__getitem__, reverse=True)
        if own:
            self.best[item] = self.graph.score[own[0]]

    def wait(self, items: range, cell: Waiting) -> None:
        """Whoever wants more of these items is to ask the cell."""
        self._waiting[items.start : items.stop] = [cell] * len(items)

    def has(self, item: int, rank: int) -> bool:
        """Whether an item has a hypothesis of this rank; asks its cell for one more if need be."""
        if rank < len(self.nodes[item]):
            return True
        cell = self._waiting[item]
        return cell is not None and cell.next_best(item)

    def close(self) -> None:
        """Nobody will ask for more. (Cells know what is found: without a cycle all is freed at once.)"""
        self._waiting.clear()
