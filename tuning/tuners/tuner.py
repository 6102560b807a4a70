"""What a tuner is given and what it gives back; `pro`, `mira` and `mert` are tuners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sbmt.arrays import Floats
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates
from sbmt.tuning.weights import WeightSpace


class Problem(NamedTuple):
    """What weights are sought for: those that make `objective` choose well from the pool.

    start: the present weights [n_features], which lie in `space`; features and weights are in the order of its names.
    """

    pool: Sequence[Candidates]  # of each sentence
    objective: Objective
    start: Floats
    space: WeightSpace


class Tuner(Protocol):
    """An estimator of weights from n-best lists."""

    def fit(self, problem: Problem, rng: np.random.Generator) -> Floats:
        """Weights [n_features], in the problem's space, that make the metric of the candidates they choose good.

        Raises SbmtError when all candidates of every sentence are alike.
        """
