"""Phrase-based decoding: stacks of hypotheses with a distortion limit (Koehn, Och & Marcu 2003; Koehn 2004).

A hypothesis has translated a set of source words, left to right on the target side; hypotheses that have translated
equally many share a stack, where the best by score + estimated cost of what is left survive. Phrases, features,
language model states, n-best extraction and derivations are those of the chart decoder: a phrase table is a grammar
without gaps. The feature `Distortion` is minus the number of source words jumped over, forwards or backwards.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappush, heappushpop
from typing import NamedTuple

import numpy as np

from sbmt.arrays import Floats
from sbmt.config import check_bounds
from sbmt.decoder.base import ForestDecoder
from sbmt.decoder.collector import without_collector
from sbmt.decoder.features import FeatureFunction, StatefulFeature
from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import SEPARATOR, Hypergraph
from sbmt.decoder.hypothesis import Step
from sbmt.decoder.kbest.chains import KBest
from sbmt.decoder.kbest.lazy import Derivation
from sbmt.decoder.result import Result
from sbmt.decoder.search.joiner import Joiner
from sbmt.decoder.settings import Settings
from sbmt.lm.marks import BEGIN, END
from sbmt.ppdb.grammar import Grammar

DISTORTION = "Distortion"
_START = -2  # the application that makes the empty hypothesis


@dataclass(frozen=True, slots=True)
class PhraseSettings:
    """`distortion_limit`: most source words a jump may pass, -1 = any; `stack_size`: hypotheses kept a stack.

    `options_per_span`: best phrases tried for a span. Only words that no one-word phrase covers pass through, unless
    `pass_only_unknown` is off.
    """

    distortion_limit: int = 6
    stack_size: int = 100
    options_per_span: int = 20
    pass_only_unknown: bool = True

    def __post_init__(self) -> None:
        """Raises ConfigError for a number out of its bounds."""
        check_bounds(self, (("distortion_limit", -1, math.inf), ("stack_size options_per_span", 1, math.inf)))


class PhraseDecoder(ForestDecoder):
    """Decodes with phrase tables."""

    own_features = (DISTORTION,)

    def __init__(
        self,
        grammars: Sequence[Grammar],
        language_models: Sequence[StatefulFeature],
        weights: Mapping[str, float],
        settings: PhraseSettings | None = None,
        feature_functions: Sequence[FeatureFunction] = (),
    ) -> None:
        self.settings = settings or PhraseSettings()
        parsing = Settings(pass_only_unknown=self.settings.pass_only_unknown)
        super().__init__(grammars, language_models, weights, parsing, feature_functions)

    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> PhraseResult:
        """Search with the present weights and the language models; stacks are as large whatever is asked for."""
        weights = dict(self.weights)
        self._name_idle_weights(forest)
        joiner = self._remembering_joiner()
        joiner.weigh(weights)
        with without_collector():
            graph = _Search(forest, weights, joiner, self.settings).run() if forest.sentence else Hypergraph()
        return PhraseResult(forest, graph, weights, self.grammars, self.language_models)

    def _failure(self) -> str:
        return "no translation within the distortion limit"


class _Option(NamedTuple):
    """A phrase over a span: its own score, that with the language models' estimate, and the state of its words."""

    estimate: float
    score: float
    application: int
    state: int


class _Partial(NamedTuple):
    """A hypothesis: `covered` has a bit for each source word, `end` is where the last phrase ended."""

    node: int
    covered: int
    end: int


