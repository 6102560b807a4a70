"""Scatter plots of metric against metric and metric against human score, as in Xu et al. 2016, Figures 2 and 3."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure as Drawing

from sbmt.evaluation.correlation import KINDS, correlate
from sbmt.evaluation.studies.table import Scatter


def draw(scatters: Sequence[Scatter], folder: Path, seed: int) -> list[Path]:
    """Write an SVG a scatter plot, with its correlations as the title; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_draw(scatter, folder, seed) for scatter in scatters]


def _draw(scatter: Scatter, folder: Path, seed: int) -> Path:
    import matplotlib as mpl
    import numpy as np

    xs, ys = zip(*scatter.points, strict=True)
    rng = np.random.default_rng(seed)
    title = ", ".join(f"{kind} {correlate(kind, xs, ys, rng).value:.2f}" for kind in KINDS)
    drawing = Drawing(figsize=(4, 3.4), layout="constrained")
    axes = drawing.add_subplot()
    axes.scatter(xs, ys, s=14, color="#0072b2", alpha=0.55, linewidths=0)
    axes.set_xlabel(scatter.x)
    axes.set_ylabel(scatter.y)
    axes.set_title(title, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    words = [re.sub(r"[^\w.]+", "_", part).strip("_") for part in scatter.name.split("-")]
    path = folder / ("-".join(words) + ".svg")
    with mpl.rc_context({"svg.hashsalt": "sbmt"}):  # the same bytes each time
        drawing.savefig(path, metadata={"Date": None})
    return path
