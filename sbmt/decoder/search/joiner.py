"""All stateful features of a decoder as one: a joint state and a weighted value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from weakref import WeakKeyDictionary

from sbmt.decoder.features import StatefulFeature, StateTable
from sbmt.decoder.forest import Forest
from sbmt.decoder.search.forest_cache import ForestCache
from sbmt.decoder.search.lexical import LexicalGroups
from sbmt.lm.symbols import Symbol

Join = tuple[float, int]
PairJoin = Callable[[int, int], Join]  # of the states in two gaps


class Joiner:
    """Joins partial outputs under one stateful feature, and caches the joins.

    The cache does not depend on weights: values are unweighted, `weight` is kept apart. States are numbers of this
    joiner only.
    """

    def __init__(self, table: StateTable, name: str, swing: float = math.inf) -> None:
        self._table, self._name, self._swing = table, name, swing
        self._joins: dict[tuple[Symbol, ...], dict[tuple[int, ...], Join]] = {}
        self._phrases: dict[tuple[Symbol, ...], Join] = {}
        self._estimates: dict[tuple[Symbol, ...], float] = {}
        self._forests: WeakKeyDictionary[Forest, ForestCache] = WeakKeyDictionary()
        self.weight = 0.0
        self._joined = 0
        make_append = getattr(table, "appender", None)
        self._append: PairJoin | None = make_append() if make_append else None

    @property
    def size(self) -> int:
        """Size of the cache: joins, and what the feature's own table counts."""
        return self._joined + int(getattr(self._table, "size", 0))

    @property
    def swing(self) -> float:
        """How much more later joins can, in all likelihood, improve one partial output than another."""
        return abs(self.weight) * self._swing if self._swing < math.inf else math.inf

    def weigh(self, weights: dict[str, float]) -> None:
        """Use these weights from now on."""
        self.weight = weights.get(self._name, 0.0)

    def forest_cache(self, forest: Forest) -> ForestCache:
        """Return what does not depend on the weights of a search of the forest; cached as long as the forest lives."""
        cache = self._forests.get(forest)
        if cache is None:
            rules, lexical = forest.rules.target, forest.lexical
            joins = self.phrases([rules[rule] for rule in lexical.rule.tolist()])
            cache = ForestCache(LexicalGroups(lexical, joins) if joins else None, len(rules))
            self._forests[forest] = cache
        return cache

    def phrases(self, targets: Iterable[tuple[Symbol, ...]]) -> list[Join]:
        """Return value (unweighted) and state of target sides without gaps."""
        cached_joins = self._phrases
        return [cached_joins.get(target) or self._phrase(target) for target in targets]

    def _phrase(self, target: tuple[Symbol, ...]) -> Join:
        self._joined += 1
        join = self._phrases[target] = self._table.combine(target, ())
        return join

    def cached_joins(self, target: tuple[Symbol, ...]) -> dict[tuple[int, ...], Join]:
        """Return the joins of a target side computed so far, by the states in its gaps."""
        joins = self._joins.get(target)
        if joins is None:
            joins = self._joins[target] = {}
        return joins

    def join(self, target: tuple[Symbol, ...], tails: tuple[int, ...]) -> Join:
        """Return the (unweighted) value that joining words and the states in the gaps adds, and the new state."""
        joins = self.cached_joins(target)
        join = joins.get(tails)
        if join is None:
            self._joined += 1
            join = joins[tails] = self._table.combine(target, tails)
        return join

    def pair(self, target: tuple[Symbol, ...]) -> PairJoin:
        """Return the join of a target with two gaps, as a function of their states."""
        if self._append is not None and target == (0, 1):
            return self._append
        joins = self.cached_joins(target)
        return lambda left, right: joins.get((left, right)) or self.join(target, (left, right))

    def single(self, target: tuple[Symbol, ...]) -> PairJoin:
        """Return the join of a target with one gap, as a function of its state; the second state is ignored."""
        joins = self.cached_joins(target)
        return lambda state, _: joins.get((state,)) or self.join(target, (state,))

    def estimate(self, target: tuple[Symbol, ...]) -> float:
        """Return the unweighted value of the words of a target side alone, each run between gaps by itself."""
        value = self._estimates.get(target)
        if value is None:
            runs = [tuple(run) for is_gap, run in groupby(target, lambda symbol: isinstance(symbol, int)) if not is_gap]
            value = sum([run_value for run_value, _ in self.phrases(runs)], 0.0)
            self._estimates[target] = value
        return value


class _Product:
    """Several features as one table: states are tuples of theirs, values are already weighted."""

    def __init__(self, features: Sequence[StatefulFeature]) -> None:
        self._joiners = [_joiner(feature) for feature in features]
        self._states: list[tuple[int, ...]] = []
        self._ids: dict[tuple[int, ...], int] = {}

    @property
    def size(self) -> int:
        """Size of the caches of the features."""
        return sum(joiner.size for joiner in self._joiners)

    @property
    def swing(self) -> float:
        """The sum over the features."""
        return sum(joiner.swing for joiner in self._joiners)

    def weigh(self, weights: dict[str, float]) -> None:
        """Use these weights from now on."""
        for joiner in self._joiners:
            joiner.weigh(weights)

    def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> Join:
        """Return the weighted value and the joint state."""
        target_side, total, states = tuple(target), 0.0, []
        for number, joiner in enumerate(self._joiners):
            gap_states = tuple([self._states[tail][number] for tail in tails])
            value, state = joiner.cached_joins(target_side).get(gap_states) or joiner.join(target_side, gap_states)
            total += joiner.weight * value if value > -math.inf else value  # forbidden, whatever the weight
            states.append(state)
        joint = tuple(states)
        joint_id = self._ids.get(joint)
        if joint_id is None:
            joint_id = self._ids[joint] = len(self._states)
            self._states.append(joint)
        return total, joint_id


class _ProductJoiner(Joiner):
    """Caches joins of several features until the weights change; the caches of the single features outlive that."""

    def __init__(self, features: Sequence[StatefulFeature]) -> None:
        self._product = _Product(features)
        super().__init__(self._product, "")
        self._names = [feature.name for feature in features]
        self._weights: list[float] | None = None

    @property
    def swing(self) -> float:
        """The sum over the features."""
        return self._product.swing

    def weigh(self, weights: dict[str, float]) -> None:
        """Use these weights from now on."""
        own_weights = [weights.get(name, 0.0) for name in self._names]
        if own_weights != self._weights:
            self._product.weigh(weights)
            self._joins, self._phrases, self._estimates, self._joined = {}, {}, {}, 0
            self._forests.clear()
            self.weight, self._weights = 1.0, own_weights


def make_joiner(features: Sequence[StatefulFeature]) -> Joiner:
    """Return a joiner of any number of features. One that may forbid joins (that has no `swing`) needs a product."""
    if len(features) == 1 and hasattr(features[0], "swing"):
        return _joiner(features[0])
    return _ProductJoiner(features)


def _joiner(feature: StatefulFeature) -> Joiner:
    return Joiner(feature.states(), feature.name, getattr(feature, "swing", math.inf))
