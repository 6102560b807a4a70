"""Searching no wider than a list of outputs needs.

The *deficit* of a derivation is how much worse it is than the best, that of an edge the least of any derivation through
it (what Huang 2008 prunes forests by). The n best outputs of a sentence rest on some n edges, but a beam that looks
only at what a cell has so far must be far wider than their deficits, for it knows nothing of what follows. So a narrow
search comes first. From what it found follows, backwards, the best *outside* score of every node; the best of a cell
bounds what the nodes still to be found there can come to. Then the cells, from left to right, take what is within a
deficit d of the best, and d is the smallest with n derivations below it, as far as they are known.

How many lie within d is counted without listing them, by deficit in steps of d / `_BINS`, forwards over the nodes.
Counts by step are the digits of one whole number: a step more is a shift, and numbers add.

On the PPDB-like workload of `docs/decoder.md` 300 outputs take a sixth less time so than where all cells of the goal
are searched up to the pop limit; one output, for which the narrow search is enough, takes a third of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.glue import GlueCell, Offer

# Of the 300 outputs that a search up to the pop limit has there, 98.7 % are found. Times differ by less than the
# machine's, unless it is said.
_BINS = 32  # 16: 99.0 %
_BITS = 64  # of a digit: more derivations per step than any list asks for
_MASK = (1 << _BITS * _BINS) - 1
_SPARE = 1.2  # derivations to count for an output, for some make the same; 1: 98.4 %, 2: 99.5 %
_STEP = 2.0  # how many times as far the next round looks; 1.5: 98.5 %, 4: 98.9 %
# Swings, at most, and for how many outputs they are shared out. The most counts for short lists: of 30 outputs all are
# found, 99.9 % with 0.5, 99.6 % with 0.25, 98.3 % with 0. Shared by 50: 99.3 % of 300; by 100: 99.8 %, a fifth slower.
_SLACK, _SLACKENED = 0.75, 25


class _Outside(NamedTuple):
    """What is known looking back from the goal.

    `best` is the score of the best derivation, `score` the best outside score by node. `cells` are, by cell, the best
    outside score of any of its nodes, a bound for nodes still to be found there, and what it has on offer. `deficits`
    are those of all edges and offers.
    """

    best: float
    score: dict[int, float]
    cells: list[tuple[float, list[Offer]]]
    deficits: list[float]


class GlueChain:
    """Cells of glue, left to right: each appends to those before it."""

    def __init__(self, graph: Hypergraph) -> None:
        self._graph, self._slack = graph, 0.0
        self._cells: list[GlueCell] = []  # after the first look ahead only what leads to the goal

    def append(self, cell: GlueCell) -> None:
        """The next cell."""
        self._cells.append(cell)

    def widen(self, n: int, swing: float) -> Iterator[None]:
        """After the narrow search, take what n outputs need; go on for more, step by step.

        `swing`, the beam of that search, is how much what follows may set nodes apart.
        """
        radius, wanted = 0.0, math.inf
        # What is found later may have better outside scores. The longer a list, the less a single output counts.
        self._slack = swing * min(_SLACK, _SLACKENED / n)
        while radius < wanted and not self._exhausted():
            outside = self._outside()
            wanted = self._deficit_of(math.ceil(n * _SPARE), outside)
            radius = min(wanted, max(swing, radius * _STEP)) or wanted
            self._take(radius, outside)
        yield
        for wider in (_STEP * radius, math.inf):
            if not self._exhausted():
                self._take(wider, self._outside())
                yield

    def _exhausted(self) -> bool:
        return all(cell.exhausted for cell in self._cells)

    def _take(self, radius: float, outside: _Outside) -> None:
        self._graph.radius = radius
        for cell, (most, _) in zip(self._cells, outside.cells, strict=True):
            cell.take(outside.best - most - radius - self._slack)

    def _outside(self) -> _Outside:
        """Best outside scores, from the last cell back to the first.

        What is on offer counts as if taken; if its node does not exist yet, the best outside score of its cell stands
        in.
        """
        score, edges = self._graph.score, self._graph.edges
        goals = self._cells[-1].nodes
        best = max([score[node] for node in goals])
        found, cells, deficits = dict.fromkeys(goals, 0.0), list[tuple[float, list[Offer]]](), list[float]()
        leading = list[GlueCell]()
        for cell in reversed(self._cells):
            nodes = cell.nodes
            most = max([found.get(node, -math.inf) for node in nodes])
            if most == -math.inf:
                continue
            offers = cell.offers()
            leading.append(cell)
            cells.append((most, offers))
            made = ((edge[0], edge[2][0], node) for node in nodes if node in found for edge in edges[node])
            for whole, left, node in chain(made, offers):
                through = whole + (most if node is None else found.get(node, most))
                deficits.append(best - through)
                if through - score[left] > found.get(left, -math.inf):
                    found[left] = through - score[left]
        self._cells = leading[::-1]
        return _Outside(best, found, cells[::-1], deficits)

    def _deficit_of(self, n: int, outside: _Outside) -> float:
        """The deficit within which n derivations are known; infinite if there are fewer."""
        # Far more derivations than edges lie within a deficit that is not small.
        nearest = sorted(outside.deficits)[: n + 4 * len(self._cells)]
        per_bin = max([deficit for deficit in nearest if deficit < math.inf]) / (_BINS - 1)
        if per_bin <= 0.0:
            return math.inf
        total, score, edges = 0, self._graph.score, self._graph.edges
        counts: dict[int, int] = {}  # by node: derivations by deficit, as digits
        for cell, (most, offers) in zip(self._cells, outside.cells, strict=True):
            for node in cell.nodes:
                best, count = score[node], 0
                for whole, _, tails in edges[node]:
                    steps = int((best - whole) / per_bin + 0.5)
                    if steps < _BINS:
                        count += counts.get(tails[0], 1) << steps * _BITS
                counts[node] = count & _MASK
            for offered, left, joined in offers:
                after = most if joined is None else outside.score.get(joined, most)
                deficit = outside.best - offered - after
                if deficit < _BINS * per_bin:  # negative, where pruning left what is better than all that was taken
                    total += counts.get(left, 1) << max(int(deficit / per_bin + 0.5), 0) * _BITS
        for node in self._cells[-1].nodes:
            if outside.best - score[node] < _BINS * per_bin:
                total += counts[node] << int((outside.best - score[node]) / per_bin + 0.5) * _BITS
        known = 0
        for step in range(_BINS):
            known += total >> step * _BITS & (1 << _BITS) - 1
            if known >= n:
                return (step + 0.5) * per_bin
        return math.inf
