"""Bootstrap intervals and paired significance tests over the matrix of statistics, for any metric.

Koehn 2004 (bootstrap), Riezler and Maxwell 2005 (approximate randomisation), Holm 1979 (multiple tests). A resample is
a vector of sentence weights, so one matrix product scores many of them.

Statistics are those of one run of a system, [n_sentences, n_stats], or of several, [runs, n_sentences, n_stats], whose
mean is the score. Draws are of sentences; runs are not resampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics.base import AnyMetric

SWAPS, RESAMPLES = 10_000, 1000  # default numbers of draws
ALPHA = 0.05  # a p-value below is called significant
_MAX_CELLS = 2_000_000  # of weights held at once
_ROUNDING = 1e-12  # of the largest score: smaller differences count as rounding


def as_runs(rows: Floats) -> Floats:
    """Return one run or several as [runs, n_sentences, n_stats]."""
    return rows.reshape(-1, *rows.shape[-2:])


def _aggregate(metric: AnyMetric, rows: Floats, weights: Floats) -> Floats:
    """Score weighted corpora: weights [n_samples, n_sentences] -> [n_samples]."""
    return np.asarray(np.mean([_aggregate_run(metric, run, weights) for run in as_runs(rows)], axis=0))


def _aggregate_run(metric: AnyMetric, rows: Floats, weights: Floats) -> Floats:
    if metric.level == "sentence":
        return np.asarray(weights @ metric.score_sentences(rows) / weights.sum(axis=1))
    return metric.score(weights @ rows)


def _blocks(samples: int, sentences: int) -> Iterator[int]:
    size = max(_MAX_CELLS // sentences, 1)
    for start in range(0, samples, size):
        yield min(size, samples - start)


def _resamples(sentences: int, samples: int, rng: np.random.Generator) -> Iterator[Floats]:
    for size in _blocks(samples, sentences):
        drawn = rng.integers(sentences, size=(size, sentences)) + sentences * np.arange(size)[:, None]
        yield np.bincount(drawn.ravel(), minlength=size * sentences).reshape(size, sentences).astype(np.float64)


def bootstrap_intervals(
    metric: AnyMetric, systems: Sequence[Floats], rng: np.random.Generator, samples: int
) -> list[tuple[float, float]]:
    """Return each system's 95 % percentile interval of the corpus score when sentences are drawn with replacement.

    systems: the statistics of each; all share the same draws.
    """
    draws = _resamples(systems[0].shape[-2], samples, rng)
    scores = np.concatenate([[_aggregate(metric, rows, weights) for rows in systems] for weights in draws], axis=1)
    low, high = np.quantile(scores, [0.025, 0.975], axis=1)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def paired_bootstrap(
    metric: AnyMetric, rows: Floats, baseline: Floats, rng: np.random.Generator, samples: int
) -> float:
    """Return the two-sided p-value of the difference, its resampled distribution being centred on zero.

    It is never below `smallest_p_value`: resamples of few differences hardly vary, however weak their evidence.
    """
    _check_paired(rows, baseline)
    differences = np.concatenate(
        [
            _aggregate(metric, rows, weights) - _aggregate(metric, baseline, weights)
            for weights in _resamples(rows.shape[-2], samples, rng)
        ]
    )
    return _p_value(differences - differences.mean(), metric, rows, baseline)


def smallest_p_value(sentences: int) -> float:
    """Return the least p-value of an exact paired test, 2^(1-n) if n sentences differ: two of all swaps are as extreme.

    It is 1 if none does.
    """
    return min(float(2.0 ** (1 - sentences)), 1.0)


def permutation_test(
    metric: AnyMetric, rows: Floats, baseline: Floats, rng: np.random.Generator, samples: int
) -> float:
    """Return the two-sided p-value of the difference when the two outputs of a sentence are swapped at random.

    Every run of one system is swapped with every run of the other, in the same sentences. The p-value is never below
    `smallest_p_value`, though fewer of the swaps drawn may be as extreme.
    """
    _check_paired(rows, baseline)
    pairs, sentences = list(product(as_runs(rows), as_runs(baseline))), rows.shape[-2]
    differences = []
    for size in _blocks(samples, sentences):
        swaps = rng.integers(0, 2, size=(size, sentences)).astype(np.float64)
        differences.append(np.mean([_swapped_difference(metric, *pair, swaps) for pair in pairs], axis=0))
    return _p_value(np.concatenate(differences), metric, rows, baseline)


def _swapped_difference(metric: AnyMetric, mine: Floats, theirs: Floats, swaps: Floats) -> Floats:
    """Return the difference of two runs' scores with outputs swapped: [n_samples, n_sentences] -> [n_samples]."""
    if metric.level == "sentence":
        gaps = metric.score_sentences(theirs) - metric.score_sentences(mine)
        return np.asarray((gaps.sum() - 2 * swaps @ gaps) / len(gaps))
    swapped = swaps @ (mine - theirs)
    return metric.score(theirs.sum(axis=0) + swapped) - metric.score(mine.sum(axis=0) - swapped)


def _check_paired(rows: Floats, baseline: Floats) -> None:
    if rows.shape[-2:] != baseline.shape[-2:]:
        raise SbmtError(f"a paired test needs the same sentences: {rows.shape[-2]} and {baseline.shape[-2]} outputs")


def _p_value(differences: Floats, metric: AnyMetric, rows: Floats, baseline: Floats) -> float:
    """Return the share of differences at least as large as the one observed, up to rounding."""
    score, other = (float(np.mean([metric.corpus(run).value for run in as_runs(runs)])) for runs in (rows, baseline))
    sizes = np.abs(differences)
    slack = _ROUNDING * max(abs(score), abs(other), sizes.max())  # scores may cancel out where differences do not
    extreme = sizes >= abs(score - other) - slack
    share = float((np.count_nonzero(extreme) + 1) / (len(differences) + 1))
    return max(share, smallest_p_value(_count_differing(rows, baseline)))


def _count_differing(rows: Floats, baseline: Floats) -> int:
    """Return the number of sentences in which any two runs differ; swapping the others changes nothing."""
    runs = np.concatenate([as_runs(rows), as_runs(baseline)])
    return int(np.count_nonzero((runs != runs[0]).any(axis=(0, 2))))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests: any of them falls below a level by chance with at most that probability."""
    raw = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(raw)
    corrected = np.empty_like(raw)
    corrected[order] = np.minimum(np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1)), 1)
    return [float(p_value) for p_value in corrected]
