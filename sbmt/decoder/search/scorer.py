"""Scores of rules under the weights of one search, alone and joined to the nodes in their gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from sbmt.arrays import Floats, Ints
from sbmt.decoder.forest import NO_ITEM, Forest
from sbmt.decoder.hypergraph import Hypergraph
from sbmt.decoder.search.forest_cache import GlueCube
from sbmt.decoder.search.joiner import Join, Joiner, PairJoin
from sbmt.decoder.search.lexical import LexicalNodes
from sbmt.lm.symbols import Symbol

# A rule at one place: its label, application, score without stateful features, target, and cached joins. (A plain
# tuple, for there are thousands per sentence, and named ones take seven times as long to make.)
Applied = tuple[int, int, float, tuple[Symbol, ...], dict[tuple[int, ...], Join]]


class Scorer:
    """Scores of the rules of a forest; `joiner` uses the same weights.

    `tails` are the items in the gaps, by cube; `forest_cache` holds what does not depend on weights.
    """

    def __init__(self, forest: Forest, weights: dict[str, float], joiner: Joiner) -> None:
        self.joiner, self.tails = joiner, forest.cubes.tails
        self.forest_cache = joiner.forest_cache(forest)
        cubes, rules = forest.cubes, forest.rules
        self._first, self._count, self._application = cubes.first, cubes.count, cubes.application
        self._head, self._target, self._joins = rules.head, rules.target, self.forest_cache.joins
        self._scores = forest.rule_scores(weights)
        self._score: list[float] = self._scores.tolist()
        self._extra = forest.application_scores(weights)
        # By rule: its score with its words scored by themselves; NaN until it is needed.
        self._promised: list[float] = (self._scores + joiner.weight * self.forest_cache.estimates).tolist()

    def lexical(self, beam: float) -> LexicalNodes | None:
        """Return the nodes of applications without gaps, pruned to within `beam` of their item's best; None: none."""
        groups = self.forest_cache.lexical
        if groups is None:
            return None
        scores = self._scores[groups.rule] + self.joiner.weight * groups.value
        if self._extra:
            scores += np.array(self._extra)[groups.application]
        return LexicalNodes(groups, scores, beam)

    def label(self, rule: int) -> int:
        """Return the label of a rule's left-hand side."""
        return self._head[rule]

    def application(self, cube: int, rule: int) -> int:
        """Return the application of a rule of a cube."""
        return self._application[cube] + rule - self._first[cube]

    def rules(self, cube: int) -> list[int]:
        """Return the rules of a cube, the most promising first."""
        first, count = self._first[cube], self._count[cube]
        if count == 1:
            return [first]
        self._ensure_promises(first, count)
        return sorted(range(first, first + count), key=self._promised.__getitem__, reverse=True)

    def only_rule(self, cube: int) -> int:
        """Return the rule of a cube that has a single one; -1 for others."""
        return self._first[cube] if self._count[cube] == 1 else -1

    def is_glue(self, cubes: Sequence[int]) -> bool:
        """Whether cubes have one rule each, with one or two gaps, all of one label; False if there are none."""
        rules = [self.only_rule(cube) for cube in cubes]
        if not rules or min(rules) < 0 or max([len(self.tails[cube]) for cube in cubes]) > 2:
            return False
        return len({self._head[rule] for rule in rules}) == 1

    def glue(self, cubes: Sequence[int]) -> list[GlueCube]:
        """Return the cubes as glue, or none if they are not. For all cubes of a cell, a range, the answer is cached."""
        cache = self.forest_cache.glue
        glue_cubes = cache.get(cubes.start) if isinstance(cubes, range) else None
        if glue_cubes is None:
            glue_cubes = [self._glue_cube(cube) for cube in cubes] if self.is_glue(cubes) else []
            if isinstance(cubes, range):
                cache[cubes.start] = glue_cubes
        return glue_cubes

    def _glue_cube(self, cube: int) -> GlueCube:
        rule, (left, *right) = self.only_rule(cube), self.tails[cube]
        return GlueCube(rule, self.application(cube, rule), left, right[0] if right else NO_ITEM)

    def score(self, rule: int, application: int) -> float:
        """Return the score of an application of a rule, without stateful features."""
        return self._score[rule] + self._extra[application] if self._extra else self._score[rule]

    def best_rules(self, cubes: Ints) -> Floats:
        """Return the score of the best rule of each of some cubes."""
        return self._best_from.take(np.asarray(self._first).take(cubes))

    @cached_property
    def _best_from(self) -> Floats:
        """By rule that is the first of a cube: the score of the cube's best rule."""
        is_first = np.zeros(len(self._scores), np.bool_)
        is_first[np.asarray(self._first)] = True
        begins = is_first.nonzero()[0]  # a cube has all rules of a source side, so its last is before the next of these
        best = np.full(len(self._scores), math.nan)
        best[begins] = np.maximum.reduceat(self._scores, begins)
        return best

    def promise(self, cube: int) -> float:
        """Return an estimate for a cube's best rule before its gaps are filled: its words are scored by themselves."""
        first, count = self._first[cube], self._count[cube]
        self._ensure_promises(first, count)
        best = max(self._promised[first : first + count])
        if self._extra:
            application = self._application[cube]
            best += max(self._extra[application : application + count])
        return best

    def _ensure_promises(self, first: int, count: int) -> None:
        """Compute the promises of the rules of a cube, unless they are known."""
        promised = self._promised
        if promised[first] != promised[first]:  # NaN
            joiner, estimates = self.joiner, self.forest_cache.estimates
            for rule in range(first, first + count):
                estimate = estimates[rule] = joiner.estimate(self._target[rule])
                promised[rule] = self._score[rule] + joiner.weight * estimate

    def applied(self, cube: int, rule: int) -> Applied:
        """Return a rule of a cube in the form that `join` needs."""
        application, target, cached_joins = self.application(cube, rule), self._target[rule], self._joins[rule]
        if cached_joins is None:
            cached_joins = self._joins[rule] = self.joiner.cached_joins(target)
        return self._head[rule], application, self.score(rule, application), target, cached_joins

    def join(self, graph: Hypergraph, applied: Applied, nodes: Sequence[int]) -> tuple[float, int]:
        """Return score and state of a rule on chosen tail nodes."""
        _, _, score, target, cached_joins = applied
        score_of = graph.score
        states = tuple(map(graph.state.__getitem__, nodes))
        value, state = cached_joins.get(states) or self.joiner.join(target, states)
        score += self.joiner.weight * value
        for node in nodes:
            score += score_of[node]
        return score, state

    def pair(self, rule: int, gaps: int) -> PairJoin:
        """Return the join of a rule with one or two gaps as a function of two states; for one the second is ignored."""
        target = self._target[rule]
        return self.joiner.pair(target) if gaps == 2 else self.joiner.single(target)
