"""Writing results of many systems and metrics as a table for LaTeX's booktabs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import IO

from sbmt.metrics.custom import CustomMetric
from sbmt.metrics.quality import QualityFeature
from sbmt.metrics.result import Result, Table
from sbmt.metrics.significance import ALPHA
from sbmt.metrics.tables import (
    best_systems,
    decimals,
    describe_runs,
    describe_tests,
    describe_texts,
    figure_with_bounds,
    rounded_parts,
)

_PAPER_NAMES = {"star": "STAR", "fkgl": "FKGL", "fk:easse": "FKGL"}  # names in papers that are not metrics' labels
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    | {"[": "{[}", "*": "{*}"}  # at the start of a row these would be arguments of the \\\\ before
)


def write_latex(
    table: Table, out: IO[str], widths: Mapping[str, int] | None = None, test_set: str | None = None
) -> None:
    """Write a booktabs table: intervals in brackets, a dagger where p < ALPHA, notes on how both were computed.

    `widths`: the decimals of each metric (default: `tables.decimals`). Columns have the metrics' plain names where
    these differ; a note names their conventions. In columns of metrics where higher is better the best figures, as
    rounded, are bold. P-values, signatures and parts, for which the table has no space, are in comments.
    """
    widths = decimals(table) if widths is None else widths
    first = next(iter(table.values()))
    metrics, headings, best = list(first), _headings(first), best_systems(table, widths)
    print("% needs \\usepackage{booktabs}", file=out)
    print(f"\\begin{{tabular}}{{l{'r' * len(metrics)}}}\n\\toprule", file=out)
    print(" & ".join(["System", *map(_escape, headings.values())]), r"\\ \midrule", file=out)
    for system, results in table.items():
        cells = [_figure(result, widths[name], system in best.get(name, ())) for name, result in results.items()]
        print(" & ".join([_escape(system), *cells]), r"\\", file=out)
    print("\\bottomrule", file=out)
    print("\\end{tabular}", file=out)
    if notes := "\\\\\n".join(_notes(table, test_set)):  # below it, as wide as page or column
        print(f"\n\\begin{{minipage}}{{\\linewidth}}\\footnotesize\n{notes}\n\\end{{minipage}}", file=out)
    for system, results in table.items():
        for name, result in results.items():
            p_value = "" if result.p_value is None else f"p={result.p_value:.4f}"
            facts = (_escape(system), result.score.signature, rounded_parts(result, widths[name]), p_value)
            print("%", ": ".join(filter(None, facts)), file=out)


def _headings(results: Mapping[str, Result]) -> dict[str, str]:
    """Return the headings of columns: `SARI` for `sari:easse`, unless two columns would have the same.

    Sums, functions and quality features keep their full names: the variant of such a feature is what it measures.
    """
    labels = {
        name: _PAPER_NAMES.get(name, result.score.signature.partition("|")[0]) for name, result in results.items()
    }
    fully_named = {CustomMetric.label, QualityFeature.label}
    plain = {name for name, label in labels.items() if label.isalpha() and label not in fully_named}
    label_counts = Counter(labels.values())
    return {name: label if name in plain and label_counts[label] == 1 else name for name, label in labels.items()}


def _convention(name: str, signature: str) -> str:
    """Return a metric's name with its variant, which a bare name leaves out."""
    head, comma, options = name.partition(",")
    label, variant = signature.split("|")[:2]
    if ":" in head or not label.isalpha():  # a sum
        return name
    return f"{label.lower()}:{variant.removeprefix('var:')}{comma}{options}"


def _figure(result: Result, width: int, is_best: bool) -> str:
    """Return a figure with its interval; bold if it is the best of its column."""
    mark = r"\rlap{$^\dagger$}" if result.p_value is not None and result.p_value < ALPHA else ""
    figure, space, interval = figure_with_bounds(result, width).partition(" ")
    if is_best:
        figure = rf"\textbf{{{figure}}}"
    return figure + space + interval + mark


def _notes(table: Table, test_set: str | None) -> Iterator[str]:
    """Yield the notes below a table: test set, conventions, runs, intervals, tests."""
    if test_set:
        yield _escape(describe_texts(table, test_set)) + "."
    first = next(iter(table.values()))
    headings = _headings(first)
    conventions = {heading: _convention(name, first[name].score.signature) for name, heading in headings.items()}
    if renamed := [
        f"{heading} is {convention}" for heading, convention in conventions.items() if heading != convention
    ]:
        yield _escape("; ".join(renamed)) + "."
    if runs := describe_runs(table):
        yield _escape(runs) + "."
    results = [result for by_metric in table.values() for result in by_metric.values()]
    if drawn := next((result.drawn for result in results if result.drawn), None):  # all are of one `Resampling`
        yield rf"In brackets: 95\,\% bootstrap intervals, {drawn.samples} samples, seed {drawn.seed}."
    if test := describe_tests(table):
        yield rf"$^\dagger$: $p < {ALPHA:g}$, {_escape(test)}."


def _escape(text: str) -> str:
    return " ".join(text.split()).translate(_LATEX)
