"""PRO: tuning as ranking (Hopkins & May 2011), with a perceptron like Joshua's or logistic regression.

Departures from the paper: logistic regression weighs each pair by its difference in the metric, and the weights fitted
to several samples are averaged.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.tuning.tuners.ranking import Differences, Ranker
from sbmt.tuning.tuners.sampling import Sampler
from sbmt.tuning.tuners.tuner import Problem
from sbmt.tuning.weights import WeightSpace


@dataclass(frozen=True, slots=True)
class Pro:
    """Samples pairs of every sentence and fits a ranker, `restarts` times with new samples, and averages the weights.

    `normalise` names a feature whose weight is scaled to 1 or -1 after fitting (Joshua: lm_0), or is empty. There is no
    scaling if weights are fixed or bounded to values other than 0, since their proportions would change.
    """

    sampler: Sampler
    ranker: Ranker
    restarts: int
    normalise: str

    def fit(self, problem: Problem, rng: np.random.Generator) -> Floats:
        """See `Tuner`; ranking uses only the gains in the pool."""
        start, space = problem.start, problem.space
        with ThreadPoolExecutor(1) as ranking:  # fits one sample while the next one is drawn
            fitted = [
                ranking.submit(self.ranker.fit, self._sample(problem, rng), start, space) for _ in range(self.restarts)
            ]
        mean = np.mean([self._scaled(future.result(), space) for future in fitted], axis=0)
        return space.clip(mean)  # the mean may round a fixed weight away: (0.1 + 0.1 + 0.1) / 3 != 0.1

    def _sample(self, problem: Problem, rng: np.random.Generator) -> Differences:
        """Return the differences of sampled pairs of every sentence; raises SbmtError if there are none."""
        differences, importance = [], []
        for candidates in problem.pool:
            better, worse, difference = self.sampler.pairs(candidates.gains, rng)
            # In double precision: differences of large numbers overflow in single precision.
            differences.append(candidates.features[better].astype(np.float64) - candidates.features[worse])
            importance.append(difference)
        x = np.concatenate(differences)
        if not len(x):
            least = self.sampler.min_difference
            by = f" by {least * abs(problem.objective.unit):g}" if least else ""
            cure = f" or pro.min_difference below {least:g} (--set)" if least else ""
            raise SbmtError(
                f"no two candidates of any sentence differ{by} in {problem.objective.metric.name}: "
                f"there is nothing to learn (a larger nbest{cure} may help)"
            )
        return Differences(x, np.concatenate(importance))

    def _scaled(self, weights: Floats, space: WeightSpace) -> Floats:
        can_scale = self.normalise in space.names and space.scales
        factor = abs(weights[space.names.index(self.normalise)]) if can_scale else 0.0
        return weights / factor if factor else weights
