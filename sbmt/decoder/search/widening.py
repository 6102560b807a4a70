"""Searching no wider than a list of outputs needs.

The *deficit* of a derivation is how much worse it is than the best, that of an edge the least of any derivation through
it (what Huang 2008 prunes forests by). The n best outputs of a sentence need about n edges, but a beam that looks
only at one cell must be far wider than their deficits, for it does not know what follows. So a narrow search comes
first. Going backwards over its result gives the best *outside* score of every node; the best of a cell is a bound for
the nodes still to be found there. Then the cells, from left to right, take what is within a deficit d of the best,
where d is the smallest with n known derivations within it.

The derivations within d are counted without listing them, by deficit in steps of d / `_BINS`, forwards over the nodes.
The counts by step are the digits of one integer: one step more is a shift, and counts add up as integers.

On the PPDB-like workload of `docs/decoder.md` 300 outputs take a sixth less time than if all cells of the goal are
searched up to the pop limit; one output, for which the narrow search is enough, takes a third of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.glue import GlueCell, Offer

# Percentages: how many of the 300 outputs of a search up to the pop limit are found on that workload; 98.7 % with these
# values. Differences in time are within the machine's noise unless stated.
#
# Steps of deficit; 16: 99.0 %.
_BINS = 32
_BITS = 64  # of a digit: enough for more derivations per step than any n-best list needs
_MASK = (1 << _BITS * _BINS) - 1
# Derivations to count per output, as some share one; 1: 98.4 %, 2: 99.5 %.
_DERIVATIONS_PER_OUTPUT = 1.2
# Factor by which the radius grows from round to round; 1.5: 98.5 %, 4: 98.9 %.
_RADIUS_FACTOR = 2.0
# The slack is `_MAX_SLACK` swings, or for n > 33 outputs `_SHARED_SLACK` / n swings.
# _MAX_SLACK matters for short lists. Of 30 outputs are found:
#   0: 98.3 %
#   0.25: 99.6 %
#   0.5: 99.9 %
#   0.75: all
_MAX_SLACK = 0.75
# Of 300 outputs are found:
#   25: 98.7 %
#   50: 99.3 %
#   100: 99.8 %, a fifth slower
_SHARED_SLACK = 25


class _Outside(NamedTuple):
    """Outside scores, computed back from the goal.

    `best` is the score of the best derivation, `score` the best outside score by node. `cells` holds, by cell, the best
    outside score of any of its nodes, a bound for nodes still to be found there, and its offers. `deficits` are those
    of all edges and offers.
    """

    best: float
    score: dict[int, float]
    cells: list[tuple[float, list[Offer]]]
    deficits: list[float]


class GlueChain:
    """Cells of glue, left to right: each appends to those before it."""

    def __init__(self, graph: Hypergraph) -> None:
        self._graph, self._slack = graph, 0.0
        self._cells: list[GlueCell] = []  # after the first outside pass only those that lead to the goal

    def append(self, cell: GlueCell) -> None:
        """Append the next cell."""
        self._cells.append(cell)

    def widen(self, n: int, swing: float) -> Iterator[None]:
        """After the narrow search, take what n outputs need; each further step takes more.

        `swing` is the beam of that search: how much what follows may change the difference between nodes.
        """
        radius, deficit = 0.0, math.inf
        # Nodes found later may have better outside scores. The longer a list, the less a single output matters.
        self._slack = swing * min(_MAX_SLACK, _SHARED_SLACK / n)
        while radius < deficit and not self._exhausted():
            outside = self._outside()
            deficit = self._deficit_of(math.ceil(n * _DERIVATIONS_PER_OUTPUT), outside)
            radius = min(deficit, max(swing, radius * _RADIUS_FACTOR)) or deficit
            self._take(radius, outside)
        yield
        for wider_radius in (_RADIUS_FACTOR * radius, math.inf):
            if not self._exhausted():
                self._take(wider_radius, self._outside())
                yield

    def _exhausted(self) -> bool:
        return all(cell.exhausted for cell in self._cells)

    def _take(self, radius: float, outside: _Outside) -> None:
        self._graph.radius = radius
        for cell, (bound, _) in zip(self._cells, outside.cells, strict=True):
            cell.take(outside.best - bound - radius - self._slack)

    def _outside(self) -> _Outside:
        """Compute the best outside scores, from the last cell back to the first.

        Offers count as if taken; if the node of one does not exist yet, the best outside score of its cell stands in.
        """
        score, edges = self._graph.score, self._graph.edges
        goals = self._cells[-1].nodes
        best = max([score[node] for node in goals])
        outside, cells, deficits = dict.fromkeys(goals, 0.0), list[tuple[float, list[Offer]]](), list[float]()
        leading = list[GlueCell]()
        for cell in reversed(self._cells):
            nodes = cell.nodes
            bound = max([outside.get(node, -math.inf) for node in nodes])
            if bound == -math.inf:
                continue
            offers = cell.offers()
            leading.append(cell)
            cells.append((bound, offers))
            taken = ((edge[0], edge[2][0], node) for node in nodes if node in outside for edge in edges[node])
            for inside, left, node in chain(taken, offers):
                through = inside + (bound if node is None else outside.get(node, bound))
                deficits.append(best - through)
                if through - score[left] > outside.get(left, -math.inf):
                    outside[left] = through - score[left]
        self._cells = leading[::-1]
        return _Outside(best, outside, cells[::-1], deficits)

    def _deficit_of(self, n: int, outside: _Outside) -> float:
        """Return the deficit within which n derivations are known; infinite if there are fewer."""
        # Within any but a small deficit there are far more derivations than edges.
        nearest = sorted(outside.deficits)[: n + 4 * len(self._cells)]
        per_bin = max([deficit for deficit in nearest if deficit < math.inf]) / (_BINS - 1)
        if per_bin <= 0.0:
            return math.inf
        total, score, edges = 0, self._graph.score, self._graph.edges
        counts: dict[int, int] = {}  # by node: derivations by deficit, as digits
        for cell, (bound, offers) in zip(self._cells, outside.cells, strict=True):
            for node in cell.nodes:
                best, count = score[node], 0
                for inside, _, tails in edges[node]:
                    steps = int((best - inside) / per_bin + 0.5)
                    if steps < _BINS:
                        count += counts.get(tails[0], 1) << steps * _BITS
                counts[node] = count & _MASK
            for inside, left, joined in offers:
                after = bound if joined is None else outside.score.get(joined, bound)
                deficit = outside.best - inside - after
                if deficit < _BINS * per_bin:  # negative if a pruned offer is better than all that was taken
                    total += counts.get(left, 1) << max(int(deficit / per_bin + 0.5), 0) * _BITS
        for node in self._cells[-1].nodes:
            if outside.best - score[node] < _BINS * per_bin:
                total += counts[node] << int((outside.best - score[node]) / per_bin + 0.5) * _BITS
        n_derivations = 0
        for step in range(_BINS):
            n_derivations += total >> step * _BITS & (1 << _BITS) - 1
            if n_derivations >= n:
                return (step + 0.5) * per_bin
        return math.inf
