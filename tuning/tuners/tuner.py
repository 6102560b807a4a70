"""The interface of tuners, which `pro`, `mira` and `mert` implement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sbmt.arrays import Floats
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates
from sbmt.tuning.weights import WeightSpace


class Problem(NamedTuple):
    """A tuning problem: find weights in `space` whose choice of candidates from the pool is good for `objective`.

    start: the current weights [n_features], in `space`; features and weights are in the order of its names.
    """

    pool: Sequence[Candidates]  # of each sentence
    objective: Objective
    start: Floats
    space: WeightSpace


class Tuner(Protocol):
    """An estimator of weights from n-best lists."""

    def fit(self, problem: Problem, rng: np.random.Generator) -> Floats:
        """Return weights [n_features] in the problem's space that choose candidates with a high gain.

        Raises SbmtError if all candidates of every sentence are alike.
        """
