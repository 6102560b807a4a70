"""The weight of changes for a given strength."""

from __future__ import annotations

import math
from collections.abc import Iterable

OUTWEIGHS = 1000.0  # times the sum of all weights: more than feature values (mostly log probabilities) ever reach
_MIN_FULL_BIAS = 40.0  # above the logit of any float below 1: ln 2**53 is 36.7


def strength_bias(strength: float, scale: float, weights: Iterable[float]) -> float:
    """Return what strength s adds to the weight of Changes: scale x ln(s / (1 - s)), which is 0 at 0.5.

    At 1 it outweighs the other `weights`, whatever the scale; at 0 it is -inf.

    Raising the weight of a count never lowers the count of the best output under a linear model, so more strength never
    means fewer changes (up to search errors).
    """
    if strength == 0:
        return -math.inf
    if strength == 1:
        return max(outweighing(weights), _MIN_FULL_BIAS * scale)
    return scale * math.log(strength / (1 - strength))


def outweighing(weights: Iterable[float]) -> float:
    """Return a weight that outweighs all the others."""
    return OUTWEIGHS * max(1.0, sum(map(abs, weights)))
