"""Writing results of many systems and metrics: aligned text, JSON, CSV, sentence by sentence (LaTeX: latex.py)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import stdev
from types import MappingProxyType
from typing import IO

import numpy as np

from sbmt.errors import counted
from sbmt.layout import aligned
from sbmt.metrics.result import Result, Table, Test
from sbmt.metrics.significance import ALPHA

_UNITS = {"permutation": "swaps", "bootstrap": "resamples"}  # of each test
NOTHING: Mapping[str, Mapping[str, object]] = MappingProxyType({})
_MAX_COLUMNS = 6  # metrics that fit a line of a terminal


def write_json(
    table: Table, out: IO[str], facts: Mapping[str, Mapping[str, object]] = NOTHING, sentence_level: bool = False
) -> None:
    """Write {system: {metric: result, as `Result.to_dict` has it}}, each with the `facts` on the system."""
    cells = {
        system: {name: {**result.to_dict(sentence_level), **facts.get(system, {})} for name, result in results.items()}
        for system, results in table.items()
    }
    json.dump(cells, out, indent=1, ensure_ascii=False, allow_nan=False)
    out.write("\n")


def decimals(table: Table) -> dict[str, int]:
    """Return the decimals of each metric's figures: two, or four if all lie in -1 to 1 and the scale is not 0-100."""
    return {name: _decimals([results[name] for results in table.values()]) for name in next(iter(table.values()))}


def _decimals(results: Sequence[Result]) -> int:
    figures = [figure for r in results for figure in (r.score.value, *(r.interval or ()), *r.runs)]
    largest = max(*map(abs, figures), *(np.abs(result.sentences).max() for result in results))
    return 4 if 0 < largest <= 1 and results[0].scale != 100 else 2


def best_systems(table: Table, widths: Mapping[str, int]) -> dict[str, set[str]]:
    """Return the best of several systems by their figures as rounded, for each metric where higher is better."""
    best = {}
    for name, first in next(iter(table.values())).items():
        if len(table) > 1 and first.higher_is_better:
            figures = {system: round(results[name].score.value, widths[name]) for system, results in table.items()}
            best[name] = {system for system, figure in figures.items() if figure == max(figures.values())}
    return best


def write_brief(table: Table, out: IO[str], widths: Mapping[str, int]) -> None:
    """Write bare numbers, a line per system; `widths` are the decimals of each metric."""
    for results in table.values():
        print("\t".join(f"{result.score.value:.{widths[name]}f}" for name, result in results.items()), file=out)


def write_csv(table: Table, out: IO[str], test_set: str | None = None) -> None:
    """Write a line per system and metric, unrounded; the last columns are for the parts of any metric.

    `std` is the standard deviation of several runs (n - 1).
    """
    parts = _part_names(table)
    writer = csv.writer(out, lineterminator="\n")
    columns = ["system", "metric", "score", "low", "high", "p_value", "signature", "test", "runs", "std", "test_set"]
    writer.writerow([*columns, *parts])
    for system, results in table.items():
        for name, result in results.items():
            p_value = "" if result.p_value is None else result.p_value
            test = _describe_test(result.test) if result.test else ""
            deviation = stdev(result.runs) if result.runs else ""
            facts = [p_value, result.score.signature, test, len(result.runs) or 1, deviation, test_set or ""]
            values = [result.score.parts.get(part, "") for part in parts]
            writer.writerow([system, name, result.score.value, *(result.interval or ("", "")), *facts, *values])


def write_sentence_csv(table: Table, out: IO[str]) -> None:
    """Write a line per system, metric and sentence, unrounded, with columns for parts as `write_csv` does."""
    parts = _part_names(table)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", "metric", "sentence", "score", "signature", *parts])
    for system, results in table.items():
        for name, result in results.items():
            blank = [""] * len(result.sentences)
            columns = [
                result.sentence_parts[part].tolist() if part in result.sentence_parts else blank for part in parts
            ]
            for i, (score, *values) in enumerate(zip(result.sentences.tolist(), *columns, strict=True), 1):
                writer.writerow([system, name, i, score, result.sentence_signature, *values])


def _part_names(table: Table) -> list[str]:
    """Return the names of the parts of any metric's score."""
    return list(dict.fromkeys(part for results in table.values() for r in results.values() for part in r.score.parts))


