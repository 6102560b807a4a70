"""Stack decoding with a distortion limit (Koehn, Och & Marcu 2003; Koehn 2004): the search of the phrase-based decoder.

A hypothesis has translated a set of source words, left to right on the target side; hypotheses that have translated
equally many share a stack, where the best by score + estimated score of the untranslated words survive.
"""

from __future__ import annotations

import math
from heapq import heappush, heappushpop
from typing import NamedTuple

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import NO_APPLICATION, Hypergraph
from sbmt.decoder.search.joiner import Joiner
from sbmt.decoder.settings import PhraseSettings
from sbmt.lm.symbols import BEGIN, END

DISTORTION = "Distortion"


class _Option(NamedTuple):
    """A phrase over a span: score with and without the language models' estimate, application, state of its words."""

    estimate: float
    score: float
    application: int
    state: int


class _Partial(NamedTuple):
    """A hypothesis: `gap` is the first word not translated, `end` is where the last phrase ended.

    Bit i of `beyond` says whether word `gap` + i is translated. `outlook` is the estimated score of the words that are
    not.
    """

    node: int
    gap: int
    beyond: int
    end: int
    outlook: float


class StackSearch:
    """The search of one forest; `joiner` uses the same weights."""

    def __init__(self, forest: Forest, weights: dict[str, float], joiner: Joiner, settings: PhraseSettings) -> None:
        self._n, self._joiner, self._settings = len(forest.sentence), joiner, settings
        self._distortion = weights.get(DISTORTION, 0.0)
        self._limit = settings.distortion_limit if settings.distortion_limit >= 0 else self._n
        self._graph = Hypergraph()
        self._append = joiner.pair((0, 1))
        self._options = self._collect(forest, weights)
        self._starts: list[list[int]] = [[] for _ in range(self._n)]  # ends of the spans that have options
        for start, end in self._options:
            self._starts[start].append(end)
        self._longest = max((end - start for start, end in self._options), default=1)
        self._gaps, self._rest = self._future()
        self._stacks: list[dict[tuple[int, int, int], _Partial]] = [{} for _ in range(self._n + 1)]
        self._floors: list[list[float]] = [[] for _ in range(self._n + 1)]  # heaps of the best ranks of each stack

    def run(self) -> Hypergraph:
        """Fill the stacks one after the other; the goals are the hypotheses of the last, with the end mark."""
        [(_, begin)] = self._joiner.phrases([(BEGIN,)])
        node = self._graph.add_node(begin, (0.0, NO_APPLICATION, ()))
        self._stacks[0][(0, 0, begin)] = _Partial(node, 0, 0, 0, self._rest[0])
        for count in range(self._n):
            stack = sorted(self._stacks[count].values(), key=self._rank, reverse=True)
            for partial in stack[: self._settings.stack_size]:
                self._expand(partial, count)
        for partial in self._stacks[self._n].values():
            value, state = self._joiner.join((0, END), (self._graph.state[partial.node],))
            if value > -math.inf:
                score = self._graph.score[partial.node] + self._joiner.weight * value
                self._graph.goals.append(self._graph.add_node(state, (score, NO_APPLICATION, (partial.node,))))
        self._graph.goals.sort(key=self._graph.score.__getitem__, reverse=True)
        return self._graph

    def _collect(self, forest: Forest, weights: dict[str, float]) -> dict[tuple[int, int], list[_Option]]:
        """Return the best options of each span."""
        scores, joiner = forest.scores(weights), self._joiner
        options: dict[tuple[int, int], list[_Option]] = {}
        for cell in forest.cells:
            cell_options = []
            for cube in range(cell.lexical, cell.derived):
                first, begin, count = forest.cubes.first[cube], forest.cubes.application[cube], forest.cubes.count[cube]
                joins = joiner.phrases(forest.rules.target[first : first + count])
                for application, (value, state) in enumerate(joins, begin):
                    score = scores[application]
                    cell_options.append(_Option(score + joiner.weight * value, score, application, state))
            if cell_options and cell.span[0] < cell.span[1]:
                cell_options.sort(key=lambda option: -option.estimate)
                options[cell.span] = cell_options[: self._settings.options_per_span]
        return options

    def _future(self) -> tuple[dict[tuple[int, int], float], list[float]]:
        """Return the estimated score of each gap that hypotheses can leave, and of each rest of the sentence."""
        best = {span: options[0].estimate for span, options in self._options.items()}
        rest = [0.0] * (self._n + 1)
        for start in reversed(range(self._n)):
            rest[start] = max((best[start, end] + rest[end] for end in self._starts[start]), default=-math.inf)
        gaps: dict[tuple[int, int], float] = {}
        for width in range(1, min(self._n, self._limit + self._longest) + 1):
            for start in range(self._n - width + 1):
                end = start + width
                splits = [gaps[start, k] + gaps[k, end] for k in range(start + 1, end)]
                gaps[start, end] = max(splits, default=-math.inf)
                gaps[start, end] = max(gaps[start, end], best.get((start, end), -math.inf))
        return gaps, rest

    def _outlook(self, gap: int, beyond: int) -> float:
        """Return the estimated score of the untranslated words."""
        total, place, top = 0.0, 0, beyond.bit_length()
        while place < top:
            if beyond >> place & 1:
                place += 1
                continue
            end = place + 1
            while not beyond >> end & 1:
                end += 1
            total += self._gaps.get((gap + place, gap + end), -math.inf)
            place = end
        return total + self._rest[gap + top]

    def _rank(self, partial: _Partial) -> float:
        return self._graph.score[partial.node] + partial.outlook

    def _expand(self, partial: _Partial, count: int) -> None:
        """Translate one more span, if the distortion limit lets the decoder go there and come back."""
        gap, beyond = partial.gap, partial.beyond
        for start in range(gap, min(self._n, partial.end + self._limit + 1)):
            if beyond >> start - gap & 1 or abs(start - partial.end) > self._limit:
                continue
            for end in self._starts[start]:
                span = ((1 << end - start) - 1) << start - gap
                if not beyond & span and (start == gap or end - gap <= self._limit):
                    self._translate(partial, start, end, beyond | span, count + end - start)

    def _translate(self, partial: _Partial, start: int, end: int, beyond: int, count: int) -> None:
        """Try the options of a span, after which the words in `beyond` are translated.

        The language models are not asked about options that cannot enter their stack.
        """
        graph, stack, floor = self._graph, self._stacks[count], self._floors[count]
        base = graph.score[partial.node] - self._distortion * abs(start - partial.end)
        gap = partial.gap
        while beyond & 1:
            gap, beyond = gap + 1, beyond >> 1
        outlook, size = self._outlook(gap, beyond), self._settings.stack_size
        for option in self._options[start, end]:
            if len(floor) >= size and base + option.estimate + outlook < floor[0]:
                break
            value, state = self._append(graph.state[partial.node], option.state)
            score = base + option.estimate + self._joiner.weight * value
            rank = score + outlook
            if rank == -math.inf or (len(floor) >= size and rank < floor[0]):
                continue
            recombined = stack.get((beyond, end, state))  # within a stack, `gap` follows from these
            edge = (score, option.application, (partial.node,))
            if recombined is None:
                (heappush if len(floor) < size else heappushpop)(floor, rank)
                stack[beyond, end, state] = _Partial(graph.add_node(state, edge), gap, beyond, end, outlook)
            else:
                graph.edges[recombined.node].append(edge)
                graph.score[recombined.node] = max(score, graph.score[recombined.node])
