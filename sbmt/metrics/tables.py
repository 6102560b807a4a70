"""Results of many systems and metrics as tables: terminal, JSON, CSV, LaTeX, sentence by sentence."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from statistics import stdev
from typing import IO, Any

from sbmt.layout import aligned
from sbmt.metrics.custom import CustomMetric
from sbmt.metrics.evaluate import Result, Table, Test
from sbmt.metrics.quality import QualityFeature
from sbmt.metrics.significance import ALPHA

_UNITS = {"permutation": "swaps", "bootstrap": "resamples"}  # of each test
_ACROSS = 6  # metrics that a line of a terminal takes
_SPOKEN = {"star": "STAR", "fkgl": "FKGL", "fk:easse": "FKGL"}  # what papers call a metric, where it is not its label
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    | {"[": "{[}", "*": "{*}"}  # at the start of a row these would be arguments of the \\\\ before
)


def write_json(table: Table, out: IO[str], test_set: str | None = None, sentence_level: bool = False) -> None:
    """Write {system: {metric: {score, parts, interval, signature}}}, and what else there is.

    That is p_value and test; test_set; and sentences, sentence_parts, sentence_signature where asked for.
    """
    named = {"test_set": test_set} if test_set else {}
    cells = {
        system: {name: cell(result, sentence_level) | named for name, result in results.items()}
        for system, results in table.items()
    }
    json.dump(cells, out, indent=1, ensure_ascii=False, allow_nan=False)
    out.write("\n")


def cell(result: Result, sentence_level: bool = False) -> dict[str, Any]:
    """Return a result as JSON has it."""
    made: dict[str, Any] = {
        "score": result.score.value,
        "parts": result.score.parts,
        "interval": list(result.interval) if result.interval else None,
        "signature": result.score.signature,
    }
    if result.test is not None:
        made |= {"p_value": result.p_value, "test": asdict(result.test)}
    if result.runs:
        made["runs"] = list(result.runs)
    if sentence_level:
        made["sentences"] = result.sentences.tolist()
        made["sentence_parts"] = {name: part.tolist() for name, part in result.sentence_parts.items()}
        made["sentence_signature"] = result.sentence_signature
    return made


def write_brief(table: Table, out: IO[str], width: int) -> None:
    """Write bare numbers, a line a system, `width` decimals."""
    for results in table.values():
        print("\t".join(f"{result.score.value:.{width}f}" for result in results.values()), file=out)


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
            test = _describe(result.test) if result.test else ""
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


def write_sentences(table: Table, out: IO[str], width: int) -> None:
    """Write aligned columns, a line a sentence, a column a system and metric and one each part; then the signatures."""
    columns = [column for system, results in table.items() for column in _columns(system, results, width)]
    numbers = ["sentence", *map(str, range(1, len(columns[0])))]
    for line in aligned(list(zip(numbers, *columns, strict=True))):
        print(line, file=out)
    for result in next(iter(table.values())).values():
        print(f"\n{result.sentence_signature}", file=out)


def _columns(system: str, results: Mapping[str, Result], width: int) -> Iterator[list[str]]:
    for name, result in results.items():
        for heading, values in {"": result.sentences, **result.sentence_parts}.items():
            yield [f"{system} {name} {heading}".rstrip(), *(f"{value:.{width}f}" for value in values.tolist())]


def write_table(table: Table, out: IO[str], width: int, test_set: str | None = None) -> None:
    """Write aligned columns, what they are of, what p-values are, then each metric's signature and parts.

    The columns are metrics, or systems where these are fewer and the metrics would not go on a line.
    """
    first = next(iter(table.values()))
    rows = [["system", *first]]
    for system, results in table.items():
        rows.append([system, *(_figure(result, width) for result in results.values())])
    if len(first) > max(_ACROSS, len(table)):
        rows = [["metric", *table], *map(list, list(zip(*rows, strict=True))[1:])]
    for line in aligned(rows):
        print(line, file=out)
    if test_set:
        print(f"\n{_texts(table, test_set)}", file=out)
    if said := "; ".join(_of_runs(table)):
        print(f"\n{said}", file=out)
    tests = {result.test for results in table.values() for result in results.values() if result.test}
    for test in tests:
        print(f"\np: {_describe(test)}{_of_many(table)}", file=out)
    for metric, result in first.items():
        print(f"\n{result.score.signature.partition('|runs:')[0]}", file=out)
        for system, results in table.items():
            if results[metric].score.parts:
                print(f"  {system}: {_rounded(results[metric], width)}", file=out)


def _figure(result: Result, width: int) -> str:
    return _bounded(result, width) + ("" if result.p_value is None else f" p={result.p_value:.4f}")


def _bounded(result: Result, width: int) -> str:
    """A score with the lowest and the highest of its runs, and its interval."""
    spread = f" ({min(result.runs):.{width}f}-{max(result.runs):.{width}f})" if result.runs else ""
    bounds = "" if result.interval is None else " [{:.{width}f}, {:.{width}f}]".format(*result.interval, width=width)
    return f"{result.score.value:.{width}f}{spread}{bounds}"


def _describe(test: Test) -> str:
    said = f"paired {test.name} test against {test.baseline}, {test.samples} {_UNITS[test.name]}, seed {test.seed}"
    n = test.corrected_for
    return said + (f", corrected for {n} test{'s' * (n > 1)} (Holm 1979)" if n else "")


def _texts(table: Table, test_set: str) -> str:
    """What was scored."""
    first = next(iter(table.values()))
    return f"{test_set}, {len(next(iter(first.values())).sentences)} sentences"


def _of_runs(table: Table) -> Iterator[str]:
    """Which systems have several runs."""
    for system, results in table.items():
        n = len(next(iter(results.values())).runs)
        if n:
            yield f"{system}: mean of {n} runs (lowest-highest)"


def _of_many(table: Table) -> str:
    """What to know of several p-values that are not corrected for one another."""
    tests = [result.test for results in table.values() for result in results.values() if result.test]
    if len(tests) < 2 or tests[0].corrected_for:
        return ""
    return f"; uncorrected: of {len(tests)} tests expect {len(tests) * ALPHA:.2g} with p < {ALPHA:g} by chance"


def _rounded(result: Result, width: int) -> str:
    """A score's parts."""
    return ", ".join(f"{name} {value:.{width}f}" for name, value in result.score.parts.items())


