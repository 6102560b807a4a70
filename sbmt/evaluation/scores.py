"""Scores of several systems from one matrix of statistics a metric: the summary, by source length, by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sbmt.errors import SbmtError
from sbmt.metrics.base import Floats, Metric
from sbmt.metrics.evaluate import Resampling, Result, judge, reference_range
from sbmt.metrics.registry import get_metric

SOURCE, REFERENCE = "the source unchanged", "reference 1 against the others"
_BUCKETS = 5  # of source length, of about as many sentences each
_TEST_SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the summary; `is_system` is false for what systems are compared with: the source, a reference."""

    name: str
    is_system: bool
    results: dict[str, Result]  # by metric


@dataclass(frozen=True, slots=True)
class Bucket:
    """Sentences of similar source length in words: from `low` to `high`."""

    low: int
    high: int
    sentences: int
    scores: dict[str, dict[str, float]]  # metric -> system -> corpus score


@dataclass(frozen=True, slots=True)
class _Scored:
    metric: Metric[Any, Any]
    nrefs: str
    rows: dict[str, Floats]  # system or SOURCE -> [n_sentences, n_stats]
    reference: Floats | None  # of the first reference against the others


class Scores:
    """The statistics of all systems under all metrics."""

    def __init__(
        self,
        metrics: Sequence[str],
        sources: Sequence[str],
        references: Sequence[Sequence[str]],
        systems: Mapping[str, Sequence[str]],
    ) -> None:
        """references[i] are those of sources[i]; raises SbmtError for a metric that needs one where there is none."""
        self.systems = list(systems)
        self.scored = {name: _score(name, sources, references, systems) for name in metrics}

    def rows(self, baseline: str, seed: int, samples: int) -> list[Row]:
        """Return the summary: systems, tested against `baseline`, then the source and a reference for comparison."""
        if baseline not in self.systems:
            raise SbmtError(f"the baseline {baseline!r} is not among the systems ({', '.join(self.systems)})")
        others = [SOURCE]
        if self.scored and all(scored.reference is not None for scored in self.scored.values()):
            others.append(REFERENCE)
        rows = [*(Row(name, True, {}) for name in self.systems), *(Row(name, False, {}) for name in others)]
        tested, untested = Resampling(samples, seed, baseline, test_samples=_TEST_SAMPLES), Resampling(samples, seed)
        for name, scored in self.scored.items():
            everyone = dict(scored.rows)
            if scored.reference is not None:
                everyone[REFERENCE] = scored.reference
            results = judge(scored.metric, everyone, self.systems, scored.nrefs, tested)
            results |= judge(scored.metric, everyone, others, scored.nrefs, untested)
            for row in rows:
                row.results[name] = results[row.name]
        return rows

    def buckets(self, lengths: Sequence[int]) -> list[Bucket]:
        """Score sentences of similar length together: about as many in each bucket, equal lengths never apart."""
        words = np.asarray(lengths)
        edges = np.unique(np.quantile(words, np.linspace(0, 1, _BUCKETS + 1)[1:-1], method="lower"))
        places = np.searchsorted(edges, words, side="left")
        return [self._bucket(words, places == place) for place in np.unique(places)]

    def _bucket(self, words: Any, members: Any) -> Bucket:
        inside = words[members]
        scores = {
            name: {system: scored.metric.corpus(scored.rows[system][members]).value for system in self.systems}
            for name, scored in self.scored.items()
        }
        return Bucket(int(inside.min()), int(inside.max()), len(inside), scores)


def _score(
    name: str, sources: Sequence[str], references: Sequence[Sequence[str]], systems: Mapping[str, Sequence[str]]
) -> _Scored:
    metric = get_metric(name)
    prepared = metric.prepare_many(sources, references)
    rows = _count(metric, prepared, {**systems, SOURCE: sources})
    reference = None
    if all(len(lines) > 1 for lines in references):
        prepared = metric.prepare_many(sources, [lines[1:] for lines in references])
        reference = metric.corpus_statistics(prepared, [lines[0] for lines in references])
    return _Scored(metric, reference_range(references, metric.blank), rows, reference)


def _count(
    metric: Metric[Any, Any], prepared: Sequence[Any], systems: Mapping[str, Sequence[str]]
) -> dict[str, Floats]:
    """Return the statistics of all systems, counted a sentence at a time: its outputs share most of their n-grams."""
    texts = zip(*(metric.read(outputs) for outputs in systems.values()), strict=True)
    counted = [metric.count(sentence, outputs) for sentence, outputs in zip(prepared, texts, strict=True)]
    return dict(zip(systems, np.stack(counted, axis=1), strict=True))
