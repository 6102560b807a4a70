"""PRO: sampled pairs, both rankers against other methods, and what is made of several fits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.tuning.tuners.pro import Pro
from sbmt.tuning.tuners.ranking import Differences, LogisticRanker, PerceptronRanker
from sbmt.tuning.tuners.sampling import Sampler
from sbmt.tuning.weights import WeightSpace
from tests.tuning.planted import listed, planted_pool, planted_problem, space


class Given:
    """A ranker that says what it was told to say."""

    def __init__(self, *weights: Sequence[float]) -> None:
        self.weights = iter(weights)

    def fit(self, pairs: Differences, start: Floats, space: WeightSpace) -> Floats:
        return np.array(next(self.weights), dtype=np.float64)


@pytest.mark.parametrize(
    ("normalise", "expected"),
    [
        ("", [-3, 4, 0, 0]),
        ("lm_0", [-1, 1.5, 0, 0]),  # of (-1, 2) and (-1, 1): each fit by itself
        ("b", [-3, 4, 0, 0]),  # it is 0
        ("d", [-3, 4, 0, 0]),  # there is none
    ],
)
def test_restarts_are_normalised_and_averaged(normalise: str, expected: list[float]) -> None:
    rng = np.random.default_rng(1)
    tuner = Pro(Sampler(5000, 50, 0.0), Given((-2, 4, 0, 0), (-4, 4, 0, 0)), restarts=2, normalise=normalise)
    assert tuner.fit(planted_problem(planted_pool(rng, 2)), rng).tolist() == expected


@pytest.mark.parametrize(
    ("restrictions", "expected"),
    [
        (({"c": 0.0}, {"a": (0, np.inf)}), [-1, 2, 0, 0]),  # these hold at any scale
        (({"c": 0.5}, {}), [-2, 4, 0, 0.5]),
        (({}, {"a": (0, 9)}), [-2, 4, 0, 0]),
    ],
)
def test_weights_beside_fixed_or_bounded_ones_are_not_normalised(restrictions: Any, expected: list[float]) -> None:
    rng = np.random.default_rng(1)
    tuner = Pro(Sampler(5000, 50, 0.0), Given((-2, 4, 0, expected[-1])), restarts=1, normalise="lm_0")
    problem = planted_problem(planted_pool(rng, 2))._replace(space=space(*restrictions))
    assert tuner.fit(problem, rng).tolist() == expected


@pytest.mark.parametrize(
    ("least", "message"),
    [
        (0.02, r"differ by 2 in planted: .* \(a larger nbest or pro.min_difference below 0.02 \(--set\) may help\)"),
        (0.0, r"differ in planted: .* \(a larger nbest may help\)"),
    ],
)
def test_too_small_a_difference_is_told_in_the_metrics_units(least: float, message: str) -> None:
    """Hits are shares, planted is in per cent."""
    problem = planted_problem([listed(([1, 0, 0, 0], 0.5, 1), ([0, 1, 0, 0], 0.5 + least / 2, 1))])
    with pytest.raises(SbmtError, match=message):
        Pro(Sampler(10, 5, least), Given(), restarts=1, normalise="").fit(problem, np.random.default_rng(1))


def test_pairs_that_differ_by_just_enough_are_sampled() -> None:
    sampler = Sampler(tau=10, xi=5, min_difference=0.5)
    better, worse, difference = sampler.pairs(np.array([0.0, 0.5]), np.random.default_rng(1))
    assert (better.tolist(), worse.tolist(), difference.tolist()) == ([1], [0], [0.5])


@given(st.integers(0, 10_000), st.integers(2, 12), st.sampled_from([4, 50, 1000]), st.sampled_from([0.0, 0.3]))
def test_the_most_different_of_the_drawn_pairs_are_kept(seed: int, n: int, tau: int, least: float) -> None:
    """By the same draws with room for all; where `tau` is large enough these are all pairs that differ enough."""
    gains = np.random.default_rng(seed).integers(0, 5, n) / 5
    better, worse, difference = Sampler(tau, n * n, least).pairs(gains, np.random.default_rng(seed))
    assert (gains[better] - gains[worse] == difference).all()
    assert len({frozenset(pair) for pair in zip(better.tolist(), worse.tolist(), strict=True)}) == len(better) <= tau
    different = [float(abs(a - b)) for a, b in combinations(gains, 2) if abs(a - b) >= max(least, 0.1)]
    assert difference.tolist() == sorted(difference.tolist(), reverse=True)
    assert len(difference) <= len(different)
    assert tau < n * (n - 1) or difference.tolist() == sorted(different, reverse=True)
    kept = Sampler(tau, 6, least).pairs(gains, np.random.default_rng(seed))
    assert [part.tolist() for part in kept] == [part[:6].tolist() for part in (better, worse, difference)]


def test_a_pair_that_is_drawn_often_leaves_room_for_others() -> None:
    """By this seed the most different pair is drawn eight times: among the first few there is no other."""
    gains = np.array([0.0, 0.1, 0.2, 0.3, 1.0])
    assert len(Sampler(tau=19, xi=2, min_difference=0.0).pairs(gains, np.random.default_rng(21102))[0]) == 2


def test_every_pair_is_drawn_as_often() -> None:
    """Of 50 candidates 2,000 times two, also the same one twice: a pair is missed by (1 - 2 / 2500) ^ 2000 = 0.202.

    So a candidate is in 49 x 0.798 = 39.1 pairs, with a deviation of sqrt(49 x 0.798 x 0.202) = 2.8.
    """
    gains = np.arange(50) / 50
    better, worse, _ = Sampler(2000, 2000, 0.0).pairs(gains, np.random.default_rng(1))
    pairs = np.bincount([*better, *worse], minlength=50)
    assert np.abs(pairs - 39.1).max() < 9
    assert pairs.mean() == pytest.approx(39.1, abs=1.2)


def test_logistic_regression_minimises_what_it_says() -> None:
    """In the weights' own units, by another method; the fixed weight shifts margins, c's bound is reached."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 4)) * [1, 0.5, 1, 10] + [0.3, -0.5, 0.2, 4]
    importance, l2 = rng.random(200) ** 2, 0.1
    restricted = space({"lm_0": 3.0}, {"c": (-1.0, 0.02)})
    size = np.sqrt((x[:, 1:] ** 2).mean(axis=0))

    def loss(w: Floats) -> float:
        margin = 3 * x[:, 0] + x[:, 1:] @ w
        return float(importance @ np.log1p(np.exp(-margin)) / importance.sum() + l2 / 2 * ((w * size) ** 2).sum())

    bounds = [(None, None), (None, None), (-1, 0.02)]
    expected = minimize(loss, np.zeros(3), method="SLSQP", bounds=bounds, options={"ftol": 1e-12}).x
    start = restricted.vector({"lm_0": 3.0})
    weights = LogisticRanker(l2).fit(Differences(x, importance), start, restricted)
    assert weights.tolist() == pytest.approx([3, *expected], abs=1e-3)
    assert weights[3] == pytest.approx(0.02)


def test_perceptron_by_hand() -> None:
    """Two pairs, one epoch, from w = 0: (1, 0) errs (0 is no margin): w = (.5, 0); its negation is right.

    (-1, 1) errs: w = (0, .5); then right. The mean of the weights after the two updates is (.25, .25).
    """
    x = np.array([[1.0, 0.0], [-1.0, 1.0]])
    free = WeightSpace.build(("a", "b"), {}, {}, [])
    weights = PerceptronRanker(epochs=1, rate=0.5).fit(Differences(x, np.ones(2)), np.zeros(2), free)
    assert weights.tolist() == [0.25, 0.25]
    right = PerceptronRanker(epochs=1, rate=0.5).fit(Differences(x, np.ones(2)), np.array([1.0, 2.0]), free)
    assert right.tolist() == [1.0, 2.0]
    # Right about the first pair alone: the second still teaches, once (0.5, 1.5), which is enough.
    learnt = PerceptronRanker(epochs=1, rate=0.5).fit(Differences(x, np.ones(2)), np.array([1.0, 1.0]), free)
    assert learnt.tolist() == [0.5, 1.5]
