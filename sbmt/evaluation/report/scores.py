"""Scores of several systems from one matrix of statistics per metric: summary, by source length, by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sbmt.arrays import Floats, Ints
from sbmt.metrics.arguments import check_baseline
from sbmt.metrics.base import AnyMetric, counted_references
from sbmt.metrics.evaluate import count_systems, reference_range, score_rows
from sbmt.metrics.registry import get_metric
from sbmt.metrics.result import Resampling, Result, Table, corrected

SOURCE, REFERENCE = "the source unchanged", "reference 1 against the others"
_BUCKETS = 5  # of source length, with about equally many sentences each


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A line of the summary; `is_system` is false for the source and the reference that systems are compared with."""

    name: str
    is_system: bool
    results: dict[str, Result]  # by metric

    def at(self, places: Ints) -> Row:
        """Return the same scores with those of the sentences at these positions only."""
        return Row(self.name, self.is_system, {m: _at(result, places) for m, result in self.results.items()})


@dataclass(frozen=True, slots=True)
class Bucket:
    """Sentences of similar source length in tokens: from `low` to `high`."""

    low: int
    high: int
    sentences: int
    scores: dict[str, dict[str, float]]  # metric -> system -> corpus score

    @property
    def range(self) -> str:
        """The lengths as a label: `7` or `7–9`."""
        return str(self.low) if self.low == self.high else f"{self.low}\u2013{self.high}"


@dataclass(frozen=True, slots=True)
class _Statistics:
    """Statistics [n_sentences, n_stats] of each system's outputs, and the number of references."""

    by_system: dict[str, Floats]
    nrefs: str


@dataclass(frozen=True, slots=True)
class _Scored:
    """A metric with the statistics of all systems, and of a reference if each sentence has several."""

    metric: AnyMetric
    systems: _Statistics  # and SOURCE
    reference: _Statistics | None  # REFERENCE: the first against the others


class Scores:
    """The statistics of all systems under all metrics; `metrics` has these by their names in the settings."""

    def __init__(
        self,
        metrics: Sequence[str],
        sources: Sequence[str],
        references: Sequence[Sequence[str]],
        systems: Mapping[str, Sequence[str]],
    ) -> None:
        """Count all systems; references[i] are those of sources[i]. Raises SbmtError if a metric lacks references."""
        self.systems = list(systems)
        self.metrics = {name: get_metric(name) for name in metrics}
        self._scored = {name: _score(metric, sources, references, systems) for name, metric in self.metrics.items()}

    def summary(self, baseline: str, seed: int, samples: int, holm: bool) -> list[Row]:
        """Return the rows: systems, tested against `baseline`, then the source and a reference for comparison.

        With `holm`, p-values are corrected for the number of tests. A reference has no row where a sentence has fewer
        than two. Raises SbmtError for an unknown baseline.
        """
        check_baseline(baseline, self.systems)
        tested, untested = Resampling(samples, seed, baseline), Resampling(samples, seed)
        results = {}
        for name, scored in self._scored.items():
            metric, systems, reference = scored.metric, scored.systems, scored.reference
            by_row = score_rows(metric, systems.by_system, self.systems, systems.nrefs, tested)
            by_row |= score_rows(metric, systems.by_system, [SOURCE], systems.nrefs, untested)
            if reference:
                by_row |= score_rows(metric, reference.by_system, [REFERENCE], reference.nrefs, untested)
            results[name] = by_row
        names = list(next(iter(results.values())))
        table: Table = {name: {metric: by_row[name] for metric, by_row in results.items()} for name in names}
        rows = corrected(table) if holm else table
        return [Row(name, name in self.systems, dict(by_metric)) for name, by_metric in rows.items()]

    def buckets(self, lengths: Sequence[int], places: Ints) -> list[Bucket]:
        """Score sentences of similar length together: about equally many per bucket, equal lengths in the same one.

        lengths[k] is that of the line at places[k]; other lines are left out.
        """
        tokens = np.asarray(lengths)
        edges = np.quantile(tokens, np.linspace(0, 1, _BUCKETS + 1)[1:-1], method="lower")
        buckets = np.searchsorted(edges, tokens, side="left")
        return [self._bucket(tokens[buckets == k], places[buckets == k]) for k in np.unique(buckets)]

    def _bucket(self, lengths: Ints, members: Ints) -> Bucket:
        scores = {
            name: {s: scored.metric.corpus(scored.systems.by_system[s][members]).value for s in self.systems}
            for name, scored in self._scored.items()
        }
        return Bucket(int(lengths.min()), int(lengths.max()), len(lengths), scores)


def _at(result: Result, places: Ints) -> Result:
    parts = {name: values[places] for name, values in result.sentence_parts.items()}
    return replace(result, sentences=result.sentences[places], sentence_parts=parts)


def _score(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
) -> _Scored:
    rows = count_systems(metric, sources, references, {**systems, SOURCE: sources})
    statistics = _Statistics(rows, reference_range(references, metric.blank))
    return _Scored(metric, statistics, _score_reference(metric, sources, references))


def _score_reference(
    metric: AnyMetric, sources: Sequence[str], references: Sequence[Sequence[str]]
) -> _Statistics | None:
    """Score each sentence's first reference that is not blank against the others; None if a sentence has no others."""
    if any(len(counted_references(lines, "absent")) < 2 for lines in references):
        return None
    first = [next(k for k, line in enumerate(lines) if line.strip()) for lines in references]
    others = [[*lines[:k], *lines[k + 1 :]] for lines, k in zip(references, first, strict=True)]
    outputs = [lines[k] for lines, k in zip(references, first, strict=True)]
    rows = metric.count_outputs(sources, others, outputs)
    return _Statistics({REFERENCE: rows}, reference_range(others, metric.blank))
