"""k-best batch MIRA (Cherry & Foster 2012, figure 3 and section 3.2); the paper's C is `c` here.

For each sentence, hope e* = argmax w.h(e) + gain(e) and fear e' = argmax w.h(e) - gain(e); where the margin
w.(h(e*) - h(e')) is smaller than the cost gain(e*) - gain(e'), the smallest step (at most `c`) repairs it. Corpus-level
metrics are turned into sentence gains by a background: decaying sums of the hope candidates' statistics. Gains are
scaled by sentence length (Chiang, Marton & Resnik 2008): next to model scores, which are sums over words, gains of 0 to
1 hardly ever separate hope from fear. Features are scaled to unit deviation, so that `c` means the same for all. The
result is the running mean of the weights at the end of the epoch after which it scores best on the pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from sbmt.arrays import Floats
from sbmt.config import MOST_COUNTED, check_fields
from sbmt.tuning.pool import chosen_statistics
from sbmt.tuning.tuners.tuner import Problem
from sbmt.tuning.weights import WeightSpace


@dataclass(frozen=True, slots=True)
class Mira:
    """Settings of MIRA: largest step `c`, passes over the pool, decay of the background corpus after each sentence."""

    c: float = 0.01
    epochs: int = 30
    decay: float = 0.999

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("c", 0, inf), ("epochs", 1, MOST_COUNTED), ("decay", 0, 1)))

    def fit(self, problem: Problem, rng: np.random.Generator) -> Floats:
        """See `Tuner`."""
        pool, objective, start, space = problem
        features = [candidates.features.astype(np.float64) for candidates in pool]
        statistics = objective.summable(pool)
        lengths = objective.lengths(pool)
        background, size = np.array([rows[0] for rows in statistics]).mean(axis=0), lengths.mean()
        # Columns of unit size, as for the other tuners: the step size would otherwise depend on the units.
        scale = np.sqrt(np.mean([rows.var(axis=0) for rows in features], axis=0))
        scale[scale == 0] = 1.0
        w, moves, steps = start * scale, np.zeros_like(start), 0
        best, best_gain = start, -np.inf
        for _ in range(self.epochs):
            for i in rng.permutation(len(pool)):
                gain = objective.in_context(statistics[i], background, size, lengths[i])
                hope, w = self._update(features[i] / scale, gain, w, space, scale)
                background, size = self.decay * (background + statistics[i][hope]), self.decay * (size + lengths[i])
                moves, steps = moves + (w - start * scale), steps + 1
            averaged = space.clip(start + moves / steps / scale)  # not the mean of `w`, which rounding moves
            pool_gain = objective.corpus(chosen_statistics(pool, averaged))
            if pool_gain > best_gain:
                best, best_gain = averaged, pool_gain
        return best

    def _update(self, h: Floats, gain: Floats, w: Floats, space: WeightSpace, scale: Floats) -> tuple[int, Floats]:
        """Return the index of the hope candidate, and the (scaled) weights after a step if the margin is too small."""
        model = h @ w
        hope, fear = int(np.argmax(model + gain)), int(np.argmax(model - gain))
        loss = (gain[hope] - gain[fear]) - (model[hope] - model[fear])
        delta = np.where(space.free, h[hope] - h[fear], 0.0)
        length = float(delta @ delta)
        if loss <= 0 or length == 0:
            return hope, w
        return hope, space.clip((w + min(self.c, loss / length) * delta) / scale) * scale
