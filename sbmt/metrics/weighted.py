"""Weighted sums of metrics, `sari:easse+0.25*bleu:easse`: tuning objectives where one metric alone can be gamed.

SARI hardly penalises broken English and BLEU rewards changing nothing; together they favour changes that still read
like a reference. Figures of a sum are comparable only with those of the same sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, ClassVar, Self

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics.base import AnyMetric, MeanMetric, Metric


class WeightedSum(Metric[list[Any]]):
    """sum_m weight_m score_m; a metric where lower is better needs a negative weight."""

    name = "sum"
    variants: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, names: Sequence[str], terms: Sequence[tuple[float, AnyMetric]]) -> None:
        """Sum the weighted metrics of `terms`; `names` are these as the user wrote them.

        Raises SbmtError for a positive weight on a metric where lower is better, and for terms that differ in level or
        blank.
        """
        for name, (weight, metric) in zip(names, terms, strict=True):
            if weight > 0 and metric.higher_is_better is False:
                sign = "+" if len(terms) > 1 else ""
                raise SbmtError(f"less of {name} is better, so a sum subtracts it: {sign}-{weight:g}*{name}")
        terms = _adapt_means(names, terms)
        first = terms[0][1]
        if any((metric.level, metric.blank) != (first.level, first.blank) for _, metric in terms):
            example = "+".join(_adapt_name(name, *term, first) for name, term in zip(names, terms, strict=True))
            raise SbmtError(f"metrics of a sum must agree on level and blank, as in {example}")
        super().__init__("sum", level=first.level, blank=first.blank)
        self.names, self.weighted = list(names), list(terms)
        self.name = "+".join(f"{weight:g}*{metric.name}" for weight, metric in terms)
        self.scale = max(metric.scale for _, metric in terms)
        self.needs_source = any(metric.needs_source for _, metric in terms)
        self.needs_references = any(metric.needs_references for _, metric in terms)
        if any(metric.block_size is None for _, metric in terms):
            self.block_size = None
        widths = [metric.statistics_many(metric.prepare("a", ["a"]), []).shape[1] for _, metric in terms]
        ends = np.cumsum(widths).tolist()
        self._columns = [slice(end - width, end) for end, width in zip(ends, widths, strict=True)]

    def terms(self) -> Sequence[AnyMetric]:
        """Return the metrics of the sum."""
        return [metric for _, metric in self.weighted]

    def prepare_many(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> list[list[Any]]:
        """Prepare each sentence for each metric."""
        prepared = [metric.prepare_many(sources, references) for metric in self.terms()]
        return [list(sentence) for sentence in zip(*prepared, strict=True)]

    def statistics_lists(self, prepared: Sequence[list[Any]], lists: Sequence[Sequence[str]]) -> list[Floats]:
        """Put the statistics of the metrics side by side; each metric counts all hypotheses at once."""
        parts = [
            metric.statistics_lists([sentence[i] for sentence in prepared], lists)
            for i, metric in enumerate(self.terms())
        ]
        return [np.hstack(columns) for columns in zip(*parts, strict=True)]

    def by_sentence(self) -> Self:
        """Return the sum with each term at the level of sentences."""
        by_sentence = super().by_sentence()
        by_sentence.weighted = [(weight, metric.by_sentence()) for weight, metric in self.weighted]
        return by_sentence

    def score(self, statistics: Floats) -> Floats:
        """Return the weighted sum of the scores."""
        return np.asarray(sum(weight * metric.score(part) for weight, metric, part in self._split(statistics)))

    def score_sentences(self, rows: Floats) -> Floats:
        """Return the weighted sum of the sentence scores."""
        return np.asarray(sum(weight * metric.score_sentences(part) for weight, metric, part in self._split(rows)))

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return the score of each metric."""
        scores = [metric.score(part) for _, metric, part in self._split(statistics)]
        return dict(zip(self.names, scores, strict=True))

    def signature(self, nrefs: str = "") -> str:
        """Return the terms' signatures with their weights."""
        return " + ".join(f"{weight:g} * {metric.signature(nrefs)}" for weight, metric in self.weighted)

    def _split(self, statistics: Floats) -> list[tuple[float, AnyMetric, Floats]]:
        """Return each term's weight and metric with its columns of the statistics."""
        terms = zip(self.weighted, self._columns, strict=True)
        return [(weight, metric, statistics[..., columns]) for (weight, metric), columns in terms]


def _adapt_means(names: Sequence[str], terms: Sequence[tuple[float, AnyMetric]]) -> list[tuple[float, AnyMetric]]:
    """Return the terms with means at the level of the others, unless the user chose one: a mean is the same at both."""
    levels = [metric.level for _, metric in terms if not isinstance(metric, MeanMetric)]
    adapted = []
    for name, (weight, metric) in zip(names, terms, strict=True):
        if levels and isinstance(metric, MeanMetric) and ",level=" not in name:
            metric = copy(metric)
            metric.level = levels[0]
        adapted.append((weight, metric))
    return adapted


def _adapt_name(name: str, weight: float, metric: AnyMetric, model: AnyMetric) -> str:
    """Return a term as the user would write it with the level and blank of `model`."""
    for option in ("level", "blank"):
        value = getattr(model, option)
        if getattr(metric, option) != value:
            head, *pairs = name.split(",")
            name = ",".join([head, *(pair for pair in pairs if not pair.startswith(f"{option}=")), f"{option}={value}"])
    return ("" if weight == 1 else f"{weight:g}*") + name
