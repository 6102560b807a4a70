"""Cells that are not looked into before somebody wants their hypotheses, and which cubes of a cell are looked into.

Until then the item of such a cell is worth what the cell *promises*: the best that rules and tails come to without
context. On the PPDB-like workload of `docs/decoder.md` one output takes less than a third of the time of a search of
all cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from sbmt.decoder.forest import Cell
from sbmt.decoder.search.cell import LazyCell
from sbmt.decoder.search.chart import FORBIDDEN, SearchChart
from sbmt.decoder.search.scorer import Scorer
from sbmt.decoder.tails import TailColumn

# By pop limit: how much better than promised a cell may be, as a share of what context can do.
_GAIN = 10  # sums as for `cell._MARGIN`; 0: -13495.7; 40: as with 10, but PPDB-like ones take a quarter more time
# How many unsearched cells may lie one above the other. Searching the topmost recurses through all of them, seven calls
# per cell, and Python allows 1,000; results are the same for all values from 0 to 100.
_HIGHEST = 50
# Cubes of a cell that are looked into, at least, for syntactic labels make thousands: at pop limit 1 the best scores of
# 25 SAMT sentences come to -5682.0 with 20 or 80, -5683.0 with 10 and -5710.2 with none beyond twice the pop limit.
_MIN_SEEDS = 20


def defer(chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> None:
    """Postpone the search of a cell.

    One with a single item is not searched yet: an optimistic estimate stands for its best score. Of others only the
    best hypothesis of each item is found. Both yield more on request.
    """
    cubes = _promising(chart, scorer, cell, pops)
    gain = scorer.joiner.swing * _GAIN / pops  # the fewer are taken, the more their order counts
    if len(cell.items) == 1 and gain < math.inf:
        heights, tails = chart.heights, scorer.tails
        height = 1 + max([heights[tail] for cube in cubes for tail in tails[cube]], default=0)
        if height <= _HIGHEST:
            chart.wait(cell.numbers, DeferredCell(chart, scorer, cell, pops, cubes))
            [item] = cell.items.values()
            heights[item] = height
            chart.best[item] = max([chart.best[item], *[scorer.promise(cube) + cubes[cube] + gain for cube in cubes]])
            return
    LazyCell(chart, scorer, cell, pops).defer(cubes)


def seeds(chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> Sequence[int]:
    """The cubes of a cell that are looked into: all, as a range, or of very many the promising ones."""
    cubes = range(cell.derived, cell.unary)
    return cubes if len(cubes) <= _most(pops) else list(_promising(chart, scorer, cell, pops))


def _most(pops: float) -> float:
    return max(2 * pops, _MIN_SEEDS)


def _promising(chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> dict[int, float]:
    """The cubes of a cell that have something in every gap, and what the best in their gaps adds up to.

    Of very many cubes, those whose best parts add up to most.
    """
    cubes, tails, best, most = range(cell.derived, cell.unary), scorer.tails, chart.best, _most(pops)
    if isinstance(tails, TailColumn):
        sums = tails.sums(cubes, best)
    else:
        alone = [sum([best[gap] for gap in gaps]) for gaps in tails[cubes.start : cubes.stop]]
        if len(alone) <= most:
            return {cube: total for cube, total in zip(cubes, alone, strict=True) if total > FORBIDDEN}
        sums = np.array(alone)
    some = np.flatnonzero(sums > FORBIDDEN)
    if len(some) > most:
        parts = sums[some] + scorer.best_rules(some + cubes.start)
        some = np.sort(some[np.argpartition(-parts, int(most))[: int(most)]])
    return dict(zip((some + cubes.start).tolist(), sums[some].tolist(), strict=True))


class DeferredCell:
    """A cell of one item that was not looked into. The nodes that words alone make are out of sight until then."""

    def __init__(self, chart: SearchChart, scorer: Scorer, cell: Cell, pops: float, cubes: Iterable[int]) -> None:
        self._chart, self._scorer, self._cell, self._pops, self._cubes = chart, scorer, cell, pops, cubes
        own = chart.nodes[cell.numbers.start]
        self._nodes = own.copy()
        own.clear()

    def next_best(self, item: int) -> bool:
        """Look into the cell, which from then on waits itself, and append the best node; False if there is none."""
        nodes = self._chart.nodes[item]
        nodes += self._nodes
        LazyCell(self._chart, self._scorer, self._cell, self._pops).defer(self._cubes)
        return bool(nodes)