def write_sentences(table: Table, out: IO[str], widths: Mapping[str, int]) -> None:
    """Write a line per sentence, with columns for each system and metric and for parts; then the signatures."""
    columns = [column for system, results in table.items() for column in _columns(system, results, widths)]
    numbers = ["sentence", *map(str, range(1, len(columns[0])))]
    for line in aligned(list(zip(numbers, *columns, strict=True))):
        print(line, file=out)
    for result in next(iter(table.values())).values():
        print(f"\n{result.sentence_signature}", file=out)


def _columns(system: str, results: Mapping[str, Result], widths: Mapping[str, int]) -> Iterator[list[str]]:
    for name, result in results.items():
        for heading, values in {"": result.sentences, **result.sentence_parts}.items():
            yield [f"{system} {name} {heading}".rstrip(), *(f"{value:.{widths[name]}f}" for value in values.tolist())]


def write_table(table: Table, out: IO[str], widths: Mapping[str, int], test_set: str | None = None) -> None:
    """Write aligned columns, the test set, notes on runs and p-values, then each metric's signature and parts.

    The columns are metrics, or systems where these are fewer and the metrics do not fit a line.
    """
    first = next(iter(table.values()))
    rows = [["system", *first]]
    for system, results in table.items():
        rows.append([system, *(_figure(result, widths[name]) for name, result in results.items())])
    if len(first) > max(_MAX_COLUMNS, len(table)):
        rows = [["metric", *table], *map(list, list(zip(*rows, strict=True))[1:])]
    for line in aligned(rows):
        print(line, file=out)
    if test_set:
        print(f"\n{describe_texts(table, test_set)}", file=out)
    if runs := describe_runs(table):
        print(f"\n{runs}", file=out)
    if tests := describe_tests(table):
        print(f"\np: {tests}", file=out)
    for metric, result in first.items():
        print(f"\n{result.score.signature.partition('|runs:')[0]}", file=out)
        for system, results in table.items():
            if results[metric].score.parts:
                print(f"  {system}: {rounded_parts(results[metric], widths[metric])}", file=out)


def _figure(result: Result, width: int) -> str:
    return figure_with_bounds(result, width) + ("" if result.p_value is None else f" p={result.p_value:.4f}")


def figure_with_bounds(result: Result, width: int) -> str:
    """Return a score with the lowest and the highest of its runs, and its interval."""
    spread = f" ({min(result.runs):.{width}f}-{max(result.runs):.{width}f})" if result.runs else ""
    bounds = "" if result.interval is None else " [{:.{width}f}, {:.{width}f}]".format(*result.interval, width=width)
    return f"{result.score.value:.{width}f}{spread}{bounds}"


def _describe_test(test: Test) -> str:
    text = f"paired {test.name} test against {test.baseline}, {test.samples} {_UNITS[test.name]}, seed {test.seed}"
    return text + (f", corrected for {counted(test.corrected_for, 'test')} (Holm 1979)" if test.corrected_for else "")


def describe_texts(table: Table, test_set: str) -> str:
    """Return the name of the test set and its size."""
    first = next(iter(table.values()))
    return f"{test_set}, {counted(len(next(iter(first.values())).sentences), 'sentence')}"


def describe_runs(table: Table) -> str:
    """Return which systems have several runs; an empty text if none has."""
    runs = {system: len(next(iter(results.values())).runs) for system, results in table.items()}
    return "; ".join(f"{system}: mean of {n} runs (lowest-highest)" for system, n in runs.items() if n)


def describe_tests(table: Table) -> str:
    """Return the test behind p-values, and a caution on several uncorrected ones; an empty text without a test."""
    tests = [result.test for results in table.values() for result in results.values() if result.test]
    if not tests:
        return ""
    text = _describe_test(tests[0])  # all are of one `Resampling`
    if len(tests) < 2 or tests[0].corrected_for:
        return text
    return f"{text}; uncorrected: of {len(tests)} tests expect {len(tests) * ALPHA:.2g} with p < {ALPHA:g} by chance"


def rounded_parts(result: Result, width: int) -> str:
    """Return a score's parts, with `width` decimals."""
    return ", ".join(f"{name} {value:.{width}f}" for name, value in result.score.parts.items())
