"""PRO: tuning as ranking (Hopkins & May 2011), with Joshua's perceptron or logistic regression as the classifier."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from sbmt.errors import SbmtError
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates
from sbmt.tuning.ranking import Ranker
from sbmt.tuning.sampling import Sampler
from sbmt.tuning.weights import WeightSpace

Floats = NDArray[np.float64]


class Pro:
    """Samples pairs of every sentence and fits a ranker; with `restarts`, that often with new samples, and averages."""

    def __init__(self, sampler: Sampler, ranker: Ranker, restarts: int = 1, normalise: str = "") -> None:
        """`normalise` names a feature whose weight is made 1 or -1 after fitting (Joshua: lm_0)."""
        self.sampler, self.ranker, self.restarts, self.normalise = sampler, ranker, restarts, normalise

    def fit(
        self,
        pool: Sequence[Candidates],
        objective: Objective,
        start: Floats,
        space: WeightSpace,
        rng: np.random.Generator,
    ) -> Floats:
        """Weights [n_features] from the pool; raises SbmtError when all candidates of every sentence are alike."""
        del objective  # ranking needs the gains alone
        with ThreadPoolExecutor(1) as ranking:  # of one sample while the next one is drawn
            fitted = [
                ranking.submit(self.ranker.fit, *self._sample(pool, rng), start, space) for _ in range(self.restarts)
            ]
        return np.asarray(np.mean([self._scaled(future.result(), space) for future in fitted], axis=0))

    def _sample(self, pool: Sequence[Candidates], rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Pairs of every sentence: the differences of their features [n_pairs, n_features] and gains [n_pairs]."""
        differences, importance = [], []
        for candidates in pool:
            better, worse, difference = self.sampler.pairs(candidates.gains, rng)
            differences.append(candidates.features[better] - candidates.features[worse])
            importance.append(difference)
        x = np.concatenate(differences).astype(np.float64)
        if not len(x):
            raise SbmtError(
                f"no two candidates of any sentence differ by {self.sampler.min_difference} in the metric: "
                "there is nothing to learn (a larger --nbest or a smaller min_difference may help)"
            )
        return x, np.concatenate(importance)

    def _scaled(self, weights: Floats, space: WeightSpace) -> Floats:
        length = abs(weights[space.names.index(self.normalise)]) if self.normalise in space.names else 0.0
        return space.clip(weights / length if length else weights)
