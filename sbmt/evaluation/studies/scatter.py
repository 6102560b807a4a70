"""Scatter plots of metric against metric and metric against human score, as in Xu et al. 2016, Figures 2 and 3."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure as Drawing

from sbmt.evaluation.correlation import KINDS, correlate
from sbmt.evaluation.studies.table import Scatter, Study


def draw(study: Study, folder: Path, seed: int) -> list[Path]:
    """Write an SVG a scatter plot, titled by the study, the number of points and correlations; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_draw(scatter, study.name, folder, seed) for scatter in study.scatters]


def _draw(scatter: Scatter, study: str, folder: Path, seed: int) -> Path:
    xs, ys = zip(*scatter.points, strict=True)
    rng = np.random.default_rng(seed)
    found = [(kind, correlate(kind, xs, ys, rng).value) for kind in KINDS]
    values = ", ".join(f"{kind} {value:.2f}" for kind, value in found if value is not None)
    title = f"{study}, n = {len(xs)}\n{values or 'no correlation: one is constant'}"
    drawing = Drawing(figsize=(4, 3.6), layout="constrained")
    axes = drawing.add_subplot()
    axes.scatter(xs, ys, s=14, color="#0072b2", alpha=0.55, linewidths=0)
    for label, point in zip(scatter.labels, scatter.points, strict=False):
        axes.annotate(label, point, xytext=(3, 3), textcoords="offset points", fontsize=6, parse_math=False)
    axes.set_xlabel(scatter.x, parse_math=False)
    axes.set_ylabel(scatter.y, parse_math=False)
    axes.set_title(title, fontsize=9, parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    words = [re.sub(r"[^\w.]+", "_", part).strip("_") for part in scatter.name.split("-")]
    path = folder / ("-".join(words) + ".svg")
    with mpl.rc_context({"svg.hashsalt": "sbmt"}):  # the same bytes each time
        drawing.savefig(path, metadata={"Date": None})
    return path
