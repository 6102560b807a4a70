"""Scatter plots of metric against metric and metric against human score, as in Xu et al. 2016, Figures 2 and 3."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure as Drawing

from sbmt.evaluation.correlation import KINDS, coefficient
from sbmt.evaluation.studies.table import Scatter, Study

_OTHER_SCRIPTS = 0x590  # code points of Latin, Greek and Cyrillic are lower, and matplotlib's own font has them
_LONGEST = 200  # bytes of a file's name, to which its number and `.svg` are added; file systems take 255
_CONTROLS = dict.fromkeys((*range(ord(" ")), 0xFFFE, 0xFFFF), " ")  # characters that an SVG file cannot hold


def draw(study: Study, folder: Path) -> list[Path]:
    """Write an SVG a scatter plot, titled by the study, the number of points and correlations; return the files.

    They have the plots' names as far as these are words; of several plots with one name the later ones are numbered.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg" for name in _file_names(scatter.name for scatter in study.scatters)]
    for scatter, path in zip(study.scatters, paths, strict=True):
        _draw(scatter, study.name, path)
    return paths


def _file_names(names: Iterable[str]) -> list[str]:
    """Names that file systems take, and that also differ where files' names are without case."""
    found: dict[str, str] = {}  # by what a file system without case sees
    for name in names:
        words = [re.sub(r"[^\w.]+", "_", part).strip("_") for part in name.split("-")]
        stem = "-".join(words).encode()[:_LONGEST].decode(errors="ignore")  # no part of a character
        numbered = chain([stem], (f"{stem}_{number}" for number in count(2)))
        free = next(one for one in numbered if one.casefold() not in found)
        found[free.casefold()] = free
    return list(found.values())


def _draw(scatter: Scatter, study: str, path: Path) -> None:
    xs, ys = zip(*scatter.points, strict=True)
    x, y, *labels = (name.translate(_CONTROLS) for name in (scatter.x, scatter.y, *scatter.labels))
    found = [(kind, coefficient(kind, xs, ys)) for kind in KINDS]
    values = ", ".join(f"{kind} {value:.2f}" for kind, value in found if value is not None)
    title = f"{study}, n = {len(xs)}\n{values or 'no correlation: one is constant'}"
    drawing = Drawing(figsize=(4, 3.6), layout="constrained")
    axes = drawing.add_subplot()
    axes.scatter(xs, ys, s=14, color="#0072b2", alpha=0.55, linewidths=0)
    for label, point in zip(labels, scatter.points, strict=False):
        axes.annotate(label, point, xytext=(3, 3), textcoords="offset points", fontsize=6, parse_math=False)
    axes.set_xlabel(x, parse_math=False)
    axes.set_ylabel(y, parse_math=False)
    axes.set_title(title, fontsize=9, parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    _save(drawing, path, "".join((x, y, *labels)))


def _save(drawing: Drawing, path: Path, names: str) -> None:
    """Write the same bytes each time.

    Letters are drawn, but for those of other scripts: matplotlib's font lacks them, or they would have to be joined or
    run from the right. They stay text, for what shows the plot to write.
    """
    kind = "none" if any(ord(character) >= _OTHER_SCRIPTS for character in names) else "path"
    with mpl.rc_context({"svg.hashsalt": "sbmt", "svg.fonttype": kind}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # only their widths are asked for
        drawing.savefig(path, metadata={"Date": None})
