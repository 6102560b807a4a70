"""Scoring systems on one test set: figures, intervals, tests and sentence scores from one matrix per metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from sbmt.arguments import check_kind
from sbmt.arrays import Floats
from sbmt.errors import SbmtError
from sbmt.metrics.arguments import (
    check_baseline,
    check_metric,
    check_metric_names,
    check_runs,
    check_systems,
    check_texts,
)
from sbmt.metrics.base import AnyMetric, Score, check_output_count, counted_references
from sbmt.metrics.registry import each_variant, get_metric
from sbmt.metrics.result import TESTS, Bootstrap, Resampling, Result, Test, corrected
from sbmt.metrics.significance import as_runs, bootstrap_intervals
from sbmt.progress import progress
from sbmt.text.checks.mistakes import by_number, remark_on_mistakes


def evaluate(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
    resampling: Resampling | None = None,
) -> dict[str, Result]:
    """Score systems: {name: outputs, one for each source}; empty outputs are scored as they stand.

    references[i] are those of sources[i], as many as there are; lists by file, as EASSE takes them, become lists by
    sentence with `list(zip(*files, strict=True))`. Results are by the systems' names. Warns of lines that look wrong:
    a table, JSON, sentences other than the sources, the same references twice.
    Raises SbmtError for no system, a sentence without a reference, a system of another length and an unknown baseline;
    TypeError for an argument of another kind, such as a text instead of a list of lines.
    """
    check_systems(systems)
    runs = {name: [lines] for name, lines in systems.items()}
    return evaluate_runs(metric, sources, references, runs, resampling)


def evaluate_runs(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
    resampling: Resampling | None = None,
) -> dict[str, Result]:
    """Score systems by the mean over their runs, {name: outputs of each run}.

    Warns and raises as `evaluate` does.
    """
    check_metric(metric)
    check_texts(sources, references)
    check_runs(systems)
    results = score_runs(metric, sources, references, systems, resampling)
    remark_on_mistakes(sources, _name_runs(systems), by_number(references))
    return results


def evaluate_table(
    metrics: Sequence[str],
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
    resampling: Resampling | None = None,
    holm: bool = False,
) -> dict[str, dict[str, Result]]:
    """Score systems by several metrics, named as for `get_metric`: {system: {metric: Result}}.

    `holm` corrects the p-values for the number of all tests. Warns and raises as `evaluate` does; raises TypeError also
    for a metric that is not named by a text, SbmtError for no metric.
    """
    check_metric_names(metrics)
    check_texts(sources, references)
    check_systems(systems)
    by_name = {name: get_metric(name) for specification in metrics for name in each_variant(specification)}
    table = score_table(by_name, sources, references, {name: [lines] for name, lines in systems.items()}, resampling)
    remark_on_mistakes(sources, list(systems.items()), by_number(references))
    return corrected(table) if holm else table


def score_table(
    metrics: Mapping[str, AnyMetric],
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
    resampling: Resampling | None = None,
) -> dict[str, dict[str, Result]]:
    """Score systems' runs by several metrics as `score_runs` does: {system: {metric: Result}}."""
    by_metric = {name: score_runs(metric, sources, references, systems, resampling) for name, metric in metrics.items()}
    return {system: {name: by_metric[name][system] for name in metrics} for system in systems}


def _name_runs(systems: Mapping[str, Sequence[Sequence[str]]]) -> list[tuple[str, Sequence[str]]]:
    """Return the outputs of each run, named by its system and, where that has several, by its number."""
    return [
        (name if len(runs) == 1 else f"{name}, run {run}", outputs)
        for name, runs in systems.items()
        for run, outputs in enumerate(runs, 1)
    ]


def score_runs(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
    resampling: Resampling | None = None,
) -> dict[str, Result]:
    """Score systems as `evaluate_runs` does, without its warnings: for lines that are checked already.

    Raises SbmtError as `evaluate` does.
    """
    resampling = Resampling() if resampling is None else resampling
    check_kind("resampling", resampling, Resampling)
    if resampling.baseline is not None:
        check_baseline(resampling.baseline, systems)
    rows = count_runs(metric, sources, references, systems)
    return score_rows(metric, rows, list(systems), reference_range(references, metric.blank), resampling)


