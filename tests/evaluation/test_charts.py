"""Axes and lines of the report's charts."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from sbmt.evaluation.report import charts


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 100, [0, 50, 100]),
        (36.9, 41.9, [36, 38, 40, 42]),
        (97.2, 100, [97, 98, 99, 100]),  # never beyond the scale's end
        (-3.2, 12, [-5, 0, 5, 10, 15]),
        (1480, 2960, [1000, 1500, 2000, 2500, 3000]),
        (0.52, 0.55, [0.52, 0.53, 0.54, 0.55]),
        (0.1, 0.4, [0.1, 0.2, 0.3, 0.4]),  # 3 x 0.1 is 0.30000000000000004
        (100, 100, [0, 50, 100]),
        (99.99999999999997, 100, [0, 50, 100]),  # differ by rounding alone
        (-5, -5, [-6, -4, -2, 0]),
        (100, 100.000001, [100, 100.0000005, 100.000001]),  # by more
        (0, 0, [0, 0.5, 1]),
        (0, 1e-12, [0, 5e-13, 1e-12]),
        (0, 1e-320, [0, 0.5, 1]),  # too small to be told on an axis
    ],
)
def test_ticks_are_round_and_enclose_the_values(low: float, high: float, expected: list[float]) -> None:
    assert charts.ticks(low, high) == expected


def test_lines_of_values_that_differ_by_rounding_alone_are_drawn() -> None:
    """0.1 + 0.1 + 0.1 is 0.30000000000000004, so that a mean of equal values is not always one of them."""
    chart = charts.lines([("a",), ("b",)], {"A": [0.1, (0.1 + 0.1 + 0.1) / 3]}, "a constant", "")
    assert re.findall(r'text-anchor="end">([^<]+)<', chart) == ["0.00", "0.05", "0.10"]


def test_counts_have_whole_ticks() -> None:
    assert charts.ticks(0, 1, least=1) == [0, 1]
    [(_, chart)] = charts.histograms({"A": np.array([0.1])}, np.linspace(0, 1, 3), "ratio")
    assert re.findall(r'text-anchor="end">([^<]+)<', chart) == ["0", "1"]


def test_labels_are_whole_numbers_with_their_thousands_left_of_the_chart() -> None:
    chart = charts.lines([("7", "n = 4"), ("8–9", "n = 2")], {"A": [1480.2, 12960.0]}, "length", "tokens")
    assert re.findall(r'text-anchor="end">([^<]+)<', chart) == ["0", "5,000", "10,000", "15,000"]
    labels = [(float(x), text) for x, text in re.findall(r'<text x="([\d.]+)"[^>]*end">([^<]+)<', chart)]
    assert all(x - 6 * len(text) >= 0 for x, text in labels)  # of a figure's width in the page's type
    assert re.findall(r'text-anchor="middle">([^<]+)<', chart) == ["7", "n = 4", "8–9", "n = 2", "tokens"]
    assert "1,480.20, 12,960.00" in chart  # what a screen reader says


def test_thirty_lines_differ() -> None:
    legend = charts.legend([f"system {k}" for k in range(30)])
    looks = re.findall(
        r'stroke="([^"]+)" stroke-width="2" stroke-dasharray="([^"]*)"/><polygon points="([^"]+)"', legend
    )
    assert len(set(looks)) == 30
    again = {(colour, dashes) for colour, dashes, _ in looks[:12]}
    assert len(again) == 12  # the seventh has the first's colour, but another line


def test_bars_stand_side_by_side_and_reach_the_grid_line_of_their_count() -> None:
    """Of every series, as all have one scale."""
    series = {"A": np.array([0.1, 0.2, 0.3, 0.4, 2.1, 2.5]), "B": np.array([1.5] * 8)}
    drawn = charts.histograms(series, np.array([0.0, 1.0, 2.0, 3.0]), "ratio")
    for (_, chart), counts in zip(drawn, ((4, 0, 2), (0, 8, 0)), strict=True):
        lines = re.findall(r'x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)"[^>]*/>[^>]*>(\d+)<', chart)
        grid = {int(count): float(y) for _, _, y, count in lines}
        left, right = map(float, lines[0][:2])
        bars = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', chart)
        for k, (bar, count) in enumerate(zip(bars, counts, strict=True)):
            x, y, width, height = map(float, bar)
            assert (y, y + height) == pytest.approx((grid[count], grid[0]), abs=0.11)
            assert (x, x + width + 1) == pytest.approx([left + (right - left) * n / 3 for n in (k, k + 1)], abs=0.11)
        labels = re.findall(r'<text x="([\d.]+)" y="\d+" text-anchor="middle">([^<]+)<', chart)
        edges = {label: float(x) for x, label in labels}
        assert edges == pytest.approx({"0": left, "1": left + (right - left) / 3, "3": right}, abs=0.11)


def test_values_beyond_the_edges_are_said_to_be_there() -> None:
    [(_, chart)] = charts.histograms({"A": np.array([0.1, 0.6, 3.0])}, np.linspace(0, 1, 3), "ratio")
    assert re.findall(r"<title>([^<]+)<", chart) == ["0 to 0.5: 1", "0.5 and more: 2"]
    assert ">1+<" in chart


@pytest.mark.parametrize(
    ("edges", "labels", "first"),
    [
        (np.linspace(0, 40_000, 21), ["0", "20,000", "40,000"], "0 to 2,000"),
        (np.linspace(-0.3, 0.3, 7), ["\u22120.3", "0", "0.3"], "\u22120.3 to \u22120.2"),  # -0.3 + 3 x 0.1 is not 0
        (np.linspace(0, 1.25, 21), ["0", "0.625", "1.25"], "0 to 0.0625"),
    ],
)
def test_edges_are_written_as_people_write_numbers(edges: np.ndarray, labels: list[str], first: str) -> None:
    [(_, chart)] = charts.histograms({"A": edges[:2]}, edges, "score")
    assert re.findall(r'text-anchor="middle">([^<]+)<', chart) == labels
    titles = re.findall(r"<title>([^<]+): \d<", chart)
    assert titles[0] == first
    assert not any("e" in title or "\u22120 " in title for title in titles)


def test_labels_of_three_lines_stand_above_the_title_in_a_higher_chart() -> None:
    heights = []
    for labels in (("7", "n = 4"), ("527–", "1780", "n = 4")):
        chart = charts.lines([labels], {"A": [1.0]}, "length", "tokens")
        *lines, title = [float(y) for y in re.findall(r'y="(\d+)" text-anchor="middle"', chart)]
        heights.append(float(re.findall(r'viewBox="0 0 \d+ (\d+)"', chart)[0]))
        assert all(following - line >= 11 for line, following in pairwise([*lines, title]))  # the size of the type
        assert title < heights[-1]
    assert heights[0] < heights[1]
