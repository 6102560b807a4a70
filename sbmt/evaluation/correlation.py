"""Correlations of metrics with human scores: Pearson, Spearman, Kendall; intervals; permutation and Williams tests.

Intervals by Fisher's transformation, with the variances of Fieller, Hartley and Pearson 1957 for the two rank
correlations; Williams' test for two correlations with the same human scores (Graham and Baldwin 2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sbmt.arrays import Floats
from sbmt.errors import SbmtError, unknown_name
from sbmt.evaluation.rounding import is_constant

KINDS = ("pearson", "spearman", "kendall")
_VARIANCE = {"pearson": (1.0, 3), "spearman": (1.06, 3), "kendall": (0.437, 4)}  # variance v / (n - k) of artanh(r)
DEVIATIONS = float(stats.norm.ppf(0.975))  # half the width of a 95 % interval, in standard deviations
SAMPLES = 2000  # permutations
_ROUNDING = 1e-9  # of the largest product that two lists can have: smaller differences count as rounding
_PERFECT = 1e-12  # correlations that are nearer to 1 or -1 count as these
_MAX_CELLS = 2_000_000  # of permutations held at once
EXACT = 9  # points up to which all permutations are tried instead (9! are 362,880)
P_VALUES = f"two-sided, of {SAMPLES:,} permutations (all, of up to {EXACT} points); Kendall's by scipy."


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation in [-1, 1], its 95 % interval and two-sided p-value.

    A perfect correlation has no interval, nor has one of 3 points (Kendall's: of up to 4). With a list that is constant
    (but for rounding) all three are None.
    """

    value: float | None
    interval: tuple[float, float] | None
    p_value: float | None


def correlate(
    kind: str, x: Sequence[float] | Floats, y: Sequence[float] | Floats, rng: np.random.Generator
) -> Correlation:
    """Correlate two lists of the same length: see `coefficient`.

    The p-value for pearson and spearman is that of a permutation test (all permutations for up to EXACT points, else
    SAMPLES, with a minimum of 1 / (SAMPLES + 1)), for kendall scipy's (exact for few points without ties). Raises what
    `coefficient` does.
    """
    pair = _check_pair(kind, x, y)
    if pair is None:
        return Correlation(None, None, None)
    a, b = pair
    if kind == "kendall":
        tau = stats.kendalltau(a, b)
        return Correlation(float(tau.statistic), _interval(kind, tau.statistic, len(a)), float(tau.pvalue))
    value = _pearson(a, b)
    return Correlation(value, _interval(kind, value, len(a)), _permutation_test(a, b, rng))


def coefficient(kind: str, x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> float | None:
    """Return the correlation of two lists of the same length, -1 to 1; None where one is constant (but for rounding).

    Raises SbmtError for another kind and lists of different lengths, below 3, or with a number that is not finite.
    """
    pair = _check_pair(kind, x, y)
    if pair is None:
        return None
    return float(stats.kendalltau(*pair).statistic) if kind == "kendall" else _pearson(*pair)


def _check_pair(kind: str, x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> tuple[Floats, Floats] | None:
    """Return two lists, checked, as arrays (of ranks for spearman); None where one is constant."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if kind not in KINDS:
        raise unknown_name("correlation", kind, KINDS)
    if a.ndim != 1 or a.shape != b.shape or len(a) < 3:
        sizes = " and ".join(" x ".join(map(str, values.shape)) for values in (a, b))
        raise SbmtError(f"a correlation needs two lists of the same length, 3 at least: {sizes}")
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise SbmtError("a correlation needs finite numbers: a score or rating is infinite or not a number")
    if is_constant(a) or is_constant(b):
        return None
    return (stats.rankdata(a), stats.rankdata(b)) if kind == "spearman" else (a, b)


def _pearson(a: Floats, b: Floats) -> float:
    return float(np.clip(np.corrcoef(a, b)[0, 1], -1, 1))


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """Return the two-sided p-value of Williams' test that correlations r12 and r13 of n points are equal.

    1 are the human scores, 2 and 3 the metrics; r23 is their correlation with one another. Raises SbmtError for fewer
    than 4 points, which leave no degree of freedom, and for numbers that are not correlations.
    """
    if invalid := [r for r in (r12, r13, r23) if not -1 <= r <= 1]:  # also NaN
        raise SbmtError(f"Williams' test needs correlations from -1 to 1: {invalid[0]}")
    if n < 4:
        raise SbmtError(f"Williams' test needs 4 points at least: {n}")
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    spread = 2 * k * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread) if spread > 0 else 0.0
    return float(2 * stats.t.sf(abs(t), n - 3))


def _interval(kind: str, value: float, n: int) -> tuple[float, float] | None:
    """Return the 95 % interval; None for a perfect correlation and for too few points."""
    variance, k = _VARIANCE[kind]
    if n <= k or 1 - abs(value) < _PERFECT:
        return None
    half = DEVIATIONS * np.sqrt(variance / (n - k))
    middle = np.arctanh(value)
    return float(np.tanh(middle - half)), float(np.tanh(middle + half))


def _permutation_test(a: Floats, b: Floats, rng: np.random.Generator) -> float:
    """Return the two-sided p-value of Pearson's correlation."""
    a, b = a - a.mean(), b - b.mean()
    slack = _ROUNDING * float(np.linalg.norm(a) * np.linalg.norm(b))
    least = abs(float(a @ b)) - slack
    extreme = sum(np.count_nonzero(np.abs(shuffled @ a) >= least) for shuffled in _shuffles(b, rng))
    # All permutations include the observed one; to drawn ones it is added.
    return float(extreme / factorial(len(b)) if len(b) <= EXACT else (extreme + 1) / (SAMPLES + 1))


def _shuffles(b: Floats, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield all permutations of a list of up to EXACT numbers, SAMPLES random ones of a longer one: [., n] at a time.

    The draws do not depend on how many are made at a time.
    """
    if len(b) <= EXACT:
        yield b[_orders(len(b))]
        return
    size = max(_MAX_CELLS // len(b), 1)
    for start in range(0, SAMPLES, size):
        yield rng.permuted(np.tile(b, (min(size, SAMPLES - start), 1)), axis=1)


@lru_cache(maxsize=2)
def _orders(n: int) -> NDArray[np.int8]:
    """Return all permutations of 0 ... n - 1: [n!, n]."""
    orders = np.zeros((1, 0), dtype=np.int8)
    for k in range(n):
        orders = np.concatenate([np.insert(orders, place, k, axis=1) for place in range(k + 1)])
    return orders
