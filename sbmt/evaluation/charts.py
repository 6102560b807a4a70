"""Small charts as inline SVG: histograms and lines, each with a text alternative. Every string is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from sbmt.metrics.base import Floats
from sbmt.metrics.ngrams import Integers

# Okabe and Ito's colours, told apart by people with any colour vision; lines differ in dashes and marks as well.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("", "6 3", "2 2", "8 3 2 3", "1 3", "10 4")
_MARKS = ("circle", "square", "diamond", "triangle")
WIDTH, HEIGHT = 320, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 8, 10, 26


def histograms(series: Mapping[str, Floats], edges: Floats, title: str) -> list[tuple[str, Markup]]:
    """A histogram for each series, all on the same scales; values beyond the edges count in the outermost bars."""
    counts = {name: np.histogram(np.clip(row, edges[0], edges[-1]), bins=edges)[0] for name, row in series.items()}
    top = max(max(int(row.max()) for row in counts.values()), 2)
    top += top % 2  # so that the middle of the axis is a whole number
    return [
        (name, _histogram(values, counts[name], top, edges, f"{title}, {name}", COLOURS[k % len(COLOURS)]))
        for k, (name, values) in enumerate(series.items())
    ]


def _histogram(values: Floats, counts: Integers, top: int, edges: Floats, title: str, colour: str) -> Markup:
    """Bars of how many values lie between edges [n_bins + 1]."""
    step = (WIDTH - _LEFT - _RIGHT) / len(counts)
    bars = [
        Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>').format(
            _LEFT + k * step,
            _y(count, 0, top),
            max(step - 1, 1),
            HEIGHT - _BOTTOM - _y(count, 0, top),
            f"{edges[k]:.4g} to {edges[k + 1]:.4g}: {count}",
        )
        for k, count in enumerate(counts)
    ]
    middle = edges[len(edges) // 2]
    labels = [(_LEFT, f"{edges[0]:.4g}"), (_x(middle, edges[0], edges[-1]), f"{middle:.4g}")]
    labels.append((WIDTH - _RIGHT, f"{edges[-1]:.4g}"))
    body = Markup('<g fill="{}">{}</g>').format(colour, Markup("").join(bars))
    summary = f"{title}: mean {values.mean():.3g}, median {np.median(values):.3g} of {len(values)} sentences"
    return _frame(summary, _axis(0, top) + _x_labels(labels) + body)


def lines(points: Sequence[str], series: Mapping[str, Sequence[float]], title: str) -> Markup:
    """A line for each series over named points; the legend is part of the chart."""
    flat = [value for values in series.values() for value in values]
    low, high = min(flat), max(flat)
    margin = (high - low) * 0.1 or 1.0
    low, high = max(low - margin, 0.0) if low >= 0 else low - margin, high + margin
    places = [_LEFT + (k + 0.5) * (WIDTH - _LEFT - _RIGHT) / len(points) for k in range(len(points))]
    drawn = Markup("")
    for number, values in enumerate(series.values()):
        drawn += _line([(x, _y(value, low, high)) for x, value in zip(places, values, strict=True)], number)
    summary = f"{title}: " + "; ".join(
        f"{name} " + ", ".join(f"{value:.3g}" for value in values) for name, values in series.items()
    )
    return _frame(summary, _axis(low, high) + _x_labels(list(zip(places, points, strict=True))) + drawn)


def legend(names: Sequence[str]) -> Markup:
    """The names of series with their line and mark."""
    entries = [
        Markup('<li><svg width="34" height="12" aria-hidden="true">{}</svg> <bdi>{}</bdi></li>').format(
            _line([(3, 6), (31, 6)], number), name
        )
        for number, name in enumerate(names)
    ]
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(entries))


def _line(points: Sequence[tuple[float, float]], number: int) -> Markup:
    colour = COLOURS[number % len(COLOURS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = _DASHES[number % len(_DASHES)]
    line = Markup('<polyline points="{}" fill="none" stroke="{}" stroke-width="2" stroke-dasharray="{}"/>').format(
        path, colour, dashes
    )
    return line + Markup("").join(_mark(x, y, _MARKS[number % len(_MARKS)], colour) for x, y in points)


def _mark(x: float, y: float, mark: str, colour: str) -> Markup:
    if mark == "circle":
        return Markup('<circle cx="{:.1f}" cy="{:.1f}" r="3.2" fill="{}"/>').format(x, y, colour)
    corners = {
        "square": ((-3, -3), (3, -3), (3, 3), (-3, 3)),
        "diamond": ((0, -4.2), (4.2, 0), (0, 4.2), (-4.2, 0)),
        "triangle": ((0, -4), (4, 3), (-4, 3)),
    }[mark]
    path = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners)
    return Markup('<polygon points="{}" fill="{}"/>').format(path, colour)


def _x(value: float, low: float, high: float) -> float:
    return float(_LEFT + (value - low) / (high - low) * (WIDTH - _LEFT - _RIGHT))


def _y(value: float, low: float, high: float) -> float:
    return float(_TOP + (1 - (value - low) / (high - low)) * (HEIGHT - _TOP - _BOTTOM))


def _axis(low: float, high: float) -> Markup:
    """Grid lines at the bottom, the middle and the top, with their values."""
    drawn = Markup("")
    for value in (low, (low + high) / 2, high):
        y = _y(value, low, high)
        drawn += Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
            _LEFT, WIDTH - _RIGHT, y, y
        )
        drawn += Markup('<text x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(_LEFT - 5, y + 4, f"{value:.3g}")
    return drawn


def _x_labels(labels: Sequence[tuple[float, str]]) -> Markup:
    anchors = {_LEFT: "start", WIDTH - _RIGHT: "end"}
    return Markup("").join(
        Markup('<text x="{:.1f}" y="{}" text-anchor="{}">{}</text>').format(
            x, HEIGHT - 8, anchors.get(int(x), "middle") if x in anchors else "middle", text
        )
        for x, text in labels
    )


def _frame(summary: str, body: Markup) -> Markup:
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, summary, body
    )
