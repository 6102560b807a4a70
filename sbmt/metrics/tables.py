"""Results of many systems and metrics as tables: terminal, JSON, CSV, sentence by sentence (LaTeX: latex.py)."""

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
_ACROSS = 6  # metrics that a line of a terminal takes


def write_json(
    table: Table, out: IO[str], told: Mapping[str, Mapping[str, object]] = NOTHING, sentence_level: bool = False
) -> None:
    """Write {system: {metric: result, as `Result.to_dict` has it}}, each with what is `told` of the system."""
    cells = {
        system: {name: {**result.to_dict(sentence_level), **told.get(system, {})} for name, result in results.items()}
        for system, results in table.items()
    }
    json.dump(cells, out, indent=1, ensure_ascii=False, allow_nan=False)
    out.write("\n")


def decimals(table: Table) -> dict[str, int]:
    """How many decimals a metric's figures need: two, but four where all are between -1 and 1 and it has no 0-100."""
    return {name: _decimals([results[name] for results in table.values()]) for name in next(iter(table.values()))}


def _decimals(results: Sequence[Result]) -> int:
    figures = [figure for r in results for figure in (r.score.value, *(r.interval or ()), *r.runs)]
    largest = max(*map(abs, figures), *(np.abs(result.sentences).max() for result in results))
    return 4 if 0 < largest <= 1 and results[0].scale != 100 else 2


def write_brief(table: Table, out: IO[str], widths: Mapping[str, int]) -> None:
    """Write bare numbers, a line a system, as many decimals as `widths` has for each metric."""
    for results in table.values():
        print("\t".join(f"{result.score.value:.{widths[name]}f}" for name, result in results.items()), file=out)


def write_csv(table: Table, out: IO[str], test_set: str | None = None) -> None:
    """Write a line per system and metric, unrounded; after what all have comes a column for each part of any metric.

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
            own = [result.score.parts.get(part, "") for part in parts]
            writer.writerow([system, name, result.score.value, *(result.interval or ("", "")), *facts, *own])


def write_sentence_csv(table: Table, out: IO[str]) -> None:
    """Write a line a system, metric and sentence, unrounded, with columns for parts as `write_csv` has."""
    parts = _part_names(table)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["system", "metric", "sentence", "score", "signature", *parts])
    for system, results in table.items():
        for name, result in results.items():
            none = [""] * len(result.sentences)
            own = [result.sentence_parts[part].tolist() if part in result.sentence_parts else none for part in parts]
            for i, (score, *values) in enumerate(zip(result.sentences.tolist(), *own, strict=True), 1):
                writer.writerow([system, name, i, score, result.sentence_signature, *values])


def _part_names(table: Table) -> list[str]:
    """What any metric's score is made of."""
    return list(dict.fromkeys(part for results in table.values() for r in results.values() for part in r.score.parts))


def write_sentences(table: Table, out: IO[str], widths: Mapping[str, int]) -> None:
    """Write aligned columns, a line a sentence, a column a system and metric and one each part; then the signatures."""
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
    """Write aligned columns, what they are of, what p-values are, then each metric's signature and parts.

    The columns are metrics, or systems where these are fewer and the metrics would not go on a line.
    """
    first = next(iter(table.values()))
    rows = [["system", *first]]
    for system, results in table.items():
        rows.append([system, *(_figure(result, widths[name]) for name, result in results.items())])
    if len(first) > max(_ACROSS, len(table)):
        rows = [["metric", *table], *map(list, list(zip(*rows, strict=True))[1:])]
    for line in aligned(rows):
        print(line, file=out)
    if test_set:
        print(f"\n{describe_texts(table, test_set)}", file=out)
    if said := describe_runs(table):
        print(f"\n{said}", file=out)
    if said := describe_tests(table):
        print(f"\np: {said}", file=out)
    for metric, result in first.items():
        print(f"\n{result.score.signature.partition('|runs:')[0]}", file=out)
        for system, results in table.items():
            if results[metric].score.parts:
                print(f"  {system}: {rounded_parts(results[metric], widths[metric])}", file=out)


def _figure(result: Result, width: int) -> str:
    return figure_with_bounds(result, width) + ("" if result.p_value is None else f" p={result.p_value:.4f}")


def figure_with_bounds(result: Result, width: int) -> str:
    """A score with the lowest and the highest of its runs, and its interval."""
    spread = f" ({min(result.runs):.{width}f}-{max(result.runs):.{width}f})" if result.runs else ""
    bounds = "" if result.interval is None else " [{:.{width}f}, {:.{width}f}]".format(*result.interval, width=width)
    return f"{result.score.value:.{width}f}{spread}{bounds}"


def _describe_test(test: Test) -> str:
    said = f"paired {test.name} test against {test.baseline}, {test.samples} {_UNITS[test.name]}, seed {test.seed}"
    n = test.corrected_for
    return said + (f", corrected for {n} test{'s' * (n > 1)} (Holm 1979)" if n else "")


def describe_texts(table: Table, test_set: str) -> str:
    """Return which test set was scored, and its size."""
    first = next(iter(table.values()))
    return f"{test_set}, {counted(len(next(iter(first.values())).sentences), 'sentence')}"


def describe_runs(table: Table) -> str:
    """Return which systems have several runs; nothing where none has."""
    runs = {system: len(next(iter(results.values())).runs) for system, results in table.items()}
    return "; ".join(f"{system}: mean of {n} runs (lowest-highest)" for system, n in runs.items() if n)


def describe_tests(table: Table) -> str:
    """Return which test p-values come from, and what to know of several uncorrected ones; nothing without a test."""
    tests = [result.test for results in table.values() for result in results.values() if result.test]
    if not tests:
        return ""
    said = _describe_test(tests[0])  # all are of one `Resampling`
    if len(tests) < 2 or tests[0].corrected_for:
        return said
    return f"{said}; uncorrected: of {len(tests)} tests expect {len(tests) * ALPHA:.2g} with p < {ALPHA:g} by chance"


def rounded_parts(result: Result, width: int) -> str:
    """A score's parts, `width` decimals."""
    return ", ".join(f"{name} {value:.{width}f}" for name, value in result.score.parts.items())
