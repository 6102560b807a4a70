"""Search over a forest with language models: cube pruning, on demand.

As in Joshua the pop limit holds for a span, over all its cubes and labels; applications without gaps and label changes
are all taken and do not count. Nor does the best combination of a cube, as long as there are no more of them than of
those that count: labels that only a bad rule makes would not be seen above. A cell of the goal is searched at once,
up to the pop limit or as far as the outputs that are wanted need (`sbmt.decoder.widening`). Any other yields its
hypotheses one by one as the cells above ask for them (as in cube growing, Huang & Chiang 2007), for most are never
asked for: it looks ahead until the best combination left is `_MARGIN` worse than the one it gives away.
"""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

import numpy as np

from sbmt.decoder.cube import Cube, Heap
from sbmt.decoder.forest import NO_ITEM, Cell, Forest
from sbmt.decoder.glue import GlueCell, is_glue
from sbmt.decoder.hypergraph import Edge, Hypergraph
from sbmt.decoder.states import Joiner
from sbmt.decoder.tails import TailColumn
from sbmt.decoder.view import ranges
from sbmt.decoder.widening import Chain
from sbmt.ppdb.columns import Floats

_FORBIDDEN = -math.inf
_MARGIN = 0.5
_GAIN = 10  # by pop limit: how much better than promised a cell may be, as a share of what context can do
_MIN_SEEDS = 20  # cubes of a cell that are looked into, at least: syntactic labels make thousands


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
        # By item: score of its best node or, of cells that were not looked into, what is promised.
        self.best = array("d", [_FORBIDDEN]) * forest.n_items
        self.waiting: dict[int, ActiveCell] = {}  # by item: cells that may yield more
        self.first, self.count, self.tails = forest.cubes.first, forest.cubes.count, forest.cubes.tails
        self.heads, self.targets = forest.rules.head, forest.rules.target
        self._rule_scores = forest.rule_scores(weights)
        self.rule_score: list[float] = self._rule_scores.tolist()
        self.extra = forest.application_scores(weights)
        self.tables: dict[int, dict[int, int]] = {}  # by item: {state: node}, of those without gaps

    def run(self, pops: float, nbest: int | None, swing: float) -> Iterator[Hypergraph]:
        """Search every cell, and those of a chain again for a list."""
        graph, goal_label, chain = self.graph, self.forest.goal_label, Chain(self.graph)
        if nbest is None or pops == math.inf or (nbest > 1 and not self._reached_by_glue()):
            swing = math.inf
        self._take_lexical(swing if nbest == 1 else math.inf)
        for cell in self.forest.cells:
            if cell.derived == cell.end:
                continue
            active = ActiveCell(self, cell, pops)
            if cell.derived < cell.unary:
                if pops < math.inf and goal_label not in cell.items and cell.unary == cell.end:
                    active.wait()
                    continue
                glue = active.take_cubes(swing)
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
        for index, item, best, application in zip(order.tolist(), *columns, strict=True):
            if item != last:
                table, nodes, last = self.tables.setdefault(item, {}), self.nodes[item], item
                self.best[item] = best
            state = states[index]
            if state in table:
                edges[table[state]].append((best, application, ()))
            else:
                nodes.append(len(scores))
                table[state] = len(scores)
                scores.append(best)
                graph.state.append(state)
                edges.append([(best, application, ())])

    def _reached_by_glue(self) -> bool:
        """Whether all cells of the goal are of glue only, or have no gaps."""
        for cell in self.forest.cells:
            if self.forest.goal_label in cell.items and cell.derived < cell.unary:
                if cell.lexical < cell.derived or cell.unary < cell.end:
                    return False
                if not is_glue(self, range(cell.derived, cell.unary)):
                    return False
        return True

    def has(self, item: int, rank: int) -> bool:
        """Whether an item has a hypothesis of this rank; asks its cell for one more if need be."""
        if rank < len(self.nodes[item]):
            return True
        cell = self.waiting.get(item)
        return cell is not None and cell.give(item)

    def promise(self, cube: int) -> float:
        """What a cube's best rule and the best of its tails come to, the rule's words being seen by themselves."""
        best, first = _FORBIDDEN, self.first[cube]
        rules = range(first, first + self.count[cube])
        for rule in sorted(rules, key=self.rule_score.__getitem__, reverse=True):
            if self.rule_score[rule] <= best:
                break
            best = max(best, self.estimate(rule))
        if self.extra:
            application = self.forest.cubes.application[cube]
            best += max(self.extra[application : application + len(rules)])
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