def write_latex(
    table: Table,
    out: IO[str],
    width: int,
    samples: int,
    seed: int,
    more_is_better: Collection[str] = (),
    test_set: str | None = None,
) -> None:
    """Write a booktabs table: intervals (of `samples` and `seed`) in brackets, a dagger where p < ALPHA, notes on both.

    Columns have the metrics' plain names where these differ, and a note their conventions. In columns of metrics named
    in `more_is_better` the best figures, as rounded, are bold. What a table has no room for is in comments: p-values,
    signatures and parts.
    """
    first = next(iter(table.values()))
    metrics, heads = list(first), _heads(first)
    best = {
        name: max(round(results[name].score.value, width) for results in table.values())
        for name in metrics
        if name in more_is_better and len(table) > 1
    }
    print("% needs \\usepackage{booktabs}", file=out)
    print(f"\\begin{{tabular}}{{l{'r' * len(metrics)}}}\n\\toprule", file=out)
    print(" & ".join(["System", *map(_escape, heads.values())]), r"\\ \midrule", file=out)
    for system, results in table.items():
        cells = [_latex_figure(result, width, best.get(name)) for name, result in results.items()]
        print(" & ".join([_escape(system), *cells]), r"\\", file=out)
    print("\\bottomrule", file=out)
    print("\\end{tabular}", file=out)
    if notes := "\\\\\n".join(_latex_notes(table, samples, seed, test_set)):  # below it, as wide as page or column
        print(f"\n\\begin{{minipage}}{{\\linewidth}}\\footnotesize\n{notes}\n\\end{{minipage}}", file=out)
    for system, results in table.items():
        for result in results.values():
            p_value = "" if result.p_value is None else f"p={result.p_value:.4f}"
            facts = (_escape(system), result.score.signature, _rounded(result, width), p_value)
            print("%", ": ".join(filter(None, facts)), file=out)


def _heads(results: Mapping[str, Result]) -> dict[str, str]:
    """What columns are called: `SARI` for `sari:easse`, unless two columns would be.

    Sums, functions and features of quality keep their names: the variant of such a feature is what it measures.
    """
    labels = {name: _SPOKEN.get(name, result.score.signature.partition("|")[0]) for name, result in results.items()}
    named = {CustomMetric.label, QualityFeature.label}
    plain = {name for name, label in labels.items() if label.isalpha() and label not in named}
    often = Counter(labels.values())
    return {name: label if name in plain and often[label] == 1 else name for name, label in labels.items()}


def _convention(name: str, signature: str) -> str:
    """A metric with its variant, which a bare name leaves out."""
    head, comma, options = name.partition(",")
    label, variant = signature.split("|")[:2]
    if ":" in head or not label.isalpha():  # a sum
        return name
    return f"{label.lower()}:{variant.removeprefix('var:')}{comma}{options}"


def _latex_figure(result: Result, width: int, best: float | None) -> str:
    """A figure with its interval; bold if it is the `best` of its column when rounded."""
    mark = r"\rlap{$^\dagger$}" if result.p_value is not None and result.p_value < ALPHA else ""
    figure, space, interval = _bounded(result, width).partition(" ")
    if best is not None and round(result.score.value, width) == best:
        figure = rf"\textbf{{{figure}}}"
    return figure + space + interval + mark


def _latex_notes(table: Table, samples: int, seed: int, test_set: str | None) -> Iterator[str]:
    if test_set:
        yield _escape(_texts(table, test_set)) + "."
    first = next(iter(table.values()))
    named = {head: _convention(name, first[name].score.signature) for name, head in _heads(first).items()}
    if told := [f"{head} is {convention}" for head, convention in named.items() if head != convention]:
        yield _escape("; ".join(told)) + "."
    if runs := "; ".join(_of_runs(table)):
        yield _escape(runs) + "."
    results = [result for by_metric in table.values() for result in by_metric.values()]
    if any(result.interval for result in results):
        yield rf"In brackets: 95\,\% bootstrap intervals, {samples} samples, seed {seed}."
    for test in dict.fromkeys(result.test for result in results if result.test):
        yield rf"$^\dagger$: $p < {ALPHA:g}$, {_escape(_describe(test) + _of_many(table))}."


def _escape(text: str) -> str:
    return " ".join(text.split()).translate(_LATEX)