class _Search:
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
        """Fill the stacks one after the other; the goals are the hypotheses of the last, with the end of sentence."""
        [(_, begin)] = self._joiner.phrases([(BEGIN,)])
        node = self._graph.add_node(begin, (0.0, _START, ()))
        self._stacks[0][(0, 0, begin)] = _Partial(node, 0, 0)
        for count in range(self._n):
            stack = sorted(self._stacks[count].values(), key=self._rank, reverse=True)
            for partial in stack[: self._settings.stack_size]:
                self._expand(partial, count)
        for partial in self._stacks[self._n].values():
            value, state = self._joiner.join((0, END), (self._graph.state[partial.node],))
            score = self._graph.score[partial.node] + self._joiner.weight * value
            self._graph.goals.append(self._graph.add_node(state, (score, -1, (partial.node,))))
        self._graph.goals.sort(key=self._graph.score.__getitem__, reverse=True)
        return self._graph

    def _collect(self, forest: Forest, weights: dict[str, float]) -> dict[tuple[int, int], list[_Option]]:
        """The best options of each span."""
        scores, joiner = forest.scores(weights), self._joiner
        options: dict[tuple[int, int], list[_Option]] = {}
        for cell in forest.cells:
            found = []
            for cube in range(cell.lexical, cell.derived):
                first, begin, count = forest.cubes.first[cube], forest.cubes.application[cube], forest.cubes.count[cube]
                joins = joiner.phrases(forest.rules.target[first : first + count])
                for application, (value, state) in enumerate(joins, begin):
                    score = scores[application]
                    found.append(_Option(score + joiner.weight * value, score, application, state))
            if found and cell.span[0] < cell.span[1]:
                found.sort(key=lambda option: -option.estimate)
                options[cell.span] = found[: self._settings.options_per_span]
        return options

    def _future(self) -> tuple[dict[tuple[int, int], float], list[float]]:
        """Estimated score of each gap that hypotheses can leave, and of each rest of the sentence."""
        best = {span: found[0].estimate for span, found in self._options.items()}
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

    def _outlook(self, covered: int) -> float:
        """Estimated score of all that is not covered."""
        total, position, top = 0.0, 0, covered.bit_length()
        while position < top:
            if covered >> position & 1:
                position += 1
                continue
            end = position + 1
            while not covered >> end & 1:
                end += 1
            total += self._gaps.get((position, end), -math.inf)
            position = end
        return total + self._rest[top]

    def _rank(self, partial: _Partial) -> float:
        return self._graph.score[partial.node] + self._outlook(partial.covered)

    def _expand(self, partial: _Partial, count: int) -> None:
        """Translate one more span, if the distortion limit lets the decoder go there and come back."""
        covered, gap = partial.covered, 0
        while covered >> gap & 1:
            gap += 1
        for start in range(gap, min(self._n, partial.end + self._limit + 1)):
            if covered >> start & 1 or abs(start - partial.end) > self._limit:
                continue
            for end in self._starts[start]:
                span = ((1 << end - start) - 1) << start
                if not covered & span and (start == gap or end - gap <= self._limit):
                    self._translate(partial, start, end, covered | span, count + end - start)

    def _translate(self, partial: _Partial, start: int, end: int, covered: int, count: int) -> None:
        """Try the options of a span; those that cannot enter their stack cost no language model."""
        graph, stack, floor = self._graph, self._stacks[count], self._floors[count]
        base = graph.score[partial.node] - self._distortion * abs(start - partial.end)
        outlook, size = self._outlook(covered), self._settings.stack_size
        for option in self._options[start, end]:
            if len(floor) >= size and base + option.estimate + outlook < floor[0]:
                break
            value, state = self._append(graph.state[partial.node], option.state)
            score = base + option.estimate + self._joiner.weight * value
            rank = score + outlook
            if rank == -math.inf or (len(floor) >= size and rank < floor[0]):
                continue
            known = stack.get((covered, end, state))
            edge = (score, option.application, (partial.node,))
            if known is None:
                (heappush if len(floor) < size else heappushpop)(floor, rank)
                stack[covered, end, state] = _Partial(graph.add_node(state, edge), covered, end)
            else:
                graph.edges[known.node].append(edge)
                graph.score[known.node] = max(score, graph.score[known.node])


class _PhraseKBest(KBest):
    """Each phrase comes after what came before it."""

    def _words_after(self, application: int, arity: int) -> str | None:
        return "".join(f"{word}{SEPARATOR}" for word in self._forest.target(application))


class PhraseResult(Result):
    """The outputs of one sentence, best first."""

    kbest = _PhraseKBest

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns of the feature matrix; the distortion is the last."""
        return (*super().feature_names, DISTORTION)

    def _matrix(self, derivations: Sequence[Derivation], outputs: Sequence[Sequence[str]]) -> Floats:
        """Feature values, float64 [len(derivations), len(feature_names)]."""
        jumps = [-float(self._jumps(derivation)) for derivation in derivations]
        return np.column_stack([super()._matrix(derivations, outputs), jumps])

    def _jumps(self, derivation: Derivation) -> int:
        """Source words that the derivation jumps over."""
        total = position = 0
        for application in reversed(derivation.applications):
            start, end = self._forest.applications[application].span
            total += abs(start - position)
            position = end
        return total

    def _steps(self, applications: Sequence[int]) -> list[Step]:
        """The phrases in the order of the output."""
        found, position = [], 0
        for application in reversed(applications):
            (step,) = super()._steps([application])
            i, j = step.target_span
            alignment = tuple((source, target + position) for source, target in step.alignment)
            found.append(replace(step, target_span=(i + position, j + position), alignment=alignment))
            position += j - i
        return found
