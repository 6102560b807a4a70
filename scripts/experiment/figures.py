"""Every figure of the comparison, with its signature, its interval and what was published."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiment.composition import Scale
from experiment.published import ASSET, EASSE, HSPLIT, PAPER, published
from experiment.split import TUNE
from experiment.systems import System
from sbmt.data.testsets import TestSet
from sbmt.metrics import Resampling, evaluate_runs, get_metric
from sbmt.metrics.quality import quality
from sbmt.progress import progress

SCORES = ("fk:xu2016", "bleu:xu2016", "ibleu:xu2016", "fkbleu:xu2016", "sari:xu2016", "sari:joshua")
SURFACE = ("length:words", "length:characters", "levenshtein:xu2016")
MODERN = ("sari:easse", "bleu:easse")
METRICS = {
    PAPER: (*SCORES, *SURFACE),
    EASSE: (*MODERN, "fk:easse", "support"),
    ASSET: (*MODERN, "support"),
    HSPLIT: MODERN,
    TUNE: (*MODERN, "fk:easse", "support"),  # its held-out part, in a development run
}
BASELINE = "SBMT-SARI"  # the released output that the others are tested against
_REPEATS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """A system under a metric: value, parts and interval are of the mean over its runs."""

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
        """As results.json has it."""
        names = ("test_set", "system", "metric", "value", "interval", "p_value", "published", "signature")
        content = {name: getattr(self, name) for name in names}
        spread = {"low": min(self.runs), "high": max(self.runs), "runs": self.runs}
        return {**content, **spread, "parts": dict(self.parts)}


def all_figures(systems: Sequence[System], test_sets: Mapping[str, TestSet], scale: Scale) -> list[Figure]:
    """All metrics of all test sets; a system that has no outputs in a test set's convention is left out there.

    The source is each test set's own: HSplit's, say, is in lower case.
    """
    known = published()
    work = [(name, metric) for name, metrics in METRICS.items() if name in test_sets for metric in metrics]
    found = []
    for name, specification in progress(work, "scoring", "metrics", len(work)):
        runs = {system.name: system.tokens if name == PAPER else system.cased for system in systems}
        runs["source"] = (test_sets[name].sources,)
        found += list(_figures(test_sets[name], specification, runs, scale, known))
    return found


def _figures(
    test_set: TestSet,
    specification: str,
    runs: Mapping[str, tuple[list[str], ...]],
    scale: Scale,
    known: Mapping[tuple[str, str, str], float],
) -> Iterable[Figure]:
    systems = {name: own for name, own in runs.items() if own}
    baseline = BASELINE if BASELINE in systems else None
    resampling = Resampling(scale.samples, baseline=baseline, test_samples=scale.test_samples)
    found = evaluate_runs(get_metric(specification), test_set.sources, test_set.references, systems, resampling)
    for name, result in found.items():
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
            known.get((test_set.name, name, specification)),
        )


def quality_figures(systems: Sequence[System], test_set: TestSet) -> dict[str, Any]:
    """Reference-free features: their signature, and of each system the means (of the first run)."""
    means = {
        system.name: {
            name: float(np.mean(values)) for name, values in quality(test_set.sources, system.cased[0]).items()
        }
        for system in systems
        if system.cased
    }
    return {"signature": _quality_signature(), "systems": means}


def _quality_signature() -> str:
    """The convention that all features share: that of any of them without its name and level."""
    fields = get_metric("quality").signature().split("|")
    return "|".join(field for field in fields if field.partition(":")[0] not in ("var", "level"))


def metric_times(systems: Sequence[System], test_set: TestSet) -> dict[str, float]:
    """CPU milliseconds a candidate, when every system's output is a candidate; references are prepared beforehand."""
    lists = [list(dict.fromkeys(lines)) for lines in zip(*(s.tokens[0] for s in systems if s.tokens), strict=True)]
    times = {}
    for name in ("bleu:xu2016", "fkbleu:xu2016", "sari:xu2016", "sari:star"):
        metric = get_metric(name)
        prepared = metric.prepare_many(test_set.sources, test_set.references)
        seconds = []
        for _ in range(_REPEATS):
            began = time.process_time()
            for sentence, candidates in zip(prepared, lists, strict=True):
                metric.score_sentences(metric.statistics_many(sentence, candidates))
            seconds.append(time.process_time() - began)
        times[name] = 1000 * statistics.median(seconds) / sum(map(len, lists))
    return times
