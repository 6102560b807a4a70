"""Bootstrap intervals and paired significance tests over the matrix of statistics, for any metric.

Koehn 2004 (bootstrap), Riezler and Maxwell 2005 (approximate randomisation). A resample is a vector of sentence
weights, so one matrix product scores many of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics.base import AnyMetric

SWAPS, RESAMPLES = 10_000, 1000  # how many are drawn, unless it is said
ALPHA = 0.05  # a p-value below is called significant
_CELLS = 2_000_000  # of weights held at once


def _aggregate(metric: AnyMetric, rows: Floats, weights: Floats) -> Floats:
    """Score weighted corpora: weights [n_samples, n_sentences] -> [n_samples]."""
    if metric.level == "sentence":
        return np.asarray(weights @ metric.score_sentences(rows) / weights.sum(axis=1))
    return metric.score(weights @ rows)


def _blocks(samples: int, sentences: int) -> Iterator[int]:
    size = max(_CELLS // sentences, 1)
    for start in range(0, samples, size):
        yield min(size, samples - start)


def _resamples(sentences: int, samples: int, rng: np.random.Generator) -> Iterator[Floats]:
    for size in _blocks(samples, sentences):
        drawn = rng.integers(sentences, size=(size, sentences)) + sentences * np.arange(size)[:, None]
        yield np.bincount(drawn.ravel(), minlength=size * sentences).reshape(size, sentences).astype(np.float64)


def bootstrap_intervals(
    metric: AnyMetric, systems: Sequence[Floats], rng: np.random.Generator, samples: int = RESAMPLES
) -> list[tuple[float, float]]:
    """Return each system's 95 % percentile interval of the corpus score when sentences are drawn with replacement.

    systems: the statistics [n_sentences, n_stats] of each; all see the same draws.
    """
    return percentiles(bootstrap_scores(metric, systems, rng, samples))


def bootstrap_scores(
    metric: AnyMetric, systems: Sequence[Floats], rng: np.random.Generator, samples: int = RESAMPLES
) -> Floats:
    """Return the corpus scores of these draws, [n_systems, samples]: a mean over runs, say, has an interval, too."""
    draws = _resamples(len(systems[0]), samples, rng)
    return np.concatenate([[_aggregate(metric, rows, weights) for rows in systems] for weights in draws], axis=1)


def percentiles(scores: Floats) -> list[tuple[float, float]]:
    """Return the 95 % percentile interval of each row."""
    low, high = np.quantile(scores, [0.025, 0.975], axis=1)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def paired_bootstrap(
    metric: AnyMetric, rows: Floats, baseline: Floats, rng: np.random.Generator, samples: int = RESAMPLES
) -> float:
    """Return the two-sided p-value of the difference, its resampled distribution being centred on no difference.

    It is never below 2^(1-n) for n sentences: what swapping outputs gives when all sentences agree, 1 for a single one.
    Resamples of a few sentences hardly vary, or not at all, however little the sentences say.
    """
    _check_paired(rows, baseline)
    differences = np.concatenate(
        [
            _aggregate(metric, rows, weights) - _aggregate(metric, baseline, weights)
            for weights in _resamples(len(rows), samples, rng)
        ]
    )
    p_value = _p_value(differences - differences.mean(), _difference(metric, rows, baseline))
    return max(p_value, smallest_p_value(len(rows)))


def smallest_p_value(sentences: int) -> float:
    """Return what no exact paired test on so many sentences can go below: two of all ways to swap are as extreme."""
    return float(2.0 ** (1 - sentences))


def permutation_test(
    metric: AnyMetric, rows: Floats, baseline: Floats, rng: np.random.Generator, samples: int = SWAPS
) -> float:
    """Return the two-sided p-value of the difference when the two outputs of a sentence are swapped at random."""
    _check_paired(rows, baseline)
    sentence_level = metric.level == "sentence"
    mine, theirs = (
        (metric.score_sentences(r)[:, None] for r in (rows, baseline)) if sentence_level else (rows, baseline)
    )
    differences = []
    for size in _blocks(samples, len(rows)):
        swapped = rng.integers(0, 2, size=(size, len(rows))).astype(np.float64) @ (mine - theirs)
        here, there = theirs.sum(axis=0) + swapped, mine.sum(axis=0) - swapped
        differences.append(
            (here - there)[:, 0] / len(rows) if sentence_level else metric.score(here) - metric.score(there)
        )
    return _p_value(np.concatenate(differences), _difference(metric, rows, baseline))


def _check_paired(rows: Floats, baseline: Floats) -> None:
    if rows.shape != baseline.shape:
        raise SbmtError(f"a paired test needs the same sentences: {len(rows)} and {len(baseline)} outputs")


def _difference(metric: AnyMetric, rows: Floats, baseline: Floats) -> float:
    return metric.corpus(rows).value - metric.corpus(baseline).value


def _p_value(differences: Floats, observed: float) -> float:
    extreme = np.abs(differences) >= abs(observed) - 1e-10  # equal up to rounding is as extreme
    return float((np.count_nonzero(extreme) + 1) / (len(differences) + 1))
