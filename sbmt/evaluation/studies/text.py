"""A study as text: each table aligned, the paper's figures beside ours; or all figures as CSV."""

from __future__ import annotations

import csv
from typing import IO

from sbmt.evaluation.studies.table import Figure, Study
from sbmt.layout import aligned

_UNDEFINED = "\u2013"


def write_csv(study: Study, out: IO[str]) -> None:
    """Write a line a figure, unrounded; blank is what there is not."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["table", "figure", "paper", "ours", "low", "high", "p_value"])
    for table in study.tables:
        for figure in table.figures:
            bounds = figure.interval or (None, None)
            writer.writerow([table.title, figure.name, figure.paper, figure.ours, *bounds, figure.p_value])


def write_text(study: Study, out: IO[str]) -> None:
    """Write aligned tables: name, paper (where it has any figure), ours, 95 % interval, p; then what is missing."""
    for table in study.tables:
        print(f"{table.title} ({table.of})", file=out)
        rows = [["", "paper", "ours", "95 % interval", "p"], *map(_cells, table.figures)]
        if all(figure.paper is None for figure in table.figures):
            rows = [[name, *others] for name, _, *others in rows]
        for line in aligned(rows):
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


def _cells(figure: Figure) -> list[str]:
    interval = "[{:.3f}, {:.3f}]".format(*figure.interval) if figure.interval else ""
    paper = "" if figure.paper is None else f"{figure.paper:.5g}"
    return [figure.name, paper, _number(figure.ours), interval, _p_value(figure.p_value)]


def _p_value(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _number(value: float | None) -> str:
    if value is None:
        return _UNDEFINED
    if value == int(value) and abs(value) >= 2:
        return f"{value:.0f}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"
