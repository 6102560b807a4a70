"""Writing a study as text, with each table aligned and the paper's figures beside ours, or as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import IO

from sbmt.evaluation.studies.table import Figure, Study
from sbmt.layout import aligned

_UNDEFINED = "\u2013"


def write_csv(study: Study, out: IO[str]) -> None:
    """Write a line per figure, unrounded; missing values are blank."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["table", "figure", "paper", "ours", "low", "high", "p_value"])
    for table in study.tables:
        for figure in table.figures:
            bounds = figure.interval or (None, None)
            writer.writerow([table.title, figure.name, figure.paper, figure.ours, *bounds, figure.p_value])


def write_text(study: Study, out: IO[str]) -> None:
    """Write aligned tables with those of the columns name, paper, ours, interval, p that are filled; then `missing`."""
    for table in study.tables:
        print(f"{table.title} ({table.of})", file=out)
        for line in aligned(_rows(table.figures)):
            print(f"  {line}", file=out)
        print(f"  {table.reason}", file=out)
        if any(figure.ours is None for figure in table.figures):
            print(f"  {_UNDEFINED}: not defined, for one of the two is the same throughout", file=out)
        if table.read:
            print(f"  The paper's figures: {table.read}", file=out)
        if table.p_values:
            print(f"  p: {table.p_values}", file=out)
        print(file=out)
    for what in study.missing:
        print(f"Missing: {what}", file=out)


def _rows(figures: Sequence[Figure]) -> list[tuple[str, ...]]:
    """Return the rows of a table with its header, without blank columns; a column's figures have equal decimals."""
    ours = _decimals([figure.ours for figure in figures if figure.ours is not None])
    paper = max((_printed(figure.paper) for figure in figures if figure.paper is not None), default=0)
    rows = [["", "paper", "ours", "95 % interval", "p"]]
    for figure in figures:
        rows.append(
            [
                figure.name,
                "" if figure.paper is None else f"{figure.paper:.{paper}f}",
                _UNDEFINED if figure.ours is None else f"{figure.ours:.{ours}f}",
                "[{0:.{2}f}, {1:.{2}f}]".format(*figure.interval, ours) if figure.interval else "",
                _p_value(figure.p_value),
            ]
        )
    filled = [column for column in zip(*rows, strict=True) if any(column[1:])]
    return list(zip(*filled, strict=True))


def _decimals(values: Sequence[float]) -> int:
    """Return the decimals of figures: none for counts, two from 10 on (per cent), else three (correlations)."""
    largest = max(map(abs, values), default=0)
    if largest >= 2 and all(value == int(value) for value in values):
        return 0
    return 2 if largest >= 10 else 3


def _printed(value: float) -> int:
    """Return with how many decimals, at least, a paper printed a figure: 41.2 has one."""
    return len(f"{value:.5g}".partition(".")[2])


def _p_value(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
