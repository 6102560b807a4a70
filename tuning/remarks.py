"""What a run says of its weights: which have moved, which are near a bound, which make unlikely English win."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import numpy as np

from sbmt.arrays import Floats
from sbmt.tuning.pool import Candidates
from sbmt.tuning.weights import WeightSpace

_log = logging.getLogger(__name__)

_MOST_NAMED = 10  # weights in a message


def moves(names: Sequence[str], before: Floats, after: Floats, effect: Floats) -> str:
    """The weights that are others after than before, the ten with the largest change x effect, in words."""
    size = np.abs(after - before) * effect
    moved = [i for i in np.argsort(-size, kind="stable") if after[i] != before[i]]
    told = [f"{names[i]} {before[i]:.4g} -> {after[i]:.4g}" for i in moved[:_MOST_NAMED]]
    return ", ".join(told) + (f" and {len(moved) - _MOST_NAMED} more" if len(moved) > _MOST_NAMED else "")


def spread(pool: Sequence[Candidates]) -> Floats:
    """How much each feature differs between the candidates of a sentence (standard deviation), [n_features]."""
    spreads = np.array([candidates.features.std(axis=0, dtype=np.float64) for candidates in pool])
    return np.asarray(spreads.mean(axis=0))


def remark_on_bounds(space: WeightSpace, weights: Floats) -> None:
    """Say which weights can hardly go further, and what opens the search."""
    near = np.flatnonzero(space.near_bounds(weights))
    if len(near):
        _log.info(
            "%d of %d free weights are on a bound or within a tenth of their range of one (%s): wider ranges (--range) "
            "or the preset default let them go further; rules of your own bring new candidates",
            len(near),
            np.count_nonzero(space.free),
            ", ".join(f"{space.names[i]} {weights[i]:.4g} in {space.low[i]:g}:{space.high[i]:g}" for i in near),
        )


def warn_of_negative(weights: Mapping[str, float]) -> None:
    """Name language models whose weight makes unlikely English win."""
    for name in sorted(weights):
        if name.startswith("lm_") and weights[name] < 0:
            message = (
                "the weight of %s is negative (%.3g), so unlikely English is preferred: a range prevents that "
                "(--range %s=0:1, in Python ranges)"
            )
            _log.warning(message, name, weights[name], name)
