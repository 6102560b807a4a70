"""Tables of figures next to those that a paper printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field
from typing import Any

from scipy import stats

AS_IF_INDEPENDENT = "Pairs of one source count as independent; by source most intervals are wider."


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `paper` is the printed one, None where the paper has none (or is not at hand).

    `ours` is None where it is not defined, such as a correlation with a constant.
    """

    name: str
    ours: float | None
    paper: float | None = None
    interval: tuple[float, float] | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Figures that belong together.

    `of` names the paper's table, `reason` says why ours differ, `read` where the paper's figures were read, if not
    there, `p_values` how p-values were computed.
    """

    title: str
    _: KW_ONLY
    of: str
    reason: str
    figures: list[Figure]
    read: str = ""
    p_values: str = ""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points of a scatter plot with the names of its axes and, optionally, labels."""

    name: str
    x: str
    y: str
    points: list[tuple[float, float]]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Study:
    """All tables and scatter plots of a study; `missing` says what it lacks because data are missing."""

    name: str
    tables: list[Table]
    scatters: list[Scatter] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the tables for JSON."""
        return {"study": self.name, "tables": [asdict(table) for table in self.tables], "missing": self.missing}


def share_figure(name: str, count: int, total: int, paper: float | None = None, whole: float = 1.0) -> Figure:
    """Return a share of `whole` (100: per cent) with Wilson's interval; it is not defined where `total` is 0."""
    if not total:
        return Figure(name, None, paper)
    interval = stats.binomtest(count, total).proportion_ci(method="wilson")
    return Figure(name, whole * count / total, paper, (whole * interval.low, whole * interval.high))


def paper_figures(rows: Sequence[str], columns: Sequence[str], text: str) -> dict[str, float]:
    """Read a paper's table, one row per line: figures named `ROW: COLUMN`."""
    lines = zip(rows, text.strip().splitlines(), strict=True)
    return {
        f"{row}: {column}": float(cell)
        for row, line in lines
        for column, cell in zip(columns, line.split(), strict=True)
    }
