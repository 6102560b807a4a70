"""Correlations against scipy's, published and simulated values; the lasso against its optimality conditions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sbmt.errors import SbmtError
from sbmt.evaluation.correlation import KINDS, Correlation, correlate, williams
from sbmt.evaluation.lasso import cross_validated, lasso

RNG = np.random.default_rng(7)
X = RNG.normal(size=40)
Y = 0.6 * X + RNG.normal(size=40)


@pytest.mark.parametrize("kind", KINDS)
def test_values_and_tests_are_scipys(kind: str) -> None:
    found = correlate(kind, X, Y, np.random.default_rng(1))
    value, p_value = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind](X, Y)
    assert found.value == pytest.approx(value)
    assert found.p_value == pytest.approx(p_value, abs=0.012)  # of 2000 permutations
    assert found.interval is not None
    low, high = found.interval
    assert low < value < high


def test_pearsons_interval_is_fishers() -> None:
    expected = stats.pearsonr(X, Y).confidence_interval(0.95)
    assert correlate("pearson", X, Y, np.random.default_rng(1)).interval == pytest.approx(tuple(expected))


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_cover_in_simulations(kind: str) -> None:
    rng = np.random.default_rng(3)
    covered = 0
    rho = 0.5
    truth = {"pearson": rho, "spearman": 6 / np.pi * np.arcsin(rho / 2), "kendall": 2 / np.pi * np.arcsin(rho)}[kind]
    for _ in range(200):
        a = rng.normal(size=50)
        b = rho * a + np.sqrt(1 - rho**2) * rng.normal(size=50)
        found = correlate("kendall" if kind == "kendall" else kind, a, b, rng)
        assert found.interval is not None
        covered += found.interval[0] <= truth <= found.interval[1]
    assert covered >= 180  # 95 % of 200 is 190; fewer than 180 has probability below 0.001


def test_constant_lists_and_few_points() -> None:
    rng = np.random.default_rng(1)
    assert correlate("pearson", [1, 1, 1], [1, 2, 3], rng) == Correlation(None, None, None)  # 0 / 0
    assert correlate("spearman", [1, 2, 3], [2, 4, 9], rng).value == pytest.approx(1)
    assert correlate("spearman", [1, 2, 3], [2, 4, 9], rng).interval is None
    for x, y in (([1, 2], [1, 2]), ([1, 2, 3], [1, 2])):
        with pytest.raises(SbmtError, match="two lists of the same length, 3 at least"):
            correlate("pearson", x, y, rng)
    for odd in (np.nan, np.inf):
        with pytest.raises(SbmtError, match="needs finite numbers"):
            correlate("kendall", [1, 2, odd], [1, 2, 3], rng)


def test_williams() -> None:
    # Steiger's case A as the documentation of R's psych::r.test has it: n 103, t -0.89, two-sided p 0.37.
    assert 2 * williams(0.5, 0.4, 0.1, 103) == pytest.approx(0.37, abs=0.01)
    assert williams(0.4, 0.4, 0.5, 50) == pytest.approx(0.5)
    assert williams(0.5, 0.4, 0.3, 50) + williams(0.4, 0.5, 0.3, 50) == pytest.approx(1)


def test_williams_keeps_its_level() -> None:
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(500):
        human = rng.normal(size=60)
        one, other = human + rng.normal(size=60), human + rng.normal(size=60)
        r = np.corrcoef([human, one, other])
        rejected += williams(r[0, 1], r[0, 2], r[1, 2], 60) < 0.05
    assert 8 <= rejected <= 46  # 25 expected; beyond has probability below 0.0001


def test_lasso_meets_its_optimality_conditions() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(80, 5))
    x -= x.mean(axis=0)
    y = x @ np.array([3.0, -2.0, 0, 0, 0.1]) + rng.normal(size=80)
    y -= y.mean()
    weight = 0.4
    b = lasso(x, y, weight)
    gradient = x.T @ (y - x @ b) / 80
    assert b[2] == b[3] == 0
    for value, slope in zip(b, gradient, strict=True):
        if value:
            assert slope == pytest.approx(weight * np.sign(value), abs=3e-3)
        else:
            assert abs(slope) <= weight + 1e-6
    assert not lasso(x, y, 100.0).any()
    assert lasso(x, y, 0.0) == pytest.approx(np.linalg.lstsq(x, y, rcond=None)[0], abs=3e-3)


def test_cross_validation_finds_what_matters() -> None:
    rng = np.random.default_rng(4)
    x = (rng.random((300, 6)) < 0.4).astype(float)
    x[:, 5] = 1  # constant
    y = 10 * x[:, 0] - 5 * x[:, 1] + rng.normal(size=300)
    b, explained = cross_validated(x, y, np.random.default_rng(1))
    assert b[0] == pytest.approx(10 * x[:, 0].std(), abs=0.3)
    assert b[1] == pytest.approx(-5 * x[:, 1].std(), abs=0.3)
    assert np.abs(b[2:5]).max() < 0.2
    assert b[5] == 0
    assert explained > 0.9
    assert cross_validated(x, np.ones(300), rng)[1] == 0
