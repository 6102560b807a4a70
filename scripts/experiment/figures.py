"""The figures of the comparison, each with its signature, interval and published value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from measure import candidate_milliseconds

from experiment.composition import Scale
from experiment.published import ASSET, EASSE, EASSE_TABLE_4, HSPLIT, PAPER, published
from experiment.split import TUNE
from experiment.systems import System
from sbmt.data.testsets import TestSet
from sbmt.metrics import Resampling, Result, evaluate_runs, get_metric
from sbmt.metrics.quality import quality
from sbmt.progress import progress

SCORES = ("fk:xu2016", "bleu:xu2016", "ibleu:xu2016", "fkbleu:xu2016", "sari:xu2016", "sari:joshua")
LEGACY = ("sari:easse-legacy", "bleu:sacrebleu", "support")  # of EASSE's Table 2, and one more
SURFACE = ("length:words", "length:characters", "levenshtein:xu2016")
MODERN = ("sari:easse", "bleu:easse")
METRICS = {
    PAPER: (*SCORES, *SURFACE, *LEGACY),
    EASSE: (*MODERN, "fk:easse", "support"),
    ASSET: (*MODERN, "support"),
    HSPLIT: MODERN,
    TUNE: (*MODERN, "fk:easse", "support"),  # its held-out part, in a development run
}
WITH_REFERENCE = (PAPER, EASSE, TUNE)  # test sets whose references `System.reference` counts
BASELINE = "SBMT-SARI"  # the released system that the others are tested against
_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """The score of a system by a metric; value, parts and interval are of the mean over its runs."""

    test_set: str
    system: str
    metric: str
    value: float
    parts: Mapping[str, float]
    interval: tuple[float, float] | None
    p_value: float | None  # of the difference to BASELINE
    signature: str
    runs: tuple[float, ...]
    published: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in results.json."""
        names = ("test_set", "system", "metric", "value", "interval", "p_value", "published", "signature")
        content = {name: getattr(self, name) for name in names}
        spread = {"low": min(self.runs), "high": max(self.runs), "runs": self.runs}
        return {**content, **spread, "parts": dict(self.parts)}


def all_figures(systems: Sequence[System], test_sets: Mapping[str, TestSet], scale: Scale) -> list[Figure]:
    """Return the figures of all metrics on all test sets, for the systems with outputs in a test set's convention.

    The source is that of each test set: HSplit's, for example, is in lower case.
    """
    published_values = published()
    work = [(name, metric) for name, metrics in METRICS.items() if name in test_sets for metric in metrics]
    figures: list[Figure] = []
    for name, specification in progress(work, "scoring", "metrics", len(work)):
        runs = {system.name: _outputs(system, name, specification) for system in systems}
        runs["source"] = (test_sets[name].sources,)
        excluded = {system.name: system.reference for system in systems if _is_left_out(system, name, specification)}
        figures += _figures(test_sets[name], specification, runs, excluded, scale, published_values)
    return figures


def _outputs(system: System, test_set: str, specification: str) -> tuple[list[str], ...]:
    if test_set != PAPER:
        return system.cased
    return system.easse or system.tokens if specification in LEGACY else system.tokens


def _is_left_out(system: System, test_set: str, specification: str) -> bool:
    """Whether a system that is a reference is scored against the other references only, unlike in the paper."""
    return system.reference is not None and test_set in WITH_REFERENCE and specification not in (*SCORES, *SURFACE)


def _figures(
    test_set: TestSet,
    specification: str,
    runs: Mapping[str, tuple[list[str], ...]],
    excluded: Mapping[str, int | None],
    scale: Scale,
    published_values: Mapping[tuple[str, str, str], float],
) -> Iterable[Figure]:
    """Yield the figures of a metric; `excluded`: system -> number of the reference it is not scored against."""
    systems = {name: lines for name, lines in runs.items() if lines}
    baseline = BASELINE if BASELINE in systems else None
    resampling = Resampling(scale.samples, baseline=baseline, test_samples=scale.test_samples)
    metric = get_metric(specification)
    results: dict[str, Result] = {}
    for left_out in dict.fromkeys([None, *excluded.values()]):
        chosen = {name: lines for name, lines in systems.items() if excluded.get(name) == left_out or name == baseline}
        references = [[text for k, text in enumerate(texts) if k != left_out] for texts in test_set.references]
        scored = evaluate_runs(metric, test_set.sources, references, chosen, resampling)
        results |= {name: result for name, result in scored.items() if excluded.get(name) == left_out}
    for name, result in ((name, results[name]) for name in systems):
        yield Figure(
            test_set.name,
            name,
            specification,
            result.score.value,
            result.score.parts,
            result.interval,
            result.p_value,
            result.score.signature.partition("|runs:")[0],
            result.runs or (result.score.value,),
            published_values.get((test_set.name, name, specification)),
        )


def quality_figures(systems: Sequence[System], test_set: TestSet) -> dict[str, Any]:
    """Return the reference-free features: signature, each system's means (of its first run), and published means.

    On the tokenised test set the features of EASSE's Table 4, on EASSE's versions of outputs; otherwise all features.
    """
    published = EASSE_TABLE_4 if test_set.name == PAPER else {}
    names = next(iter(published.values()), {})
    means = {}
    for system in systems:
        if outputs := _outputs(system, test_set.name, LEGACY[0]):
            values = quality(test_set.sources, outputs[0], names=names)
            means[system.name] = {name: float(np.mean(value)) for name, value in values.items()}
    return {"signature": _quality_signature(), "systems": means, "published": published}


def _quality_signature() -> str:
    """Return the signature that all features share: that of one of them, without its name and level."""
    fields = get_metric("quality").signature().split("|")
    return "|".join(field for field in fields if field.partition(":")[0] not in ("var", "level"))


def metric_times(systems: Sequence[System], test_set: TestSet) -> dict[str, float]:
    """Return CPU milliseconds per candidate; candidates are the systems' outputs, references are already prepared."""
    lists = [list(dict.fromkeys(lines)) for lines in zip(*(s.tokens[0] for s in systems if s.tokens), strict=True)]
    times = {}
    for name in ("bleu:xu2016", "fkbleu:xu2016", "sari:xu2016", "sari:star"):
        metric = get_metric(name)
        prepared = metric.prepare_many(test_set.sources, test_set.references)
        times[name] = candidate_milliseconds(metric, prepared, lists, _REPEATS)
    return times
