"""Search over a forest with language models: cube pruning, on demand.

As in Joshua the pop limit holds for a span, over all its cubes and labels; applications without gaps and label changes
are all taken and do not count. Nor does the best combination of a cube, as long as there are no more of them than of
those that count: labels that only a bad rule makes would not be seen above. A cell of the goal is searched at once,
up to the pop limit or as far as the outputs that are wanted need (`sbmt.decoder.search.widening`). Any other yields its
hypotheses one by one as the cells above ask for them (`sbmt.decoder.search.cell`), for most are never asked for.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sbmt.arrays import Floats, ranges
from sbmt.decoder.forest import NO_ITEM, Cell, Forest
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.cell import LazyCell
from sbmt.decoder.search.glue import is_glue
from sbmt.decoder.search.joiner import Joiner
from sbmt.decoder.search.widening import GlueChain

_FORBIDDEN = -math.inf


def search(
    forest: Forest,
    weights: dict[str, float],
    joiner: Joiner,
    pop_limit: int,
    nbest: int | None = None,
    swing: float = math.inf,
) -> Iterator[Hypergraph]:
    """Find the best hypotheses; `joiner` uses the same weights. `pop_limit` 0 takes all.

    `nbest` is how many different outputs are wanted, None as many as there are; `swing` by how much the score of what
    follows may differ between hypotheses that cover the same words. Where glue puts the sentence together, no more is
    then taken than is needed. If a list turns out too short, go on: the same hypergraph comes again with more in it.
    """
    found = Search(forest, weights, joiner)
    try:
        yield from found.run(pop_limit or math.inf, nbest, swing)
    finally:
        found.waiting.clear()  # cells know the search: without a cycle all is freed at once


class Search:
    """What all cells share: the hypergraph, the nodes of each item (best first) and the scores of the rules."""

    def __init__(self, forest: Forest, weights: dict[str, float], joiner: Joiner) -> None:
        self.forest, self.joiner = forest, joiner
        self.graph = Hypergraph()
        self.nodes: list[list[int]] = [[] for _ in range(forest.n_items)]
        # By item: score of its best node or, of cells that were not looked into, what is promised; then a 0 for none.
        self.best = array("d", [_FORBIDDEN]) * forest.n_items + array("d", [0.0])
        self.waiting: dict[int, LazyCell] = {}  # by item: cells that may yield more
        self.height: dict[int, int] = {}  # by item: how many cells above one another were left for later
        self.first, self.count, self.tails = forest.cubes.first, forest.cubes.count, forest.cubes.tails
        self.heads, self.targets = forest.rules.head, forest.rules.target
        self._rule_scores = forest.rule_scores(weights)
        self.rule_score: list[float] = self._rule_scores.tolist()
        self.extra = forest.application_scores(weights)
        self.tables: dict[int, dict[int, int]] = {}  # by item: {state: node}, of those without gaps

    def run(self, pops: float, nbest: int | None, swing: float) -> Iterator[Hypergraph]:
        """Search every cell, and those of a chain again for a list."""
        graph, goal_label, chain = self.graph, self.forest.goal_label, GlueChain(self.graph)
        if nbest is None or pops == math.inf or (nbest > 1 and not self._reached_by_glue()):
            swing = math.inf
        self._take_lexical(swing if nbest == 1 else math.inf)
        for cell in self.forest.cells:
            if cell.derived == cell.end:
                continue
            active = LazyCell(self, cell, pops)
            if cell.derived < cell.unary:
                if pops < math.inf and goal_label not in cell.items and cell.unary == cell.end:
                    active.defer()
                    continue
                # Only cells of the goal are searched again for a list.
                glue = active.take_cubes(swing if nbest == 1 or goal_label in cell.items else math.inf)
                if glue is not None and goal_label in cell.items:
                    chain.append(self.nodes[cell.items[goal_label]], glue)
            if cell.unary < cell.end:
                active.change_labels()
            active.close()
        found = self.nodes[self.forest.goal] if self.forest.goal != NO_ITEM else []
        steps: Iterable[None] = [None]
        if found and nbest is not None and nbest > 1 and swing < math.inf:
            steps = chain.widen(nbest, swing)
        for _ in steps:
            graph.goals = sorted(found, key=graph.score.__getitem__, reverse=True)
            yield graph

    def _take_lexical(self, beam: float) -> None:
        """Take the applications without gaps, of all cells at once, that are within `beam` of their item's best."""
        lexical, graph, targets = self.forest.lexical, self.graph, self.targets
        if not len(lexical.rule):
            return
        values, states = zip(*self.joiner.phrases([targets[rule] for rule in lexical.rule.tolist()]), strict=True)
        score = self._rule_scores[lexical.rule] + self.joiner.weight * np.array(values)
        if self.extra:
            score += np.array(self.extra)[lexical.application]
        order = np.lexsort((-score, lexical.item))
        first = np.flatnonzero(np.diff(lexical.item[order], prepend=NO_ITEM))
        best = np.repeat(score[order[first]], np.diff(first, append=len(order)))
        order = order[(score[order] > _FORBIDDEN) & (score[order] >= best - beam)]
        columns = [column[order].tolist() for column in (lexical.item, score, lexical.application)]
        scores, edges, last = graph.score, graph.edges, NO_ITEM
        for index, item, whole, application in zip(order.tolist(), *columns, strict=True):
            if item != last:
                table, nodes, last = self.tables.setdefault(item, {}), self.nodes[item], item
                self.best[item] = whole
            state = states[index]
            if state in table:
                edges[table[state]].append((whole, application, ()))
            else:
                nodes.append(len(scores))
                table[state] = len(scores)
                scores.append(whole)
                graph.state.append(state)
                edges.append([(whole, application, ())])

    def _reached_by_glue(self) -> bool:
        """Whether all cells of the goal have no gaps, or are of glue that appends to what is before it."""
        goal = self.forest.goal_label
        cells = [cell for cell in self.forest.cells if goal in cell.items]
        goals = {cell.items[goal] for cell in cells}
        return all(self._appends(cell, goals) for cell in cells if cell.derived < cell.unary)

    def _appends(self, cell: Cell, goals: set[int]) -> bool:
        """Whether all that a cell has is glue whose first gap, and no other, is an item of the goal."""
        cubes = range(cell.derived, cell.unary)
        if cell.lexical < cell.derived or cell.unary < cell.end or not is_glue(self, cubes):
            return False
        gaps = [self.tails[cube] for cube in cubes]
        return all(tails[0] in goals and goals.isdisjoint(tails[1:]) for tails in gaps)

    def has(self, item: int, rank: int) -> bool:
        """Whether an item has a hypothesis of this rank; asks its cell for one more if need be."""
        if rank < len(self.nodes[item]):
            return True
        cell = self.waiting.get(item)
        return cell is not None and cell.next_best(item)

    def promise(self, cube: int) -> float:
        """What a cube's best rule and the best of its tails come to, the rule's words being seen by themselves."""
        first, count = self.first[cube], self.count[cube]
        best = max([self.estimate(rule) for rule in range(first, first + count)])
        if self.extra:
            application = self.forest.cubes.application[cube]
            best += max(self.extra[application : application + count])
        return best + sum([self.best[tail] for tail in self.tails[cube]])

    def best_rules(self, cubes: Sequence[int]) -> Floats:
        """Scores of the best rules of some cubes."""
        first, count = (np.array([column[cube] for cube in cubes]) for column in (self.first, self.count))
        scores = self._rule_scores[ranges(first, count)]
        found: Floats = np.maximum.reduceat(scores, np.cumsum(count) - count)
        return found

    def join(self, cube: int, rule: int, nodes: Sequence[int]) -> tuple[float, int]:
        """Score and state of a rule of a cube on chosen tail nodes."""
        graph, target = self.graph, self.targets[rule]
        states = tuple([graph.state[node] for node in nodes])
        value, state = self.joiner.known(target).get(states) or self.joiner.join(target, states)
        score = self.rule_score[rule] + self.joiner.weight * value
        if self.extra:
            score += self.extra[self.forest.cubes.application[cube] + rule - self.first[cube]]
        for node in nodes:
            score += graph.score[node]
        return score, state

    def estimate(self, rule: int) -> float:
        """What a rule promises before its tails are known."""
        return self.rule_score[rule] + self.joiner.weight * self.joiner.estimate(self.targets[rule])
