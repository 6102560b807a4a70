"""The lasso against its optimality conditions, and its cross-validation on simulated values."""

from __future__ import annotations

import numpy as np
import pytest

from sbmt.evaluation.studies.lasso import cross_validated, lasso


def test_lasso_meets_its_optimality_conditions() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(80, 5))
    x -= x.mean(axis=0)
    y = x @ np.array([3.0, -2.0, 0, 0, 0.1]) + rng.normal(size=80)
    y -= y.mean()
    weight = 0.4
    b = lasso(x, y, weight, np.zeros(x.shape[1]))
    gradient = x.T @ (y - x @ b) / 80
    assert b[2] == b[3] == 0
    for value, slope in zip(b, gradient, strict=True):
        if value:
            assert slope == pytest.approx(weight * np.sign(value), abs=3e-3)
        else:
            assert abs(slope) <= weight + 1e-6
    start = np.zeros(x.shape[1])
    assert not lasso(x, y, 100.0, start).any()
    assert lasso(x, y, 0.0, start) == pytest.approx(np.linalg.lstsq(x, y, rcond=None)[0], abs=3e-3)


def test_cross_validation_finds_what_matters() -> None:
    rng = np.random.default_rng(4)
    x = (rng.random((300, 6)) < 0.4).astype(float)
    x[:, 5] = 1  # constant
    y = 10 * x[:, 0] - 5 * x[:, 1] + rng.normal(size=300)
    b, explained = cross_validated(x, y, range(300), np.random.default_rng(1))
    assert b[0] == pytest.approx(10 * x[:, 0].std(), abs=0.3)
    assert b[1] == pytest.approx(-5 * x[:, 1].std(), abs=0.3)
    assert np.abs(b[2:5]).max() < 0.2
    assert b[5] == 0
    assert explained > 0.9


def test_coefficients_are_those_of_the_weight_with_the_least_error() -> None:
    """Without noise that is the smallest, a hundredth of the one that leaves nothing: the slope that remains."""
    x = np.random.default_rng(4).normal(size=(300, 3))
    y = 1000 * x[:, 0]
    b, _ = cross_validated(x, y, range(300), np.random.default_rng(1))
    standard = (x - x.mean(axis=0)) / x.std(axis=0)
    largest, remaining = (standard[:, 0] @ rest / 300 for rest in (y - y.mean(), y - y.mean() - standard @ b))
    assert remaining == pytest.approx(largest / 100, rel=1e-3)


@pytest.mark.parametrize("value", [1.0, 0.1, 1 / 3])
def test_nothing_of_a_constant_is_explained(value: float) -> None:
    rng = np.random.default_rng(4)
    b, explained = cross_validated(rng.random((300, 6)), np.full(300, value), range(300), rng)
    assert (b.any(), explained) == (False, 0)


def test_a_single_group_leaves_nothing_to_hold_out() -> None:
    rng = np.random.default_rng(4)
    x = rng.random((30, 2))
    b, explained = cross_validated(x, x[:, 0], [7] * 30, rng)
    assert (b.any(), explained) == (False, 0)


def test_what_a_group_has_in_common_is_held_out_together() -> None:
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(20), 10)
    x = np.eye(20)[groups]  # tells the group, and so its level, which says nothing of other groups
    y = rng.normal(size=20)[groups] + rng.normal(size=200) / 10
    assert cross_validated(x, y, range(200), np.random.default_rng(1))[1] > 0.9
    assert cross_validated(x, y, groups, np.random.default_rng(1))[1] <= 0.01
