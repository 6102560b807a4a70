"""Every tuner finds weights that are known to be best, and obeys ranges."""

from __future__ import annotations

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import chosen_statistics
from sbmt.tuning.settings import ProSettings
from sbmt.tuning.tuners.mert import Mert
from sbmt.tuning.tuners.mira import Mira
from sbmt.tuning.tuners.tuner import Problem
from tests.tuning.planted import BEST, NAMES, Planted, candidates, planted_pool, planted_problem, space

TUNERS = {
    "pro": ProSettings(restarts=1).make_tuner(),
    "pro, averaged": ProSettings(tau=100, xi=20, restarts=3).make_tuner(),
    "joshua": ProSettings(
        tau=8000, min_difference=0.005, ranker="perceptron", restarts=1, normalise="lm_0"
    ).make_tuner(),
    "mira": Mira(),
    "mert": Mert(),
}


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize("tuner", TUNERS)
def test_the_planted_weights_are_found(tuner: str, level: str) -> None:
    rng = np.random.default_rng(7)
    problem = planted_problem(planted_pool(rng), level)
    weights = TUNERS[tuner].fit(problem, rng)
    unseen = planted_pool(rng)
    best = problem.objective.corpus(chosen_statistics(unseen, BEST))
    assert problem.objective.corpus(chosen_statistics(unseen, problem.start)) < best - 0.1
    assert problem.objective.corpus(chosen_statistics(unseen, weights)) > best - 0.02
    cosine = weights @ BEST / np.linalg.norm(weights) / np.linalg.norm(BEST)
    assert cosine > 0.95


@pytest.mark.parametrize("tuner", TUNERS)
def test_fixed_weights_and_ranges_hold(tuner: str) -> None:
    rng = np.random.default_rng(3)
    restricted = space({"lm_0": 0.1}, {"a": (-0.5, 0.5)})  # the mean of three times 0.1 is a little more in floats
    start = restricted.vector({"lm_0": 9.0, "b": 0.1})
    weights = TUNERS[tuner].fit(Problem(planted_pool(rng), Objective(Planted("x")), start, restricted), rng)
    assert weights[0] == 0.1
    assert -0.5 <= weights[1] <= 0.5
    assert weights[1] < 0


@pytest.mark.parametrize("tuner", TUNERS)
@pytest.mark.parametrize(("fixed", "ranges"), [({"lm_0": 1.0}, {}), ({}, dict.fromkeys(NAMES, (-2.0, 1.0)))])
def test_the_others_are_fitted_to_what_is_fixed(
    tuner: str, fixed: dict[str, float], ranges: dict[str, tuple[float, float]]
) -> None:
    """Weights far too large for a fixed one, or clipped to bounds, order candidates otherwise (.91 here, at most)."""
    rng = np.random.default_rng(7)
    restricted, pool, unseen = space(fixed, ranges), planted_pool(rng), planted_pool(rng)
    start = restricted.vector(dict.fromkeys(NAMES, 0.1))
    weights = TUNERS[tuner].fit(Problem(pool, Objective(Planted("x")), start, restricted), rng)
    agreement = np.mean([np.corrcoef(c.features @ BEST, c.features @ weights)[0, 1] for c in unseen])
    assert agreement > (0.9 if tuner == "mira" else 0.95)  # MIRA's steps are small


@pytest.mark.parametrize("tuner", TUNERS)
def test_the_same_seed_gives_the_same_weights(tuner: str) -> None:
    problem = planted_problem(planted_pool(np.random.default_rng(5), sentences=20))
    runs = [TUNERS[tuner].fit(problem, np.random.default_rng(11)) for _ in range(2)]
    assert runs[0].tobytes() == runs[1].tobytes()


@pytest.mark.parametrize("tuner", TUNERS)
def test_a_feature_that_never_differs_does_no_harm(tuner: str) -> None:
    rng = np.random.default_rng(5)
    pool = [
        candidates(np.concatenate([c.features[:, :3], np.full((len(c), 1), 7.0, np.float32)], 1), c.statistics)
        for c in planted_pool(rng)
    ]
    weights = TUNERS[tuner].fit(planted_problem(pool), rng)
    assert np.isfinite(weights).all()
    assert weights[0] > 0 > weights[1]


@pytest.mark.parametrize("tuner", TUNERS)
def test_a_sentence_whose_candidates_are_alike_does_no_harm(tuner: str) -> None:
    rng = np.random.default_rng(5)
    first, *others = planted_pool(rng)
    alike = candidates(first.features, np.ones_like(first.statistics))
    weights = TUNERS[tuner].fit(planted_problem([alike, *others]), rng)
    assert weights @ BEST / np.linalg.norm(weights) / np.linalg.norm(BEST) > 0.9


@pytest.mark.parametrize("tuner", [*TUNERS, "pro, any difference"])
def test_candidates_all_alike(tuner: str) -> None:
    rng = np.random.default_rng(5)
    tuners = {**TUNERS, "pro, any difference": ProSettings(min_difference=0).make_tuner()}
    pool = [candidates(c.features, np.ones_like(c.statistics)) for c in planted_pool(rng, 5)]
    with pytest.raises(SbmtError, match="there is nothing to learn"):
        tuners[tuner].fit(planted_problem(pool), rng)
