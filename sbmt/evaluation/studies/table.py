"""Tables of figures next to those that a paper printed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy import stats

from sbmt.data.registry import find_entry
from sbmt.data.testsets import data_folder, find_files
from sbmt.errors import FormatError
from sbmt.metrics.tables import aligned


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a study: where the data are, randomness, further metrics; what else some can use."""

    folder: str
    rng: np.random.Generator
    metrics: tuple[str, ...] = ()
    pairs: str | None = None  # a file of words that mean the same; ASSETann only
    spans: str | None = None  # a folder of OneStopQA's annotated articles; ATS-EVAL only
    systems: Mapping[str, list[str]] = field(default_factory=dict)  # outputs for ASSET's test set; ASSETann only


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `paper` is what was printed, None where the paper has none (or it is not at hand).

    `ours` is None where it is not defined: no correlation with what is constant.
    """

    name: str
    ours: float | None
    paper: float | None = None
    interval: tuple[float, float] | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Figures that belong together.

    `of` says where the paper has its own, `reason` why ours differ, `read` where those were read, if not there;
    `p_values` how those were computed.
    """

    title: str
    of: str
    reason: str
    figures: list[Figure]
    read: str = ""
    p_values: str = ""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points of a scatter plot with the names of its axes; few points may have labels."""

    name: str
    x: str
    y: str
    points: list[tuple[float, float]]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Study:
    """All tables of a study, and what it can draw; `missing` says what it lacks because data are not there."""

    name: str
    tables: list[Table]
    scatters: list[Scatter] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"study": self.name, "tables": [asdict(table) for table in self.tables], "missing": self.missing}


class PlainTabs(csv.excel_tab):
    """Tabs between cells, in which quotes are text."""

    quoting = csv.QUOTE_NONE


def data_root(name: str, folder: str) -> Path:
    """Return the data folder: the one given, or the one above, where a study's own folder was given.

    Raises SbmtError where there is no such folder.
    """
    root = data_folder(folder)
    own, _, inside = find_entry(name).files[0].path.partition("/")
    return root.resolve().parent if root.resolve().name == own and (root / inside).exists() else root


def locate(name: str, folder: str) -> list[Path]:
    """Return a study's files; raises SbmtError for one that is not there, or is not as published."""
    return find_files(find_entry(name), data_root(name, folder))


def read_table(path: Path, columns: Sequence[str], tabs: bool = False) -> list[dict[str, str]]:
    """Read a table with a header; raises FormatError where a column is missing."""
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, dialect=PlainTabs if tabs else csv.excel)
        if not set(columns) <= set(reader.fieldnames or ()):
            raise FormatError(str(path), 1, f"lacks some of the columns {', '.join(columns)}")
        return list(reader)


def share(name: str, count: int, total: int, paper: float | None = None, whole: float = 1.0) -> Figure:
    """A share with Wilson's interval, in parts of `whole` (100: per cent); 0 without one where `total` is 0."""
    if not total:
        return Figure(name, 0.0, paper)
    found = stats.binomtest(count, total).proportion_ci(method="wilson")
    return Figure(name, whole * count / total, paper, (whole * found.low, whole * found.high))


def write_text(study: Study, out: IO[str]) -> None:
    """Write aligned tables: name, paper, ours, 95 % interval, p; then what is missing."""
    for table in study.tables:
        print(f"{table.title} ({table.of})", file=out)
        rows = [["", "paper", "ours", "95 % interval", "p"], *map(_cells, table.figures)]
        for line in aligned(rows):
            print(f"  {line}", file=out)
        print(f"  {table.reason}", file=out)
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
    return [
        figure.name,
        paper,
        _number(figure.ours),
        interval,
        _p_value(figure.p_value),
    ]


def _p_value(value: float | None) -> str:
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _number(value: float | None) -> str:
    if value is None:
        return "\u2013"
    if value == int(value) and abs(value) >= 2:
        return f"{value:.0f}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"


def paper_figures(rows: Sequence[str], columns: Sequence[str], text: str) -> dict[str, float]:
    """Read a paper's table, one row a line: figures named `ROW: COLUMN`."""
    lines = zip(rows, text.strip().splitlines(), strict=True)
    return {
        f"{row}: {column}": float(cell)
        for row, line in lines
        for column, cell in zip(columns, line.split(), strict=True)
    }
