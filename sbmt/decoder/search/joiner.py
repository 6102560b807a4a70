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
    """Joins partial outputs under one stateful feature, and remembers how.

    What is remembered does not depend on weights; a value counts `weight` times. States mean something here only.
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
        """How much is remembered: joins, and what the feature's own table counts."""
        return self._joined + int(getattr(self._table, "size", 0))

    @property
    def swing(self) -> float:
        """How much what is joined later can, in all likelihood, better one partial output more than another."""
        return abs(self.weight) * self._swing if self._swing < math.inf else math.inf

    def weigh(self, weights: dict[str, float]) -> None:
        """Use these weights from now on."""
        self.weight = weights.get(self._name, 0.0)

    def forest_cache(self, forest: Forest) -> ForestCache:
        """What is known of a forest whatever the weights; remembered while it lives."""
        found = self._forests.get(forest)
        if found is None:
            rules, lexical = forest.rules.target, forest.lexical
            joins = self.phrases([rules[rule] for rule in lexical.rule.tolist()])
            found = ForestCache(LexicalGroups(lexical, joins) if joins else None, len(rules))
            self._forests[forest] = found
        return found

    def phrases(self, targets: Iterable[tuple[Symbol, ...]]) -> list[Join]:
        """Value (unweighted) and state of target sides without gaps."""
        known = self._phrases
        return [known.get(target) or self._phrase(target) for target in targets]

    def _phrase(self, target: tuple[Symbol, ...]) -> Join:
        self._joined += 1
        found = self._phrases[target] = self._table.combine(target, ())
        return found

    def known(self, target: tuple[Symbol, ...]) -> dict[tuple[int, ...], Join]:
        """The joins of a target side that were computed before, by the states in its gaps."""
        found = self._joins.get(target)
        if found is None:
            found = self._joins[target] = {}
        return found

    def join(self, target: tuple[Symbol, ...], tails: tuple[int, ...]) -> Join:
        """Value (unweighted) added by joining words and the states in the gaps, and the new state; remembered."""
        known = self.known(target)
        found = known.get(tails)
        if found is None:
            self._joined += 1
            found = known[tails] = self._table.combine(target, tails)
        return found

    def pair(self, target: tuple[Symbol, ...]) -> PairJoin:
        """The join of a target with two gaps, as a function of their states."""
        if self._append is not None and target == (0, 1):
            return self._append
        known = self.known(target)
        return lambda left, right: known.get((left, right)) or self.join(target, (left, right))

    def single(self, target: tuple[Symbol, ...]) -> PairJoin:
        """The join of a target with one gap, as a function of its state; the second state means nothing."""
        known = self.known(target)
        return lambda state, _: known.get((state,)) or self.join(target, (state,))

    def estimate(self, target: tuple[Symbol, ...]) -> float:
        """Unweighted value of the words of a target side alone, each run between gaps by itself."""
        found = self._estimates.get(target)
        if found is None:
            runs = [tuple(run) for is_gap, run in groupby(target, lambda symbol: isinstance(symbol, int)) if not is_gap]
            found = sum([value for value, _ in self.phrases(runs)], 0.0)
            self._estimates[target] = found
        return found


class _Product:
    """Several features as one table: states are tuples of theirs, values are weighted already."""

    def __init__(self, features: Sequence[StatefulFeature]) -> None:
        self._joiners = [_joiner(feature) for feature in features]
        self._states: list[tuple[int, ...]] = []
        self._ids: dict[tuple[int, ...], int] = {}

    @property
    def size(self) -> int:
        """How much the features remember."""
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
        """Weighted value and joint state."""
        sides, total, states = tuple(target), 0.0, []
        for number, joiner in enumerate(self._joiners):
            own = tuple([self._states[tail][number] for tail in tails])
            value, state = joiner.known(sides).get(own) or joiner.join(sides, own)
            total += joiner.weight * value if value > -math.inf else value  # forbidden, whatever the weight
            states.append(state)
        joint = tuple(states)
        found = self._ids.get(joint)
        if found is None:
            found = self._ids[joint] = len(self._states)
            self._states.append(joint)
        return total, found


class _ProductJoiner(Joiner):
    """Remembers joins of several features until the weights change; each feature remembers its own for longer."""

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
        wanted = [weights.get(name, 0.0) for name in self._names]
        if wanted != self._weights:
            self._product.weigh(weights)
            self._joins, self._phrases, self._estimates, self._joined = {}, {}, {}, 0
            self._forests.clear()
            self.weight, self._weights = 1.0, wanted


def make_joiner(features: Sequence[StatefulFeature]) -> Joiner:
    """The joiner of any number of features. One that may forbid joins (none with a `swing` does) needs a product."""
    if len(features) == 1 and hasattr(features[0], "swing"):
        return _joiner(features[0])
    return _ProductJoiner(features)


def _joiner(feature: StatefulFeature) -> Joiner:
    return Joiner(feature.states(), feature.name, getattr(feature, "swing", math.inf))
