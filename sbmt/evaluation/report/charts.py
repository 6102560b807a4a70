"""Small charts as inline SVG: histograms and lines, each with a text alternative. Every string is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10

import numpy as np
from markupsafe import Markup

from sbmt.arrays import Floats, Ints
from sbmt.evaluation.rounding import is_constant

# Distinguishable with any colour vision, contrast 3:1 on white at least; lines differ in dashes and marks as well.
COLOURS = ("#0072b2", "#d55e00", "#000000", "#cc79a7", "#663300", "#332288")
_DASHES = ("", "6 3", "2 2", "8 3 2 3", "1 3", "10 4")
_MARKS = {  # corners; their number, five, is coprime to that of the colours, so that thirty series differ
    "square": ((-3, -3), (3, -3), (3, 3), (-3, 3)),
    "diamond": ((0, -4.2), (4.2, 0), (0, 4.2), (-4.2, 0)),
    "triangle": ((0, -4), (4, 3), (-4, 3)),
    "cross": (
        (-1, -4),
        (1, -4),
        (1, -1),
        (4, -1),
        (4, 1),
        (1, 1),
        (1, 4),
        (-1, 4),
        (-1, 1),
        (-4, 1),
        (-4, -1),
        (-1, -1),
    ),
    "turned triangle": ((0, 4), (4, -3), (-4, -3)),
}
WIDTH, HEIGHT = 320, 190
_RIGHT, _TOP, _BOTTOM = 14, 22, 46
_LABEL = 20  # the height of one line of labels below the axis
_LINE = 13  # the distance of its lines
_CHARACTER = 6.3  # the width of a figure in a label
_MIDDLE = '<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>'
_TICKS = 4  # steps of an axis, about
_MIN_SPAN = 1e-15  # of an axis: labels have no space for more decimals


def ticks(low: float, high: float, least: float = 0.0) -> list[float]:
    """Return round numbers at even distances (at least `least`) that enclose both ends.

    A single value, or two that differ by rounding only, is enclosed with 0.
    """
    if is_constant((low, high)):
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < _MIN_SPAN:
        high = low + 1
    power = 10.0 ** floor(log10((high - low) / _TICKS))
    step = max(next(m * power for m in (1, 2, 5, 10) if m * power * _TICKS >= (high - low) * (1 - 1e-9)), least)
    places = range(floor(low / step + 1e-9), ceil(high / step - 1e-9) + 1)
    decimals = 10 - floor(log10(step))  # ten significant digits: `place * step` may end in ...0000000004
    return [round(place * step, decimals) for place in places]


def histograms(
    series: Mapping[str, Floats], edges: Floats, title: str, beside: Floats | None = None
) -> list[tuple[str, Markup]]:
    """Draw a histogram for each series, all on the same scales; values beyond the edges count in the outermost bars.

    The values of `beside` are outlined over each, scaled to the number of its values.
    """
    counts = {name: _counts(row, edges) for name, row in series.items()}
    outlines = {
        name: _counts(beside, edges) * len(row) / len(beside) if beside is not None else None
        for name, row in series.items()
    }
    highest = [row.max() for row in (*counts.values(), *outlines.values()) if row is not None]
    axis = _Axis(ticks(0, ceil(max(highest)), least=1))
    beyond = max(float(row.max()) for row in (*series.values(), edges if beside is None else beside)) > edges[-1]
    charts = []
    for number, (name, row) in enumerate(series.items()):
        bars = _bars(counts[name], axis, edges, beyond, _colour(number))
        body = bars + _outline(outlines[name], axis)
        charts.append((name, _frame(_summary(f"{title}, {name}", row), body, HEIGHT - _BOTTOM + _LABEL)))
    return charts


def _counts(values: Floats, edges: Floats) -> Ints:
    """Return the number of values between edges [n_bins + 1], those beyond in the outermost: [n_bins]."""
    return np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges)[0]


def _summary(title: str, values: Floats) -> str:
    return f"{title}: mean {values.mean():,.2f}, median {np.median(values):,.2f} of {len(values)} sentences"


def _outline(counts: Floats | None, axis: _Axis) -> Markup:
    """Draw steps as high as bars of these counts would be; nothing for None."""
    if counts is None:
        return Markup("")
    step = (WIDTH - axis.left - _RIGHT) / len(counts)
    path = " ".join(
        f"{axis.left + (k + right) * step:.1f},{axis.y(count):.1f}"
        for k, count in enumerate(counts)
        for right in (0, 1)
    )
    return Markup('<polyline class="outline" points="{}"/>').format(path)


def _bars(counts: Ints, axis: _Axis, edges: Floats, beyond: bool, colour: str) -> Markup:
    """Draw bars of counts between edges [n_bins + 1], with their axes; `beyond`: some values exceed the last edge."""
    step = (WIDTH - axis.left - _RIGHT) / len(counts)
    ends = _edge_labels(edges)
    names = [f"{low} to {high}" for low, high in pairwise(ends)]
    names[-1] = f"{ends[-2]} and more" if beyond else names[-1]
    bars = [
        Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"><title>{}</title></rect>').format(
            axis.left + k * step, axis.y(count), max(step - 1, 1), axis.y(0) - axis.y(count), f"{name}: {count}"
        )
        for k, (name, count) in enumerate(zip(names, counts, strict=True))
    ]
    ends[-1] += "+" if beyond else ""
    labels = [(axis.left + k * step, [ends[k]]) for k in (0, len(counts) // 2, len(counts))]
    body = Markup('<g fill="{}">{}</g>').format(colour, Markup("").join(bars))
    return axis.drawn("sentences") + _x_labels(labels) + body


def _edge_labels(edges: Floats) -> list[str]:
    """Return evenly spaced numbers with the decimals of their distance, their thousands and a real minus sign."""
    decimals = max(0, 2 - floor(log10(edges[1] - edges[0])))
    rounded = np.round(edges, decimals) + 0.0  # which has no -0
    texts = [f"{edge:,.{decimals}f}" for edge in rounded.tolist()]
    return [(text.rstrip("0").rstrip(".") if decimals else text).replace("-", "\u2212") for text in texts]


def lines(points: Sequence[Sequence[str]], series: Mapping[str, Sequence[float]], title: str, x_title: str) -> Markup:
    """Draw a line for each series over points, each labelled with one or more lines; `legend` names the series."""
    all_values = [value for values in series.values() for value in values]
    axis = _Axis(ticks(min(all_values), max(all_values)))
    xs = [axis.left + (k + 0.5) * (WIDTH - axis.left - _RIGHT) / len(points) for k in range(len(points))]
    height = HEIGHT + _LINE * (max(map(len, points)) - 2)
    curves = Markup("")
    for number, values in enumerate(series.values()):
        curves += _line([(x, axis.y(value)) for x, value in zip(xs, values, strict=True)], number)
    summary = f"{title}: " + "; ".join(
        f"{name} " + ", ".join(f"{value:,.2f}" for value in values) for name, values in series.items()
    )
    labels = _x_labels(list(zip(xs, points, strict=True))) + Markup(_MIDDLE).format(WIDTH / 2, height - 4, x_title)
    return _frame(summary, axis.drawn("") + labels + curves, height)


def legend(names: Sequence[str]) -> Markup:
    """Draw the names of series with their line and mark."""
    entries = [
        Markup('<li><svg width="34" height="12" aria-hidden="true">{}</svg> <bdi>{}</bdi></li>').format(
            _line([(3, 6), (31, 6)], number), name
        )
        for number, name in enumerate(names)
    ]
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(entries))


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _line(points: Sequence[tuple[float, float]], number: int) -> Markup:
    """Draw the line of the series of this number, with its marks."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = _DASHES[(number + number // len(COLOURS)) % len(_DASHES)]  # shifted in each round of the colours
    line = Markup('<polyline points="{}" fill="none" stroke="{}" stroke-width="2" stroke-dasharray="{}"/>').format(
        path, _colour(number), dashes
    )
    corners = list(_MARKS.values())[number % len(_MARKS)]
    marks = (" ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners) for x, y in points)
    polygon = Markup('<polygon points="{}" fill="{}"/>')
    return line + Markup("").join(polygon.format(mark, _colour(number)) for mark in marks)


@dataclass(frozen=True, slots=True)
class _Axis:
    """The vertical axis: from the first of its ticks to the last."""

    ticks: Sequence[float]

    @property
    def labels(self) -> list[str]:
        """The ticks with as many decimals as the steps have, and a real minus sign."""
        decimals = max(0, -floor(log10(self.ticks[1] - self.ticks[0]) + 1e-9))
        return [f"{tick:,.{decimals}f}".replace("-", "\u2212") for tick in self.ticks]

    @property
    def left(self) -> float:
        """The left edge of the chart, right of the longest label."""
        return 8 + _CHARACTER * max(map(len, self.labels))

    def y(self, value: float) -> float:
        """Return the distance of a value from the top."""
        low, high = self.ticks[0], self.ticks[-1]
        return float(_TOP + (1 - (value - low) / (high - low)) * (HEIGHT - _TOP - _BOTTOM))

    def drawn(self, title: str) -> Markup:
        """Draw grid lines with their values, and the axis' title above them."""
        drawing = Markup('<text x="0" y="10">{}</text>').format(title) if title else Markup("")
        for tick, label in zip(self.ticks, self.labels, strict=True):
            drawing += Markup('<line class="grid" x1="{:.1f}" x2="{}" y1="{y:.1f}" y2="{y:.1f}"/>').format(
                self.left, WIDTH - _RIGHT, y=self.y(tick)
            )
            drawing += Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>').format(
                self.left - 5, self.y(tick) + 4, label
            )
        return drawing


def _x_labels(labels: Sequence[tuple[float, Sequence[str]]]) -> Markup:
    """Write labels of one or more lines each under the axis, at these distances from the left."""
    text = Markup(_MIDDLE)
    return Markup("").join(
        text.format(x, HEIGHT - _BOTTOM + 14 + _LINE * k, part) for x, parts in labels for k, part in enumerate(parts)
    )


def _frame(summary: str, body: Markup, height: int) -> Markup:
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, height, summary, body
    )