def count_runs(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[Sequence[str]]],
) -> dict[str, Floats]:
    """Return the statistics of all systems' runs, {name: [runs, n_sentences, n_stats]}.

    They are counted sentence by sentence, because outputs for the same sentence share most of their n-grams, and block
    by block, because prepared sentences are large. Raises SbmtError for a sentence without a reference or a run of
    another length, and where there is no system or no sentence.
    """
    if not systems:
        raise SbmtError("there is no system to score")
    metric.check_references(sources, references)  # here, so that the error has the sentence's number among all
    for name, outputs in _name_runs(systems):
        check_output_count(sources, outputs, name)
    sources, references = list(sources), list(references)  # of which blocks can be taken
    by_sentence = list(zip(*(outputs for runs in systems.values() for outputs in runs), strict=True))
    blocks = []
    for block in _blocks(len(sources), metric.block_size or len(sources), metric.name):
        prepared = metric.prepare_many(sources[block], references[block])
        blocks.append(np.stack(metric.statistics_lists(prepared, by_sentence[block]), axis=1))
    statistics = iter(np.concatenate(blocks, axis=1))
    return {name: np.stack([next(statistics) for _ in runs]) for name, runs in systems.items()}


def _blocks(sentences: int, size: int, name: str) -> Iterator[slice]:
    """Yield consecutive ranges of sentences; shows progress if there are several."""
    starts = range(0, sentences, size)
    for start in progress(starts, name, "blocks") if len(starts) > 1 else starts:
        yield slice(start, start + size)


def count_systems(
    metric: AnyMetric,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
) -> dict[str, Floats]:
    """Return the statistics of systems of one run each, {name: [n_sentences, n_stats]}; raises as `count_runs`."""
    rows = count_runs(metric, sources, references, {name: [outputs] for name, outputs in systems.items()})
    return {name: only for name, [only] in rows.items()}


def score_rows(
    metric: AnyMetric, rows: Mapping[str, Floats], names: Sequence[str], nrefs: str, resampling: Resampling
) -> dict[str, Result]:
    """Return the results of the systems in `names`.

    `rows` holds the statistics of all systems, including the baseline, as `count_systems` or `count_runs` returns them.
    """
    intervals: dict[str, tuple[float, float]] = {}
    if resampling.samples and rows[names[0]].shape[-2] > 1:
        rng = np.random.default_rng(resampling.seed)
        bounds = bootstrap_intervals(metric, [rows[name] for name in names], rng, resampling.samples)
        intervals = dict(zip(names, bounds, strict=True))
    drawn = Bootstrap(resampling.samples, resampling.seed) if intervals else None
    results = {}
    for name in names:
        mean = _mean_of_runs([_score_run(metric, run, nrefs) for run in as_runs(rows[name])])
        test, p_value = _test_against_baseline(metric, rows, name, resampling)
        results[name] = replace(mean, interval=intervals.get(name), drawn=drawn, p_value=p_value, test=test)
    return results


def _score_run(metric: AnyMetric, rows: Floats, nrefs: str) -> Result:
    """Return the result of one run, without interval and test."""
    by_sentence = metric.by_sentence()
    return Result(
        score=metric.corpus(rows, nrefs),
        interval=None,
        p_value=None,
        test=None,
        sentences=by_sentence.score_sentences(rows),
        sentence_parts=by_sentence.parts(rows),
        sentence_signature=by_sentence.signature(nrefs),
        scale=metric.scale,
        higher_is_better=metric.higher_is_better,
    )


def _mean_of_runs(runs: Sequence[Result]) -> Result:
    """Return several runs as one result, whose signature says how many there are."""
    first = runs[0]
    if len(runs) == 1:
        return first
    runs_field = f"|runs:{len(runs)}"
    values = tuple(run.score.value for run in runs)
    parts = {part: float(np.mean([run.score.parts[part] for run in runs])) for part in first.score.parts}
    return replace(
        first,
        score=Score(float(np.mean(values)), parts, first.score.signature + runs_field),
        sentences=np.mean([run.sentences for run in runs], axis=0),
        sentence_parts={p: np.mean([run.sentence_parts[p] for run in runs], axis=0) for p in first.sentence_parts},
        sentence_signature=first.sentence_signature + runs_field,
        runs=values,
    )


def _test_against_baseline(
    metric: AnyMetric, rows: Mapping[str, Floats], name: str, resampling: Resampling
) -> tuple[Test | None, float | None]:
    """Test a system against the baseline, if there is one and it is another system."""
    if resampling.baseline is None or resampling.baseline == name:
        return None, None
    function, samples = TESTS[resampling.test]
    test = Test(resampling.test, resampling.baseline, resampling.test_samples or samples, resampling.seed)
    rng = np.random.default_rng(test.seed)
    return test, function(metric, rows[name], rows[test.baseline], rng, samples=test.samples)


def reference_range(references: Sequence[Sequence[str]], blank: str) -> str:
    """Return the number of references per sentence, for the signature: `8`, or `3-10` where it varies."""
    counts = {len(counted_references(lines, blank)) for lines in references}
    low, high = min(counts, default=0), max(counts, default=0)
    return str(low) if low == high else f"{low}-{high}"
