"""The space of the tuned weights: their order, which are fixed, and the range of each."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Bools, Floats
from sbmt.errors import SbmtError
from sbmt.ppdb.feature_text import LARGEST

_NEAR = 0.1  # share of its range within which a weight is near a bound
_UNKNOWN_CAUSE = "which the preset or an option asks for and the model lacks"


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """Return the names that match a shell pattern (`*Syl*`), case-sensitive on every system."""
    return [name for name in names if fnmatch.fnmatchcase(name, pattern)]


@dataclass(frozen=True, slots=True, eq=False)
class WeightSpace:
    """Names of the weights in order, and the range of each, float64 [n_features]; fixed ones have low == high."""

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
        """Make a space from restrictions by name (`fixed`, `ranges`) and shell patterns of features to switch off.

        A name wins over a pattern, a fixed value over a range. A range is the least and the largest weight, None for no
        bound. Raises SbmtError for a name or pattern that matches no feature, an empty range, or if no weight is free.
        """
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
        index = {name: i for i, name in enumerate(names)}
        for name in (*fixed, *ranges):
            if name not in index:
                raise SbmtError(f"no feature is called {name!r}, {_UNKNOWN_CAUSE} (known: {', '.join(names)})")
        for pattern in without:
            matched = matching(names, pattern)
            if not matched:
                raise SbmtError(f"no feature matches {pattern!r}, {_UNKNOWN_CAUSE} (known: {', '.join(names)})")
            for name in matched:
                low[index[name]] = high[index[name]] = 0.0
        for name, bounds in ranges.items():
            low[index[name]], high[index[name]] = _range(name, bounds)
        for name, value in fixed.items():
            if not abs(value) <= LARGEST:  # nor is NaN
                raise SbmtError(f"the weight of {name} cannot be fixed at {value}")
            low[index[name]] = high[index[name]] = value
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
        """Whether the space is closed under positive scaling: each bound is 0 or infinite."""
        bounds = np.concatenate([self.low, self.high])
        return bool(((bounds == 0) | np.isinf(bounds)).all())

    def near_bounds(self, vector: Floats) -> Bools:
        """Return which free weights are on their only bound or within a tenth of their range of one, [n_features]."""
        width = self.high - self.low
        reach = np.where(np.isinf(width), 0.0, _NEAR * width)
        return self.free & ((vector - self.low <= reach) | (self.high - vector <= reach))

    def vector(self, weights: Mapping[str, float]) -> Floats:
        """Return weights by name as a vector clipped to the ranges; missing names are 0."""
        return self.clip(np.array([weights.get(name, 0.0) for name in self.names]))

    def clip(self, vector: Floats) -> Floats:
        """Move each weight into its range."""
        return np.clip(vector, self.low, self.high)

    def named(self, vector: Floats) -> dict[str, float]:
        """Return the vector as weights by name."""
        return dict(zip(self.names, vector.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class StartWeights:
    """The weights that tuning starts from; given: those of the model, maybe out of range, float64 [n_features]."""

    space: WeightSpace
    given: Floats

    @property
    def in_range(self) -> Floats:
        """The start weights, each moved into its range."""
        return self.space.clip(self.given)


def _range(name: str, bounds: Sequence[float | None]) -> tuple[float, float]:
    """Return the least and the largest value of a weight, infinite for no bound; raises SbmtError if invalid."""
    if len(bounds) != 2:
        raise SbmtError(f"the range of {name} has {len(bounds)} bounds instead of the least and the largest")
    least = -np.inf if bounds[0] is None else bounds[0]
    most = np.inf if bounds[1] is None else bounds[1]
    if not least <= most:
        raise SbmtError(f"the range of {name} is empty: {least} to {most}")
    if any(LARGEST < abs(bound) < np.inf for bound in (least, most)) or least == np.inf or most == -np.inf:
        raise SbmtError(f"the range of {name} reaches beyond {LARGEST:g}: {least} to {most}")
    return least, most
