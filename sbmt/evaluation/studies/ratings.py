"""Metrics against human ratings of single outputs: what the ASSET and QATS studies share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sbmt.evaluation.correlation import KINDS, correlate, williams
from sbmt.evaluation.studies.table import Figure, Scatter, Table
from sbmt.metrics.base import Floats
from sbmt.metrics.registry import get_metric

Sentences = Mapping[str, Sequence[float]]  # metric or aspect -> a number a sentence


def sentence_scores(
    name: str, sources: Sequence[str], references: Sequence[Sequence[str]], outputs: Sequence[str]
) -> Floats:
    """Score each output by itself."""
    metric = get_metric(name)
    return metric.score_sentences(metric.corpus_statistics(metric.prepare_many(sources, references), outputs))


def correlations(
    metrics: Sentences, aspects: Sentences, rng: np.random.Generator, paper: Mapping[str, float]
) -> list[Figure]:
    """Every correlation of every metric with every aspect; `paper` has Pearson's, by `METRIC: ASPECT`.

    The p-values are what `correlation.P_VALUES` says.
    """
    figures = []
    for kind in KINDS:
        for metric, scores in metrics.items():
            for aspect, ratings in aspects.items():
                found = correlate(kind, scores, ratings, rng)
                printed = paper.get(f"{metric}: {aspect}") if kind == "pearson" else None
                name = f"{kind} {metric}: {aspect}"
                figures.append(Figure(name, found.value, printed, found.interval, found.p_value))
    return figures


def comparisons(metrics: Sentences, aspects: Sentences) -> Table:
    """Williams' test for each two metrics: is the one that correlates better with an aspect better than the other?"""
    figures = []
    varied = [name for name, scores in metrics.items() if np.ptp(scores) > 0]  # constant ones correlate with nothing
    for aspect, ratings in aspects.items():
        for one, other in combinations(varied, 2) if np.ptp(ratings) > 0 else ():
            better, worse = sorted((one, other), key=lambda name: -float(np.corrcoef(metrics[name], ratings)[0, 1]))
            r = np.corrcoef([ratings, metrics[better], metrics[worse]])
            p_value = williams(r[0, 1], r[0, 2], r[1, 2], len(ratings))
            figures.append(Figure(f"{aspect}: {better} over {worse}", r[0, 1] - r[0, 2], p_value=p_value))
    reason = "Differences of Pearson's correlations with one-sided p-values; the papers test none of them."
    return Table("Which metric follows people better", "Williams' test", reason, figures, p_values="one-sided.")


def scatters(metrics: Sentences, aspects: Sentences) -> list[Scatter]:
    """Each two metrics against one another, and each against each aspect (Xu et al. 2016, Figures 2 and 3)."""
    pairs = [
        *combinations(metrics.items(), 2),
        *((metric, aspect) for metric in metrics.items() for aspect in aspects.items()),
    ]
    return [
        Scatter(f"{x}-{y}", x, y, list(zip(map(float, first), map(float, second), strict=True)))
        for (x, first), (y, second) in pairs
    ]
