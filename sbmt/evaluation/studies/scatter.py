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

_OTHER_SCRIPTS = 0x590  # Latin, Greek and Cyrillic, which matplotlib's font has, are below this code point
_MAX_NAME_BYTES = 200  # of a file's name, to which its number and `.svg` are added; file systems take 255
_CONTROLS = dict.fromkeys((*range(ord(" ")), 0xFFFE, 0xFFFF), " ")  # characters that an SVG file cannot hold


def draw(study: Study, folder: Path) -> list[Path]:
    """Write an SVG per scatter plot, titled with the study, the number of points and correlations; return the files.

    Their names are those of the plots, reduced to words; later plots of the same name are numbered.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg" for name in _file_names(scatter.name for scatter in study.scatters)]
    for scatter, path in zip(study.scatters, paths, strict=True):
        _draw(scatter, study.name, path)
    return paths


def _file_names(names: Iterable[str]) -> list[str]:
    """Return valid file names that also differ on file systems that ignore case."""
    by_folded: dict[str, str] = {}
    for name in names:
        words = [re.sub(r"[^\w.]+", "_", part).strip("_") for part in name.split("-")]
        stem = "-".join(words).encode()[:_MAX_NAME_BYTES].decode(errors="ignore")  # drops a cut character
        candidates = chain([stem], (f"{stem}_{number}" for number in count(2)))
        file_name = next(candidate for candidate in candidates if candidate.casefold() not in by_folded)
        by_folded[file_name.casefold()] = file_name
    return list(by_folded.values())


def _draw(scatter: Scatter, study: str, path: Path) -> None:
    xs, ys = zip(*scatter.points, strict=True)
    x, y, *labels = (name.translate(_CONTROLS) for name in (scatter.x, scatter.y, *scatter.labels))
    coefficients = [(kind, coefficient(kind, xs, ys)) for kind in KINDS]
    values = ", ".join(f"{kind} {value:.2f}" for kind, value in coefficients if value is not None)
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
    """Write reproducible bytes.

    Letters become paths, except where `names` have those of other scripts, which matplotlib's font lacks, or which have
    to be joined or run from the right. They stay text, for the viewer to render.
    """
    kind = "none" if any(ord(character) >= _OTHER_SCRIPTS for character in names) else "path"
    with mpl.rc_context({"svg.hashsalt": "sbmt", "svg.fonttype": kind}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # only their widths are needed
        drawing.savefig(path, metadata={"Date": None})