class ActiveCell:
    """A cell under search."""

    def __init__(self, search: Search, cell: Cell, pops: float) -> None:
        self._search, self._cell, self._graph = search, cell, search.graph
        tables = search.tables
        self._tables = {label: tables[item] for label, item in cell.items.items() if item in tables}
        self._heap: Heap = []
        self._cubes: dict[int, Cube] = {}
        self._pops, self._free = pops, pops - 1
        self._ready: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)  # by item: a heap of what was found
        self._given: set[int] = set()
        self._looked = False

    def _add(self, label: int, state: int, edge: Edge) -> int:
        """One more hypothesis; returns its node if that is new or better than it was, otherwise -1."""
        graph, score = self._graph, edge[0]
        table = self._tables.get(label)
        if table is None:
            table = self._tables[label] = {}
        node = table.get(state)
        if node is None or (score > graph.score[node] and node in self._given):
            # A node that was given away keeps its score, for others rest on it: something better becomes another.
            node = table[state] = graph.add_node(state, edge)
            return node
        graph.edges[node].append(edge)
        if score > graph.score[node]:
            graph.score[node] = score
            return node
        return -1

    def _promising(self) -> list[int]:
        """The cubes that have something in every gap; of very many, those whose best parts add up to most."""
        search, most = self._search, max(2 * self._pops, _MIN_SEEDS)
        cubes, tails, best = range(self._cell.derived, self._cell.unary), search.tails, search.best
        if isinstance(tails, TailColumn):
            sums = tails.sums(cubes, best)
        else:
            alone = [sum([best[gap] for gap in gaps]) for gaps in tails[cubes.start : cubes.stop]]
            if len(alone) <= most:
                return [number for number, total in zip(cubes, alone, strict=True) if total > _FORBIDDEN]
            sums = np.array(alone)
        found = np.flatnonzero(sums > _FORBIDDEN)
        if len(found) > most:
            parts = sums[found] + search.best_rules((found + cubes.start).tolist())
            found = np.sort(found[np.argpartition(-parts, int(most))[: int(most)]])
        return (found + cubes.start).tolist()  # type: ignore[no-any-return]

    def _open(self, numbers: Sequence[int]) -> None:
        """Offer the first combination of some cubes."""
        tails, has = self._search.tails, self._search.has
        for number in numbers:
            if all(has(tail, 0) for tail in tails[number]):
                cube = self._cubes[number] = Cube(self._search, number)
                cube.offer(self._heap, (0,) * len(cube.axes))

    def take_cubes(self, beam: float) -> GlueCell | None:
        """Take the best combinations, up to the pop limit; those of glue, no more than `beam` below the best."""
        search, numbers = self._search, self._promising()
        if is_glue(search, numbers):
            table = self._tables.setdefault(search.heads[search.first[numbers[0]]], {})
            glue = GlueCell(search, numbers, table, self._pops)
            glue.take(-math.inf, beam)
            return glue
        self._open(numbers)
        while self._heap and self._pops > 0:
            self._pop()
        return None

    def _pop(self) -> tuple[int, int]:
        """Take one combination; returns (label, node) if it made a node or bettered one, otherwise (label, -1)."""
        cost, number, ranks, state = heappop(self._heap)
        cube = self._cubes[number]
        label, application, nodes = cube.taken(ranks)
        node = -1
        if cost < math.inf:
            if any(ranks) or not self._free:
                self._pops -= 1
            else:
                self._free -= 1
            node = self._add(label, state, (-cost, application, nodes))
        cube.grow(self._heap, ranks)
        return label, node

    def change_labels(self) -> None:
        """Take all unary applications, in the order given."""
        search, cell = self._search, self._cell
        labels = {item: label for label, item in cell.items.items()}
        for cube in range(cell.unary, cell.end):
            for node in self._sorted(self._tables.get(labels[search.tails[cube][0]], {})):
                rule = search.first[cube]
                score, state = search.join(cube, rule, (node,))
                if score > _FORBIDDEN:
                    self._add(search.heads[rule], state, (score, search.forest.cubes.application[cube], (node,)))

    def close(self) -> None:
        """The cell is complete: order its nodes."""
        for label, table in self._tables.items():
            item = self._cell.items[label]
            nodes = self._search.nodes[item]
            nodes[:] = self._sorted(table)
            if nodes:
                self._search.best[item] = self._graph.score[nodes[0]]

    def _sorted(self, table: dict[int, int]) -> list[int]:
        return sorted(table.values(), key=self._graph.score.__getitem__, reverse=True)

    def wait(self) -> None:
        """Give the best node of every item, as far as the pop limit goes, and others only when they are asked for.

        A cell of one item promises something, and is looked into when that is asked for.
        """
        search, items, nodes = self._search, self._cell.items, self._search.nodes
        search.waiting.update(dict.fromkeys(items.values(), self))
        for label in self._tables:
            item = items[label]
            self._ready[item] = [(-self._graph.score[node], node) for node in nodes[item]]
            nodes[item].clear()
        if len(items) == 1:
            [item] = items.values()
            gain = search.joiner.swing * _GAIN / self._pops  # the fewer are taken, the more their order counts
            promises = [search.promise(number) + gain for number in self._promising()]
            promises += [-cost for cost, _ in self._ready[item][:1]]
            if promises:
                search.best[item] = max(promises)
            return
        self._look()
        for item in items.values():
            if item in self._ready or (self._heap and self._pops > 0):
                self.give(item)

    def _look(self) -> None:
        """Look into the cell."""
        self._looked = True
        self._open(self._promising())

    def give(self, item: int) -> bool:
        """Append the next best node to an item; False if there is none."""
        if not self._looked:
            self._look()
        ready, heap, given, score = self._ready[item], self._heap, self._given, self._graph.score
        search, items = self._search, self._cell.items
        while heap and self._pops > 0 and (not ready or heap[0][0] < ready[0][0] + _MARGIN):
            label, node = self._pop()
            if node >= 0:
                heappush(self._ready[items[label]], (-score[node], node))
        while ready:
            _, node = heappop(ready)
            if node not in given:
                given.add(node)
                if not search.nodes[item]:
                    search.best[item] = score[node]
                search.nodes[item].append(node)
                return True
        if not search.nodes[item]:
            search.best[item] = _FORBIDDEN
        return False
