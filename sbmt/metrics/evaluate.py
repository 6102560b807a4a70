"""Scoring systems on one test set by one metric: figures, intervals, tests and sentence scores from one matrix."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics.base import AnyMetric, Metric, Prepared, Score, check_counts, present
from sbmt.metrics.significance import (
    RESAMPLES,
    SWAPS,
    as_runs,
    bootstrap_intervals,
    holm,
    paired_bootstrap,
    permutation_test,
)

_log = logging.getLogger(__name__)

TESTS = {"permutation": (permutation_test, SWAPS), "bootstrap": (paired_bootstrap, RESAMPLES)}

_FAR = 2  # times the words in common: a sentence and its simplification share far more than two sentences do
_BY_SENTENCE = "give list(zip(*references, strict=True))"


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals and tests are drawn; every system and metric sees the same draws.

    `samples` are drawn for intervals (0: there are none). Where a `baseline` is named, the other systems are tested
    against it by `test`, "permutation" or "bootstrap", with `test_samples` draws (None: the test's own number).
    """

    samples: int = RESAMPLES
    seed: int = 1
    baseline: str | None = None
    test: str = "permutation"
    test_samples: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for numbers of draws that cannot be drawn."""
        if self.samples < 0:
            raise ValueError(f"samples={self.samples}: 0 or more can be drawn (0: no intervals)")
        if self.test_samples is not None and self.test_samples < 1:
            raise ValueError(f"test_samples={self.test_samples}: 1 or more can be drawn (None: the test's own default)")


@dataclass(frozen=True, slots=True)
class Test:
    """What a p-value is of."""

    name: str  # a key of TESTS
    baseline: str
    samples: int  # swaps, or resamples
    seed: int
    corrected_for: int = 0  # how many tests the p-value is corrected for; 0: it is as it was found


@dataclass(frozen=True, slots=True)
class Result:
    """One system under one metric; `interval` holds 95 % bounds (none for a single sentence), `p_value` is `test`'s.

    Of several runs of a system all figures are means over them; `runs` are their scores (none for a single one).
    """

    score: Score
    interval: tuple[float, float] | None
    p_value: float | None
    test: Test | None
    sentences: Floats
    sentence_parts: dict[str, Floats]
    sentence_signature: str
    runs: tuple[float, ...] = ()


Table = Mapping[str, Mapping[str, Result]]  # system -> metric -> result


def evaluate(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
    resampling: Resampling | None = None,
) -> dict[str, Result]:
    """Score systems: {name: outputs, one for each source}; empty outputs are scored as they stand.

    references[i] are those of sources[i], as many as there are; lists by file, as EASSE takes them, become lists by
    sentence with `list(zip(*files, strict=True))`. Results are by the systems' names.
    Raises SbmtError for no system, a sentence without a reference, a system of another length and an unknown baseline;
    TypeError for an argument of another kind; ValueError for texts that are not lists of lines, and an unknown test.
    """
    _check_kinds(metric, sources, references, systems)
    if wrong := [name for name, outputs in systems.items() if isinstance(outputs, str)]:
        raise ValueError(f"systems[{wrong[0]!r}] is a text, not a list of lines")
    return evaluate_runs(metric, sources, references, {name: [lines] for name, lines in systems.items()}, resampling)


def evaluate_runs(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
    resampling: Resampling | None = None,
) -> dict[str, Result]:
    """Score systems of which there are several runs, {name: outputs of each run}: the mean over them counts.

    Raises SbmtError as `evaluate` does, and ValueError for sources and references of another shape and an unknown test.
    """
    resampling = resampling or Resampling()
    _check_shapes(sources, references)
    if resampling.test not in TESTS:
        raise ValueError(f"unknown test {resampling.test!r} (known: {', '.join(TESTS)})")
    if resampling.baseline is not None and resampling.baseline not in systems:
        raise SbmtError(f"the baseline {resampling.baseline!r} is not among the systems ({', '.join(systems)})")
    prepared = metric.prepare_many(sources, references)
    nrefs = reference_range(references, metric.blank)
    rows = count_runs(metric, prepared, systems)
    return score_rows(metric, rows, list(systems), nrefs, resampling)


def count_runs(
    metric: Metric[Prepared], prepared: Sequence[Prepared], systems: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, Floats]:
    """Return the statistics of all systems' runs, {name: [runs, n_sentences, n_stats]}.

    They are counted a sentence at a time, for its outputs share most of their n-grams. Raises SbmtError for a run of
    another length, and where there is no system or no sentence.
    """
    if not systems:
        raise SbmtError("there is no system to score")
    for name, runs in systems.items():
        for run, outputs in enumerate(runs, 1):
            check_counts(prepared, outputs, name if len(runs) == 1 else f"{name}, run {run}")
    flat = [outputs for runs in systems.values() for outputs in runs]
    counted = iter(np.stack(metric.statistics_lists(prepared, list(zip(*flat, strict=True))), axis=1))
    return {name: np.stack([next(counted) for _ in runs]) for name, runs in systems.items()}


def count_systems(
    metric: Metric[Prepared], prepared: Sequence[Prepared], systems: Mapping[str, Sequence[str]]
) -> dict[str, Floats]:
    """Return the statistics of systems of one run each, {name: [n_sentences, n_stats]}; raises as `count_runs`."""
    rows = count_runs(metric, prepared, {name: [outputs] for name, outputs in systems.items()})
    return {name: only for name, [only] in rows.items()}


def score_rows(
    metric: AnyMetric, rows: Mapping[str, Floats], names: Sequence[str], nrefs: str, resampling: Resampling
) -> dict[str, Result]:
    """Return the results of the systems named, from the statistics of all, as `count_systems` or `count_runs` gives."""
    intervals: dict[str, tuple[float, float]] = {}
    if resampling.samples and rows[names[0]].shape[-2] > 1:
        rng = np.random.default_rng(resampling.seed)
        found = bootstrap_intervals(metric, [rows[name] for name in names], rng, resampling.samples)
        intervals = dict(zip(names, found, strict=True))
    results = {}
    for name in names:
        scored = [_scored(metric, run, nrefs) for run in as_runs(rows[name])]
        test, p_value = _tested(metric, rows, name, resampling)
        results[name] = replace(_mean(scored), interval=intervals.get(name), p_value=p_value, test=test)
    return results


def _scored(metric: AnyMetric, rows: Floats, nrefs: str) -> Result:
    """One run, without interval and test."""
    by_sentence = metric.by_sentence()
    return Result(
        score=metric.corpus(rows, nrefs),
        interval=None,
        p_value=None,
        test=None,
        sentences=by_sentence.score_sentences(rows),
        sentence_parts=by_sentence.parts(rows),
        sentence_signature=by_sentence.signature(nrefs),
    )


def _mean(runs: Sequence[Result]) -> Result:
    """Several runs as one result; the signature says how many they are."""
    first = runs[0]
    if len(runs) == 1:
        return first
    said = f"|runs:{len(runs)}"
    values = tuple(run.score.value for run in runs)
    parts = {part: float(np.mean([run.score.parts[part] for run in runs])) for part in first.score.parts}
    return replace(
        first,
        score=Score(float(np.mean(values)), parts, first.score.signature + said),
        sentences=np.mean([run.sentences for run in runs], axis=0),
        sentence_parts={p: np.mean([run.sentence_parts[p] for run in runs], axis=0) for p in first.sentence_parts},
        sentence_signature=first.sentence_signature + said,
        runs=values,
    )


def _tested(
    metric: AnyMetric, rows: Mapping[str, Floats], name: str, resampling: Resampling
) -> tuple[Test | None, float | None]:
    """Test a system against the baseline, where there is one and it is another."""
    if resampling.baseline is None or resampling.baseline == name:
        return None, None
    function, samples = TESTS[resampling.test]
    test = Test(resampling.test, resampling.baseline, resampling.test_samples or samples, resampling.seed)
    rng = np.random.default_rng(test.seed)
    return test, function(metric, rows[name], rows[test.baseline], rng, samples=test.samples)


def corrected(table: Table) -> dict[str, dict[str, Result]]:
    """Correct the p-values of a table for the number of its tests (`significance.holm`)."""
    made = {system: dict(results) for system, results in table.items()}
    tested = [
        (system, metric, result.test, result.p_value)
        for system, results in table.items()
        for metric, result in results.items()
        if result.test is not None and result.p_value is not None
    ]
    values = holm([p_value for *_, p_value in tested])
    for (system, metric, test, _), p_value in zip(tested, values, strict=True):
        told = replace(test, corrected_for=len(tested))
        made[system][metric] = replace(made[system][metric], p_value=p_value, test=told)
    return made


def _check_kinds(metric: object, sources: object, references: object, systems: object) -> None:
    """Raise TypeError for an argument of another kind, with what is due instead."""
    if not isinstance(metric, Metric):
        raise TypeError(f"metric: {metric!r} is no metric: make one, get_metric('sari:easse') or get_metric(function)")
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems: a {type(systems).__name__} names no system: give {{name: outputs}}")
    if not isinstance(references, Collection):
        what = f"references: a {type(references).__name__} is no list of lists"
        raise TypeError(f"{what} (where there are no references: [[]] * len(sources))")
    _check_lines("sources", sources)
    for i, lines in enumerate(references):
        _check_lines(f"references[{i}]", lines)
    for name, outputs in systems.items():
        _check_lines(f"systems[{name!r}]", outputs)


def _check_lines(name: str, lines: object) -> None:
    if not isinstance(lines, Collection):
        raise TypeError(f"{name}: a {type(lines).__name__} is no list of lines")
    for i, line in enumerate(lines):
        if not isinstance(line, str):
            raise TypeError(f"{name}[{i}] is {line!r}, not a text")


def _check_shapes(sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Raise ValueError for a text where a list of lines is due: its characters would pass for lines."""
    wrong = ["sources"] if isinstance(sources, str) else []
    wrong += [f"references[{i}]" for i, lines in enumerate(references) if isinstance(lines, str)][:1]
    if wrong:
        raise ValueError(f"{wrong[0]} is a text, not a list of lines: references[i] are the references of sources[i]")
    if len(references) != len(sources):
        problem = f"{len(references)} lists of references for {len(sources)} sources: one list is due for each"
        by_file = references and all(len(lines) == len(sources) for lines in references)
        raise ValueError(problem + (f" (these are lists by file: {_BY_SENTENCE})" if by_file else ""))
    if _look_transposed(sources, references):
        _log.warning("the references seem to be lists by file, not by sentence: %s", _BY_SENTENCE)


def _look_transposed(sources: Sequence[str], references: Sequence[Sequence[str]]) -> bool:
    """Whether n lists of n references each have far more of the sources' words when read by file."""
    n = len(sources)
    if any(len(lines) != n for lines in references):
        return False
    of, words = [set(line.split()) for line in sources], [[set(line.split()) for line in lines] for lines in references]
    as_given = sum(_overlap(of[i], words[i][j]) for i in range(n) for j in range(n) if i != j)
    transposed = sum(_overlap(of[i], words[j][i]) for i in range(n) for j in range(n) if i != j)
    return transposed > _FAR * as_given


def _overlap(one: set[str], other: set[str]) -> float:
    """Share of their words that both have, 0-1."""
    return len(one & other) / max(len(one | other), 1)


def reference_range(references: Sequence[Sequence[str]], blank: str) -> str:
    """Return how many references sentences have, for the signature: `8`, or `3-10` where it varies."""
    counts = {len(present(lines, blank)) for lines in references}
    low, high = min(counts, default=0), max(counts, default=0)
    return str(low) if low == high else f"{low}-{high}"
