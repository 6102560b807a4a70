"""Least squares with an L1 penalty (Tibshirani 1996), by coordinate descent, its weight chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sbmt.arrays import Bools, Floats
from sbmt.evaluation.rounding import is_constant

_WEIGHTS = 20  # tried, from the least that makes all coefficients 0 down to a hundredth of it
_FOLDS = 10
_SWEEPS = 200
_TOLERANCE = 1e-3  # of a coefficient, in units of y


def lasso(x: Floats, y: Floats, weight: float, start: Floats) -> Floats:
    """Return the b [n_features] that minimises ||y - x b||^2 / 2n + weight ||b||_1; columns of x and y are centred."""
    n = len(y)
    gram, target = x.T @ x / n, x.T @ y / n
    b = start.copy()
    for _ in range(_SWEEPS):
        before = b.copy()
        for k in np.nonzero(np.diag(gram) > 0)[0]:
            residual = target[k] - gram[k] @ b + gram[k, k] * b[k]
            b[k] = np.sign(residual) * max(abs(residual) - weight, 0) / gram[k, k]
        if np.abs(b - before).max() < _TOLERANCE:
            break
    return b


def cross_validated(x: Floats, y: Floats, groups: Sequence[int], rng: np.random.Generator) -> tuple[Floats, float]:
    """Return coefficients for standardised columns of x (0 for a constant one) and the share of variance explained.

    The share is that on held-out tenths, at the chosen weight; coefficients are in units of y. Rows of one group depend
    on one another, so they are held out together. All is 0 where nothing can be explained or held out: a constant y,
    constant columns, a single group.
    """
    spread = x.std(axis=0)
    standard = np.divide(x - x.mean(axis=0), spread, out=np.zeros_like(x), where=spread > 0)
    centred = y - y.mean()
    largest = float(np.abs(standard.T @ centred).max()) / len(y)
    names, members = np.unique(groups, return_inverse=True)
    if largest == 0 or is_constant(y) or len(names) == 1:
        return np.zeros(x.shape[1]), 0.0
    weights = np.geomspace(largest, largest / 100, _WEIGHTS)
    folds = (rng.permutation(len(names)) % _FOLDS)[members]
    errors = sum(_held_out_errors(standard, centred, weights, folds == fold) for fold in range(_FOLDS))
    best = int(np.argmin(errors))
    b = np.zeros(x.shape[1])
    for weight in weights[: best + 1]:
        b = lasso(standard, centred, float(weight), b)
    return b, float(1 - np.asarray(errors)[best] / (centred**2).sum())


def _held_out_errors(x: Floats, y: Floats, weights: Floats, held_out: Bools) -> Floats:
    """Return the squared error on the held-out rows for each weight."""
    kept = ~held_out
    mean_x, mean_y = x[kept].mean(axis=0), y[kept].mean()
    b, errors = np.zeros(x.shape[1]), []
    for weight in weights:
        b = lasso(x[kept] - mean_x, y[kept] - mean_y, float(weight), b)
        errors.append(float(((y[held_out] - mean_y - (x[held_out] - mean_x) @ b) ** 2).sum()))
    return np.array(errors)
