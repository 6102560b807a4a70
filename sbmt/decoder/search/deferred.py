"""Cells that are not searched until their hypotheses are requested, and the choice of the cubes to search.

Until then the best score of such a cell's item is what the cell *promises*: the best sum over a rule and tails without
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

# How much better than promised a cell may be: this times the swing, divided by the pop limit. Sums of best scores, as
# for `cell._MARGIN`:
#   0: -13495.7
#   10 and 40: the same, but with 40 PPDB-like sentences take a quarter more time
_GAIN = 10
# How many unsearched cells may be nested. Searching the topmost recurses through all of them, seven calls per cell, and
# Python allows 1,000. Results are the same for all values from 0 to 100.
_MAX_HEIGHT = 50
# How many cubes of a cell are searched at most, as a multiple of the pop limit; syntactic labels make thousands.
# Sums of best scores of 100 SAMT sentences at pop limit 10 (Joshua 6.2: -22428.2):
#   1: -22428.3
#   1.5: -22424.7
#   2: -22423.4, in 6 % more time
_SEEDS_PER_POP = 1.5
# How many are searched whatever the limit. Sums of 25 of these sentences at pop limit 1:
#   0: -5776.1
#   10: -5683.0
#   15 to 80: -5682.0
_MIN_SEEDS = 15


def defer(chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> None:
    """Postpone the search of a cell.

    A cell with a single item is not searched yet: an optimistic estimate stands for its best score. In others only the
    best hypothesis of each item is found. Both yield more on request.
    """
    cubes = _promising(chart, scorer, cell, pops)
    gain = scorer.joiner.swing * _GAIN / pops  # the lower the pop limit, the more the order counts
    if len(cell.items) == 1 and gain < math.inf:
        heights, tails = chart.heights, scorer.tails
        height = 1 + max([heights[tail] for cube in cubes for tail in tails[cube]], default=0)
        if height <= _MAX_HEIGHT:
            chart.wait(cell.numbers, DeferredCell(chart, scorer, cell, pops, cubes))
            [item] = cell.items.values()
            heights[item] = height
            chart.best[item] = max([chart.best[item], *[scorer.promise(cube) + cubes[cube] + gain for cube in cubes]])
            return
    LazyCell(chart, scorer, cell, pops).start(cubes)


def seeds(chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> Sequence[int]:
    """Return the cubes of a cell to search: all, as a range, or if there are very many the most promising ones."""
    cubes = range(cell.derived, cell.unary)
    return cubes if len(cubes) <= _max_seeds(pops) else list(_promising(chart, scorer, cell, pops))


def _max_seeds(pops: float) -> float:
    return max(_SEEDS_PER_POP * pops, _MIN_SEEDS)


def _promising(chart: SearchChart, scorer: Scorer, cell: Cell, pops: float) -> dict[int, float]:
    """Return the cubes of a cell with a node in every gap, and the sum of the best scores in their gaps.

    Of very many cubes only those with the best such sum, including their best rule, are returned.
    """
    cubes, tails, best, limit = range(cell.derived, cell.unary), scorer.tails, chart.best, _max_seeds(pops)
    if isinstance(tails, TailColumn):
        sums = tails.sums(cubes, best)
    else:
        totals = [sum([best[gap] for gap in gaps]) for gaps in tails[cubes.start : cubes.stop]]
        if len(totals) <= limit:
            return {cube: total for cube, total in zip(cubes, totals, strict=True) if total > FORBIDDEN}
        sums = np.array(totals)
    filled = np.flatnonzero(sums > FORBIDDEN)
    if len(filled) > limit:
        scores = sums[filled] + scorer.best_rules(filled + cubes.start)
        filled = np.sort(filled[np.argpartition(-scores, int(limit))[: int(limit)]])
    return dict(zip((filled + cubes.start).tolist(), sums[filled].tolist(), strict=True))


class DeferredCell:
    """A cell of one item that is not searched yet. Until then the nodes of its lexical cubes are hidden."""

    def __init__(self, chart: SearchChart, scorer: Scorer, cell: Cell, pops: float, cubes: Iterable[int]) -> None:
        self._chart, self._scorer, self._cell, self._pops, self._cubes = chart, scorer, cell, pops, cubes
        item_nodes = chart.own(cell.numbers.start)
        self._nodes = item_nodes.copy()
        item_nodes.clear()

    def next_best(self, item: int) -> bool:
        """Start searching the cell, which replaces this one in the chart; returns False if it has no node."""
        nodes = self._chart.own(item)
        nodes += self._nodes
        LazyCell(self._chart, self._scorer, self._cell, self._pops).start(self._cubes)
        return bool(nodes)
