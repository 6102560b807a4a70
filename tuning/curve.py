"""The learning curve of a run, as a picture and as one line of characters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sbmt.files import atomic_path
from sbmt.tuning.folder import Record
from sbmt.tuning.objective import Objective

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float]) -> str:
    """Return one block character per value, scaled from the lowest value to the highest."""
    low, high = min(values), max(values)
    width = (high - low) or 1.0
    return "".join(_BARS[round((value - low) / width * (len(_BARS) - 1))] for value in values)


def draw_curve(records: Sequence[Record], objective: Objective, path: Path) -> None:
    """Write a PNG plot of the metric over the iterations."""
    from matplotlib.figure import Figure  # without pyplot: no window system, no global state

    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.add_subplot()
    x = [record.iteration for record in records]
    axes.plot(x, [objective.unit * record.decoded for record in records], "o-", label="1-best, tuned part")
    axes.plot(x, [objective.unit * record.pool for record in records], "s:", label="fitted weights, pool")
    if records[0].held_out is not None:
        axes.plot(x, [objective.unit * (record.held_out or 0) for record in records], "D--", label="1-best, held out")
    axes.set_xlabel("iteration")
    axes.set_ylabel(objective.metric.name)
    axes.legend()
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format="png", dpi=120)
