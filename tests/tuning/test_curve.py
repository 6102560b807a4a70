"""The learning curve: what its lines are of, in the metric's own figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from sbmt.metrics import get_metric
from sbmt.tuning.curve import draw_curve, sparkline
from sbmt.tuning.folder import Record
from sbmt.tuning.objective import Objective
from tests.tuning.runs import Data, tune


@pytest.mark.parametrize(
    ("values", "shown"), [([0.1, 0.2, 0.13], "▁█▃"), ([40, 33, 35], "█▁▃"), ([0.5, 0.5], "▁▁"), ([-1], "▁")]
)
def test_sparks_reach_from_the_lowest_to_the_highest(values: list[float], shown: str) -> None:
    assert sparkline(values) == shown


@pytest.mark.parametrize("held_out", [None, 0.25])
@pytest.mark.parametrize(("metric", "unit"), [("sari", 100), ("fk:easse", -1)])
def test_lines_of_a_curve(
    metric: str, unit: float, held_out: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of SARI per cent; of a grade level, of which less is better, the level itself."""
    drawn: list[Figure] = []
    save = Figure.savefig

    def saved(figure: Figure, *arguments: object, **options: object) -> None:
        drawn.append(figure)
        save(figure, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", saved)
    done = [Record(i, {}, {}, {}, 0.1 * i, held_out, 0.5, 0, (0.0, 0.0)) for i in (1, 2, 3)]
    draw_curve(done, Objective(get_metric(metric)), tmp_path / "curve.png")
    (axes,) = drawn[0].axes
    lines = {str(line.get_label()): line.get_xydata().tolist() for line in axes.lines}
    heights = {"1-best, tuned part": [0.1, 0.2, 0.3], "fitted weights, pool": [0.5] * 3}
    heights |= {} if held_out is None else {"1-best, held out": [held_out] * 3}
    assert lines.keys() == heights.keys()
    for label, gains in heights.items():
        assert lines[label] == [[i, pytest.approx(unit * gain)] for i, gain in enumerate(gains, 1)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("iteration", metric.partition(":")[0])
    assert axes.get_legend() is not None


def test_a_run_draws_its_curve(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sbmt.tuning.iterations.draw_curve", draw_curve)
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    assert (tmp_path / "run" / "curve.png").read_bytes().startswith(b"\x89PNG")
