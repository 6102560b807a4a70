"""The weights being tuned: their order, which are fixed, and the range each may take."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Bools, Floats
from sbmt.errors import SbmtError
from sbmt.ppdb.feature_text import LARGEST

_NEAR = 0.1  # of its range: so far from a bound is a weight that is near it
_WHO_ASKED = "which the preset or an option asks for and the model lacks"


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """Those of the names that a shell pattern (`*Syl*`) matches, upper and lower case told apart on every system."""
    return [name for name in names if fnmatch.fnmatchcase(name, pattern)]


@dataclass(frozen=True, slots=True, eq=False)
class WeightSpace:
    """Names of the weights in order with the range of each, float64 [n_features]; a fixed one has low == high."""

    names: tuple[str, ...]
    low: Floats
    high: Floats

    @classmethod
    def build(
        cls,
        names: Sequence[str],
        fixed: Mapping[str, float],
        ranges: Mapping[str, Sequence[float | None]],
        without: Sequence[str],
    ) -> WeightSpace:
        """`fixed` and `ranges` go by name, `without` by shell pattern (`*Syl*`): those features are switched off.

        A name wins over a pattern, a fixed value over a range. A range is the least and the largest weight, None for no
        bound. Raises SbmtError for a name or pattern that matches no feature, an empty range, or if no weight is left
        free.
        """
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
        place = {name: i for i, name in enumerate(names)}
        for name in (*fixed, *ranges):
            if name not in place:
                raise SbmtError(f"no feature is called {name!r}, {_WHO_ASKED} (known: {', '.join(names)})")
        for pattern in without:
            matched = matching(names, pattern)
            if not matched:
                raise SbmtError(f"no feature matches {pattern!r}, {_WHO_ASKED} (known: {', '.join(names)})")
            for name in matched:
                low[place[name]] = high[place[name]] = 0.0
        for name, bounds in ranges.items():
            low[place[name]], high[place[name]] = _range(name, bounds)
        for name, value in fixed.items():
            if not abs(value) <= LARGEST:  # nor is NaN
                raise SbmtError(f"the weight of {name} cannot be fixed at {value}")
            low[place[name]] = high[place[name]] = value
        space = cls(tuple(names), low, high)
        if not space.free.any():
            raise SbmtError(
                f"no weight is free, so there is nothing to tune: all {len(names)} features are fixed, switched off or "
                "bounded to one value (leave one out of fixed, without and ranges, which are --fix, --without and "
                "--range, or choose another preset)"
            )
        return space

    @property
    def free(self) -> Bools:
        """Which weights may move, bool [n_features]."""
        return self.low < self.high

    @property
    def scales(self) -> bool:
        """Whether every positive multiple of what is in the ranges is in them, too: each bound is 0 or infinite."""
        bounds = np.concatenate([self.low, self.high])
        return bool(((bounds == 0) | np.isinf(bounds)).all())

    def near_bounds(self, vector: Floats) -> Bools:
        """Which free weights are within a tenth of their range of a bound, or on the only one, bool [n_features]."""
        width = self.high - self.low
        reach = np.where(np.isinf(width), 0.0, _NEAR * width)
        return self.free & ((vector - self.low <= reach) | (self.high - vector <= reach))

    def vector(self, weights: Mapping[str, float]) -> Floats:
        """Weights by name as a vector inside the ranges; one that is not named is 0."""
        return self.clip(np.array([weights.get(name, 0.0) for name in self.names]))

    def clip(self, vector: Floats) -> Floats:
        """Move each weight into its range."""
        return np.clip(vector, self.low, self.high)

    def named(self, vector: Floats) -> dict[str, float]:
        """The vector as weights by name."""
        return dict(zip(self.names, vector.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class StartWeights:
    """The weights that tuning starts from, as the model has them in `given`, float64 [n_features]."""

    space: WeightSpace
    given: Floats

    @property
    def in_range(self) -> Floats:
        """The same, each moved into its range."""
        return self.space.clip(self.given)


def _range(name: str, bounds: Sequence[float | None]) -> tuple[float, float]:
    """The least and the largest value of a weight, infinite for no bound; raises SbmtError for what is no range."""
    if len(bounds) != 2:
        raise SbmtError(f"the range of {name} has {len(bounds)} bounds instead of the least and the largest")
    least = -np.inf if bounds[0] is None else bounds[0]
    most = np.inf if bounds[1] is None else bounds[1]
    if not least <= most:
        raise SbmtError(f"the range of {name} is empty: {least} to {most}")
    if any(LARGEST < abs(bound) < np.inf for bound in (least, most)) or least == np.inf or most == -np.inf:
        raise SbmtError(f"the range of {name} reaches beyond {LARGEST:g}: {least} to {most}")
    return least, most
