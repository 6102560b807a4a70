"""Metrics against human ratings of single outputs: shared by the studies of ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import counted
from sbmt.evaluation.correlation import KINDS, correlate, williams
from sbmt.evaluation.rounding import is_constant
from sbmt.evaluation.studies.table import Figure, Scatter, Table
from sbmt.metrics.registry import get_metric
from sbmt.metrics.significance import holm

# Features of `sbmt.metrics.quality` that are compared with ratings, as metrics are.
RATED_FEATURES = ("compression ratio", "Levenshtein similarity", "additions", "deletions", "lexical complexity")
# Metric or aspect -> a number for each sentence; NaN where people did not rate that aspect of it.
Sentences = Mapping[str, Sequence[float]]


def each_once(names: Iterable[str]) -> list[str]:
    """Return the names without later ones of the same metric, such as `sari:easse` after `sari`."""
    by_signature: dict[str, str] = {}
    for name in names:
        by_signature.setdefault(get_metric(name).signature(), name)
    return list(by_signature.values())


def sentence_scores(
    name: str, sources: Sequence[str], references: Sequence[Sequence[str]], outputs: Sequence[str]
) -> list[float]:
    """Score each output by itself."""
    metric = get_metric(name)
    scores: list[float] = metric.score_sentences(metric.count_outputs(sources, references, outputs)).tolist()
    return scores


def correlations(
    metrics: Sentences, aspects: Sentences, rng: np.random.Generator, paper: Mapping[str, float]
) -> list[Figure]:
    """Return all correlations of all metrics with all aspects; `paper` has Pearson's, by `METRIC: ASPECT`.

    `correlation.P_VALUES` describes the p-values; all share the same draws, so none depends on the other metrics.
    """
    seed = int(rng.integers(1 << 32))
    figures = []
    for kind in KINDS:
        for metric, scores in metrics.items():
            for aspect, ratings in aspects.items():
                result = correlate(kind, *_select_rated(scores, ratings), np.random.default_rng(seed))
                printed = paper.get(f"{metric}: {aspect}") if kind == "pearson" else None
                name = f"{kind} {metric}: {aspect}"
                figures.append(Figure(name, result.value, printed, result.interval, result.p_value))
    return figures


def comparisons(metrics: Sentences, aspects: Sentences) -> Table:
    """Test by Williams' test, for each two metrics, whether one correlates more strongly with an aspect.

    Strength is the absolute value of Pearson's correlation, so that metrics where lower is better, and features without
    a better direction, compare with all others. Those that fall as ratings rise are marked as inverse.
    """
    pairs = []
    for aspect, ratings in aspects.items():
        rated = {name: _select_rated(scores, ratings)[0] for name, scores in metrics.items()}
        people = np.asarray(ratings, dtype=np.float64)
        people = people[~np.isnan(people)]
        varied = [name for name, scores in rated.items() if not is_constant(scores)]  # others correlate with nothing
        for names in combinations(varied, 2) if not is_constant(people) else ():
            r = np.corrcoef([people, *(rated[name] for name in names)])
            shown = [f"{name} (inverse)" if r[0, k] < 0 else name for k, name in enumerate(names, 1)]
            signs = np.where(r[0] < 0, -1, 1)
            r *= np.outer(signs, signs)  # correlations with inverse metrics negated
            better, worse = sorted((1, 2), key=lambda k: -r[0, k])
            name = f"{aspect}: {shown[better - 1]} over {shown[worse - 1]}"
            p_value = williams(r[0, 1], r[0, 2], r[1, 2], len(people))
            pairs.append((name, float(r[0, better] - r[0, worse]), p_value))
    corrected = holm([p_value for *_, p_value in pairs])
    figures = [Figure(name, gap, p_value=p) for (name, gap, _), p in zip(pairs, corrected, strict=True)]
    reason = (
        "Differences in size of Pearson's correlations, whatever their sign. Inverse: higher where people rate lower, "
        "as is right for a metric where lower is better and wrong for others."
    )
    p_values = f"two-sided, by Williams' test, corrected for {counted(len(figures), 'comparison')} (Holm 1979)."
    title = "Which metric follows people better"
    return Table(title, of="Williams' test", reason=reason, figures=figures, p_values=p_values)


def scatters(metrics: Sentences, aspects: Sentences) -> list[Scatter]:
    """Plot each two metrics against one another, and each against each aspect (Xu et al. 2016, Figures 2 and 3)."""
    pairs = [
        *combinations(metrics.items(), 2),
        *((metric, aspect) for metric in metrics.items() for aspect in aspects.items()),
    ]
    return [
        Scatter(f"{x}-{y}", x, y, list(zip(*(column.tolist() for column in _select_rated(first, second)), strict=True)))
        for (x, first), (y, second) in pairs
    ]


def _select_rated(scores: Sequence[float], ratings: Sequence[float]) -> tuple[Floats, Floats]:
    """Return scores and ratings of the sentences that are rated."""
    is_rated = ~np.isnan(ratings)
    return np.asarray(scores, dtype=np.float64)[is_rated], np.asarray(ratings, dtype=np.float64)[is_rated]
