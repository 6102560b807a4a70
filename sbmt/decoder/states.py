"""All stateful features of one sentence as one: a joint state and a weighted value."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.decoder.features import StatefulFeature, StateTable, Symbol
from sbmt.decoder.forced import ForcedTarget


class Joiner:
    """Joins partial outputs under all stateful features; states are numbered from 0 and mean something here only.

    What a single feature's table finds is remembered unweighted, so it serves again when the weights change.
    """

    def __init__(self, features: Sequence[StatefulFeature]) -> None:
        self._tables: list[StateTable] = [feature.states() for feature in features]
        self._names = [None if isinstance(feature, ForcedTarget) else feature.name for feature in features]
        self._states: list[tuple[int, ...]] = []
        self._ids: dict[tuple[int, ...], int] = {}
        self._joins: dict[tuple[Symbol, ...], dict[tuple[int, ...], tuple[tuple[float, ...], int]]] = {}
        self._estimates: dict[tuple[Symbol, ...], float] = {}
        self._weights: list[float] = []

    def weigh(self, weights: dict[str, float]) -> None:
        """Use these weights from now on."""
        self._weights = [1.0 if name is None else weights.get(name, 0.0) for name in self._names]
        self._estimates = {}

    def join(self, target: tuple[Symbol, ...], tails: tuple[int, ...]) -> tuple[float, int]:
        """Weighted value added by joining words and the states in the gaps, and the new state."""
        known = self._joins.get(target)
        if known is None:
            known = self._joins[target] = {}
        found = known.get(tails)
        if found is None:
            found = known[tails] = self._compute(target, tails)
        return sum([w * v for w, v in zip(self._weights, found[0], strict=True)]), found[1]

    def _compute(self, target: tuple[Symbol, ...], tails: tuple[int, ...]) -> tuple[tuple[float, ...], int]:
        values, states = [], []
        for number, table in enumerate(self._tables):
            value, state = table.combine(target, [self._states[tail][number] for tail in tails])
            values.append(value)
            states.append(state)
        joint = tuple(states)
        state = self._ids.get(joint, -1)
        if state < 0:
            state = self._ids[joint] = len(self._states)
            self._states.append(joint)
        return tuple(values), state

    def estimate(self, target: tuple[Symbol, ...]) -> float:
        """Weighted value of the words of a target side alone, each run between gaps by itself."""
        found = self._estimates.get(target)
        if found is None:
            found, run = 0.0, []
            for symbol in (*target, 0):
                if isinstance(symbol, str):
                    run.append(symbol)
                elif run:
                    found += self.join(tuple(run), ())[0]
                    run = []
            self._estimates[target] = found
        return found
