"""Learning weights that rank the better candidate of each pair higher: linear classifiers of feature differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from sbmt.arrays import Floats
from sbmt.tuning.weights import WeightSpace


class Differences(NamedTuple):
    """Differences between the better and the worse candidate of each pair."""

    x: Floats  # [n_pairs, n_features]: features of the better minus those of the worse
    importance: Floats  # [n_pairs]: the difference of their gains


class Ranker(Protocol):
    """An object that fits weights to differences."""

    def fit(self, pairs: Differences, start: Floats, space: WeightSpace) -> Floats:
        """Return weights [n_features] in `space` that rank the better candidates higher; start: [n_features]."""


@dataclass(frozen=True, slots=True)
class LogisticRanker:
    """L2-regularised logistic regression without intercept, by L-BFGS-B, within the ranges of the weights.

    Minimises sum_i importance_i ln(1 + exp(-w.x_i)) / sum_i importance_i + l2/2 |w|^2 on columns scaled to unit
    root mean square, so that one `l2` suits features of any size.
    """

    l2: float

    def fit(self, pairs: Differences, start: Floats, space: WeightSpace) -> Floats:
        """See `Ranker`."""
        from scipy.optimize import minimize
        from threadpoolctl import threadpool_limits

        x, importance = pairs
        free = space.free
        scaled = x[:, free]
        scale = np.sqrt((scaled**2).mean(axis=0))
        scale[scale == 0] = 1.0  # a feature that never differs: regularisation keeps its weight at 0
        scaled /= scale
        offset = x[:, ~free] @ start[~free]
        share = importance / importance.sum()

        def loss(w: Floats) -> tuple[float, Floats]:
            margin = scaled @ w + offset
            value = share @ np.logaddexp(0, -margin) + self.l2 / 2 * w @ w
            slope = -share / (1 + np.exp(np.minimum(margin, 500)))
            return float(value), slope @ scaled + self.l2 * w

        bounds = list(zip(space.low[free] * scale, space.high[free] * scale, strict=True))
        with threadpool_limits(1):  # for vectors of a few dozen weights, threads cost more than they save
            result = minimize(loss, start[free] * scale, jac=True, method="L-BFGS-B", bounds=bounds)
        weights = start.copy()
        weights[free] = result.x / scale
        return weights


@dataclass(frozen=True, slots=True)
class PerceptronRanker:
    """An averaged perceptron like Joshua's: every difference is a positive sample and, negated, a negative one.

    The mean is taken over the weights after each update; samples keep their order. (Joshua divides their sum by the
    number of epochs and leaves the rest to `normalise`; next to a fixed weight the others would be far too large.)
    """

    epochs: int
    rate: float

    def fit(self, pairs: Differences, start: Floats, space: WeightSpace) -> Floats:
        """See `Ranker`; the importance of pairs is not used."""
        w, total, updates = start.copy(), np.zeros_like(start), 0
        margins = [difference.dot for difference in pairs.x]  # lists: millions of array look-ups would be slower
        steps = list(self.rate * np.where(space.free, pairs.x, 0.0))
        for _ in range(self.epochs):
            for margin, step in zip(margins, steps, strict=True):
                if margin(w) > 0:
                    continue
                for _ in range(2):  # the pair and its negation, which are classified right or wrong together
                    w += step
                    np.minimum(np.maximum(w, space.low, out=w), space.high, out=w)  # several times as fast as `clip`
                    total += w
                    updates += 1
                    if margin(w) > 0:
                        break
        return total / updates if updates else start
