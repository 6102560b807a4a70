"""Every figure of the comparison, with its signature, its interval and what was published."""

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
WITH_REFERENCE = (PAPER, EASSE, TUNE)  # test sets of which a `System.reference` is one
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
        runs = {system.name: _outputs(system, name, specification) for system in systems}
        runs["source"] = (test_sets[name].sources,)
        own = {system.name: system.reference for system in systems if _is_left_out(system, name, specification)}
        found += list(_figures(test_sets[name], specification, runs, own, scale, known))
    return found


def _outputs(system: System, test_set: str, specification: str) -> tuple[list[str], ...]:
    if test_set != PAPER:
        return system.cased
    return system.easse or system.tokens if specification in LEGACY else system.tokens


def _is_left_out(system: System, test_set: str, specification: str) -> bool:
    """Whether a system that is a reference is scored against the others only; in the paper it is among them."""
    return system.reference is not None and test_set in WITH_REFERENCE and specification not in (*SCORES, *SURFACE)


def _figures(
    test_set: TestSet,
    specification: str,
    runs: Mapping[str, tuple[list[str], ...]],
    own: Mapping[str, int | None],
    scale: Scale,
    known: Mapping[tuple[str, str, str], float],
) -> Iterable[Figure]:
    """`own`: of systems that are scored against the other references only, the number of theirs."""
    systems = {name: lines for name, lines in runs.items() if lines}
    baseline = BASELINE if BASELINE in systems else None
    resampling = Resampling(scale.samples, baseline=baseline, test_samples=scale.test_samples)
    metric = get_metric(specification)
    found: dict[str, Result] = {}
    for left_out in dict.fromkeys([None, *own.values()]):
        chosen = {name: lines for name, lines in systems.items() if own.get(name) == left_out or name == baseline}
        references = [[r for k, r in enumerate(given) if k != left_out] for given in test_set.references]
        scored = evaluate_runs(metric, test_set.sources, references, chosen, resampling)
        found |= {name: result for name, result in scored.items() if own.get(name) == left_out}
    for name, result in ((name, found[name]) for name in systems):
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
    """Reference-free features: their signature, of each system the means (of the first run), and published ones.

    On the tokenised test set those of EASSE's Table 4, of the outputs that EASSE has; otherwise all.
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
        times[name] = candidate_milliseconds(metric, prepared, lists, _REPEATS)
    return times
