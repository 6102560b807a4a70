"""Search over a forest with language models: cube pruning, on demand.

As in Joshua the pop limit holds for a span, over all its cubes and labels; applications without gaps and unary rules
are all taken and do not count. The best combination of each cube does not count either, for up to pop limit - 1 cubes,
so that a label which only a poor rule makes is still seen by the cells above. A cell of the goal is searched at once,
up to the pop limit or as far as the requested outputs need (`sbmt.decoder.search.widening`). Any other yields its
hypotheses one by one as the cells above ask for them (`sbmt.decoder.search.cell`), or is not searched before they do
(`sbmt.decoder.search.deferred`), for most hypotheses are never requested.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from sbmt.decoder.forest import NO_ITEM, Cell, Forest
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.cell import LazyCell
from sbmt.decoder.search.chart import FORBIDDEN, SearchChart
from sbmt.decoder.search.deferred import defer, seeds
from sbmt.decoder.search.forest_cache import GlueCube
from sbmt.decoder.search.glue import GlueCell
from sbmt.decoder.search.joiner import Joiner
from sbmt.decoder.search.scorer import Scorer
from sbmt.decoder.search.widening import GlueChain

# How many cells of more words than this may be deferred one above the other. A request to the topmost recurses through
# all of them and through those of fewer words, five to eight calls per cell, and Python allows 1,000.
_MAX_DEPTH = 50


def search(
    forest: Forest,
    weights: dict[str, float],
    joiner: Joiner,
    pop_limit: int,
    nbest: int | None,
    swing: float,
    longest_last: bool = False,
) -> Iterator[Hypergraph]:
    """Find the best hypotheses; `joiner` uses the same weights. `pop_limit` 0 takes all.

    `nbest` is how many different outputs are requested (None: all), `swing` by how much the score of what follows may
    differ between hypotheses that cover the same words. Where glue alone makes the goal, no more is taken than that
    needs. If an n-best list turns out too short, go on: the same hypergraph is yielded again with more in it.
    `longest_last` as in `sbmt.decoder.settings`.
    """
    chart = SearchChart(forest.n_items)
    try:
        scorer = Scorer(forest, weights, joiner)
        yield from _Search(forest, scorer, chart, pop_limit or math.inf, longest_last).run(nbest, swing)
    finally:
        chart.close()


class _Search:
    """Goes over the cells from the bottom up; `pops` is the pop limit."""

    def __init__(self, forest: Forest, scorer: Scorer, chart: SearchChart, pops: float, longest_last: bool) -> None:
        self._forest, self._scorer, self._chart, self._pops = forest, scorer, chart, pops
        # Of glue's cubes, which are sorted by the left end of their last phrase, descending.
        self._order = -1 if longest_last else 1
        self._chain = GlueChain(chart.graph)
        # By item of a long deferred cell: how many such cells are nested, this one included.
        self._depths: dict[int, int] = {}

    def run(self, nbest: int | None, swing: float) -> Iterator[Hypergraph]:
        """Search every cell, and those of a chain again for an n-best list."""
        chart, graph, goal = self._chart, self._chart.graph, self._forest.goal
        if nbest is None or self._pops == math.inf or (nbest > 1 and not self._is_chained()):
            swing = math.inf
        beam = swing if nbest == 1 else math.inf  # only cells of the goal are searched again for an n-best list
        lexical = self._scorer.lexical(beam)
        if lexical is not None:
            chart.begin(lexical)
        for cell in self._forest.cells:
            if self._forest.goal_label in cell.items:
                self._take(cell, swing)
            elif not self._defer(cell):
                self._take(cell, beam)
        goals = chart.nodes[goal] if goal != NO_ITEM else []
        steps: Iterable[None] = [None]
        if goals and nbest is not None and nbest > 1 and swing < math.inf:
            steps = self._chain.widen(nbest, swing)
        for _ in steps:
            graph.goals = sorted(goals, key=graph.score.__getitem__, reverse=True)
            yield graph

    def _defer(self, cell: Cell) -> bool:
        """Defer a cell that has rules with gaps and no unary ones; returns False if it is to be searched at once.

        That is without a pop limit, and above too many deferred cells.
        """
        if self._pops == math.inf or not cell.derived < cell.unary == cell.end:
            return False
        start, end = cell.span
        if end - start > _MAX_DEPTH:
            tails, cubes = self._scorer.tails, range(cell.derived, cell.unary)
            depth = 1 + max([self._depths.get(item, 0) for cube in cubes for item in tails[cube]])
            if depth > _MAX_DEPTH:
                return False
            self._depths.update(dict.fromkeys(cell.numbers, depth))
        defer(self._chart, self._scorer, cell, self._pops)
        return True

    def _take(self, cell: Cell, beam: float) -> None:
        """Search a cell at once. Of glue, only what is within `beam` of the best is taken."""
        if cell.derived == cell.end:
            return
        cubes, best = seeds(self._chart, self._scorer, cell, self._pops), self._chart.best
        glue = [cube for cube in self._scorer.glue(cubes) if best[cube.left] > FORBIDDEN < best[cube.right]]
        if glue:
            self._take_glue(cell, glue, beam)
            cubes = range(0)
        if cubes or cell.unary < cell.end:
            lazy_cell = LazyCell(self._chart, self._scorer, cell, self._pops)
            lazy_cell.take(cubes)
            lazy_cell.apply_unary()
            lazy_cell.close()

    def _take_glue(self, cell: Cell, cubes: list[GlueCube], beam: float) -> None:
        label = self._scorer.label(cubes[0].rule)
        glue_cell = GlueCell(self._chart, self._scorer, cubes[:: self._order], cell.items[label], self._pops)
        glue_cell.start(beam)
        if label == self._forest.goal_label:
            self._chain.append(glue_cell)

    def _is_chained(self) -> bool:
        cache = self._scorer.forest_cache
        if cache.chained is None:
            cache.chained = self._reached_by_glue()
        return cache.chained

    def _reached_by_glue(self) -> bool:
        """Whether every cell of the goal has no gaps, or consists of glue that appends to another cell of the goal."""
        goal = self._forest.goal_label
        cells = [cell for cell in self._forest.cells if goal in cell.items]
        goals = {cell.items[goal] for cell in cells}
        return all(self._appends(cell, goals) for cell in cells if cell.derived < cell.unary)

    def _appends(self, cell: Cell, goals: set[int]) -> bool:
        """Whether a cell consists of glue whose first gap, and no other, is an item of the goal."""
        cubes = range(cell.derived, cell.unary)
        if cell.lexical < cell.derived or cell.unary < cell.end or not self._scorer.is_glue(cubes):
            return False
        gaps = [self._scorer.tails[cube] for cube in cubes]
        return all(tails[0] in goals and goals.isdisjoint(tails[1:]) for tails in gaps)
