"""Scatter plots of metric against metric and metric against human score, as in Xu et al. 2016, Figures 2 and 3."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure as Drawing
from matplotlib.transforms import Bbox

from sbmt.evaluation.correlation import KINDS, coefficient
from sbmt.evaluation.studies.table import Scatter, Study
from sbmt.files import atomic_path

_OTHER_SCRIPTS = 0x590  # Latin, Greek and Cyrillic, which matplotlib's font has, are below this code point
_MAX_NAME_BYTES = 200  # of a file's name, to which its number and `.svg` are added; file systems take 255
_MARK = 2  # half the size of a point's mark, in pixels
# Of labels beside their points, in typographic points: right above and below, left above and below, then farther away.
_PLACES = [(x, y) for distance in range(8) for x in (3, -3) for y in (3 + 7 * distance, -8 - 7 * distance)]
_LABEL: dict[str, Any] = {"textcoords": "offset points", "fontsize": 6, "parse_math": False}
_LEADER = {"arrowstyle": "-", "linewidth": 0.4, "color": "#59636e", "shrinkA": 0, "shrinkB": 2}  # a line to the point
_CONTROLS = dict.fromkeys((*range(ord(" ")), 0xFFFE, 0xFFFF), " ")  # characters that an SVG file cannot hold


def draw(study: Study, folder: Path) -> list[Path]:
    """Write an SVG per scatter plot, titled with the study, the number of points and correlations; return the files.

    Their names are those of the plots, reduced to words; later plots of the same name are numbered.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg" for name in _file_names(scatter.name for scatter in study.scatters)]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # only their widths are needed
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
    axes.set_xlabel(x, parse_math=False)
    axes.set_ylabel(y, parse_math=False)
    axes.set_title(title, fontsize=9, parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    _label(drawing, labels, scatter.points)
    _save(drawing, path, "".join((x, y, *labels)))


def _label(drawing: Drawing, labels: Sequence[str], points: Sequence[tuple[float, float]]) -> None:
    """Write each label beside its point, from the top, where it covers neither points nor labels, if there is space."""
    if not labels:
        return
    [axes] = drawing.axes
    drawing.draw_without_rendering()  # lays out the axes, which labels do not change
    taken = [Bbox.from_extents(x, y, x, y).padded(_MARK) for x, y in axes.transData.transform(points)]
    for label, point in sorted(zip(labels, points, strict=False), key=lambda pair: -pair[1][1]):
        for x, y in _PLACES:
            text = axes.annotate(label, point, (x, y), **_LABEL)
            text.set(horizontalalignment="left" if x > 0 else "right", in_layout=False)
            box = text.get_window_extent()
            inside = all(map(drawing.bbox.containsx, box.intervalx)) and all(map(axes.bbox.containsy, box.intervaly))
            if (x, y) == _PLACES[-1] or (inside and not any(map(box.overlaps, taken))):
                break
            text.remove()
        taken.append(box)
        axes.annotate("", point, (x, y), arrowprops=_LEADER, in_layout=False, **_LABEL)


def _save(drawing: Drawing, path: Path, names: str) -> None:
    """Write reproducible bytes.

    Letters become paths, except where `names` have those of other scripts, which matplotlib's font lacks, or which have
    to be joined or run from the right. They stay text, for the viewer to render.
    """
    kind = "none" if any(ord(character) >= _OTHER_SCRIPTS for character in names) else "path"
    with mpl.rc_context({"svg.hashsalt": "sbmt", "svg.fonttype": kind}), atomic_path(path) as temporary:
        drawing.savefig(temporary, format="svg", metadata={"Date": None})
