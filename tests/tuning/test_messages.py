"""Log messages of a run: what it is about to do, what it finds odd in its data, and what came of its weights."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sbmt.metrics import get_metric
from sbmt.model import Model
from sbmt.tuning.messages import moves
from sbmt.tuning.run import resume_run
from sbmt.tuning.workers import Workers
from tests.tuning.runs import Data, records, tune


def test_raw_text_is_remarked_on(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source, references = tuning_set
    source.write_text(source.read_text().replace(" .", ".").capitalize())
    references[0].write_text(references[0].read_text().capitalize())
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    said = [message.split(", unlike")[0] for message in caplog.messages if "with sbmt-text" in message]
    assert said == [f"{source} has punctuation glued to words"]


@pytest.mark.parametrize("protects", [True, False])
def test_text_without_capitals_is_remarked_on_where_names_are_protected(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, protects: bool
) -> None:
    source, _ = tuning_set
    with (tuning_bundle / "model.yaml").open("a") as stream:
        stream.write(f"text: {{protect: {{names: {protects}}}}}\n")
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    said = f"{source} has hardly any capitals, by which the model knows the names that it protects: tune on cased text"
    assert [message for message in caplog.messages if "capitals" in message] == [said] * protects
    caplog.clear()
    source.write_text(source.read_text().title())
    tune(tuning_bundle, tuning_set, tmp_path / "cased", iterations=1)
    assert "capitals" not in caplog.text


def test_a_run_says_which_weights_are_the_result(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    model = tune(tuning_bundle, tuning_set, tmp_path / "run")
    done = records(tmp_path / "run")
    assert model.config.tuned["gain"] >= max(record["held_out"] for record in done)
    said = f"; {100 * model.config.tuned['gain']:.2f} on the held-out part, none did better"
    before = [record["weights"] for record in done]
    same = [i for i, weights in enumerate(before) if weights == {n: model.config.weights[n] for n in weights}]
    after = {name: model.config.weights[name] for name in before[0]} == done[-1]["next"]
    chosen = (
        f"the weights that iteration {same[0] + 1} decoded with" if same else "the weights after iteration 3" * after
    )
    assert f"the result: {model.config.tuned['chosen']}" in caplog.messages
    assert model.config.tuned["chosen"].startswith(chosen)
    assert model.config.tuned["chosen"].endswith(said)
    model = tune(tuning_bundle, tuning_set, tmp_path / "other", held_out=0, iterations=1)
    assert "the result: the weights fitted in iteration 1, the last (nothing is held out)" in caplog.messages
    fitted = records(tmp_path / "other")[0]["fitted"]
    assert {name: model.config.weights[name] for name in fitted} == fitted


@pytest.mark.parametrize(
    ("changes", "said"),
    [({}, "start weights, unchanged;"), ({"fixed": {"WordPenalty": -0.1}}, "but for what is fixed, bounded or switch")],
)
def test_start_weights_that_stay_the_best_are_named_as_the_result(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture, changes: Any, said: str
) -> None:
    """Next weights that are the present ones bring no gain on the held-out part."""
    caplog.set_level(logging.INFO)
    model = tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1, interpolation=0, **changes)
    assert {name: value for name, value in model.config.weights.items() if value} == {
        name: value for name, value in Model.load(tuning_bundle).config.weights.items() if value
    }
    assert said in caplog.text
    assert "the result: the start weights" in caplog.text
    assert "weights that have moved" not in caplog.text
    caplog.clear()
    tune(tuning_bundle, tuning_set, tmp_path / "other", held_out=0)
    assert not any("start weights" in message for message in caplog.messages)


def test_figures_between_0_and_1_are_shown_with_four_decimals(
    tuning_bundle: Path,
    tuning_set: Data,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "share.py").write_text(
        "def of(source, output, references):\n"
        "    return sum(word in references[0].split() for word in output.split()) / len(output.split())\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    caplog.set_level(logging.INFO)
    tune(tuning_bundle, tuning_set, tmp_path / "run", metric="share:of", iterations=1)
    record = records(tmp_path / "run")[0]
    shown = f"iteration 1: {record['decoded']:.4f}, held out {record['held_out']:.4f}, pool {record['pool']:.4f}, "
    assert any(message.startswith(shown) for message in caplog.messages)


def test_a_run_that_has_had_its_iterations_explains_nothing(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    resume_run(tmp_path / "run", iterations=2)
    resume_run(tmp_path / "run")
    assert len(records(tmp_path / "run")) == 2
    assert "no iteration after" not in caplog.text


def test_a_run_says_what_it_is_about_to_do(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1, fixed={"lm_0": 0.5}, **{"pro.normalise": "lm_0"})
    said = [m for m in caplog.messages if "tuning" in m or "normalise" in m or "parsing" in m]
    assert said == [
        "parsing 8 sentences",
        f"tuning 4 weights for {get_metric('sari,tok=none,case=lc').signature()} by pro: 6 sentences, 2 held out",
        "pro.normalise (lm_0) has no effect beside weights that are fixed or bounded",
    ]
    assert "WordPenalty" in Model.load(tmp_path / "run").config.weights


def test_weights_that_move_are_named(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Those that a range moves at the start, and those that are others in the end."""
    caplog.set_level(logging.INFO)
    changes: Any = {"iterations": 1, "held_out": 0, "min_new": 0.0, "fixed": {"lm_0": 0.5}}
    model = tune(
        tuning_bundle, tuning_set, tmp_path / "run", **changes, ranges={"WordPenalty": [0, 1], "Changes": [-1, None]}
    )
    assert "start weights outside their ranges are moved into them: WordPenalty -0.1 -> 0" in caplog.messages
    moved = f"WordPenalty -0.1 -> {model.config.weights['WordPenalty']:.4g}"
    (said,) = (message for message in caplog.messages if message.startswith("weights that have moved, those that matt"))
    assert moved in said
    assert "lm_0 0.1 -> 0.5" in said
    caplog.clear()
    resume_run(tmp_path / "run", Workers(), 2)
    assert "moved into them" not in caplog.text


def test_weights_that_no_sentence_shows_are_named(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model = Model.load(tuning_bundle)
    model.replace(weights={**model.config.weights, "WordPenatly": 2.0, "Unused": 0.0}).save(tuning_bundle)
    tuned = tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    assert "weights for features that no sentence shows stay as they are: WordPenatly" in caplog.messages
    assert tuned.config.weights["WordPenatly"] == 2


def test_only_the_largest_moves_are_named() -> None:
    names, before = [f"w{i}" for i in range(14)], np.zeros(14)
    after, effect = np.array([0.0, *range(1, 14)]), np.ones(14)
    effect[1] = 100
    said = "w1 0 -> 1, w13 0 -> 13, w12 0 -> 12, w11 0 -> 11, w10 0 -> 10, w9 0 -> 9, w8 0 -> 8, w7 0 -> 7, "
    assert moves(names, before, after, effect) == said + "w6 0 -> 6, w5 0 -> 5 and 3 more"


def test_bounds_are_named_where_the_start_weights_stay(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One weight is on its only bound, one near the upper of two, one between, the fourth fixed."""
    caplog.set_level(logging.INFO)
    ranges: Any = {"Changes": [-0.5, None], "WordPenalty": [-0.2, -0.09], "p(e|f)": [-2, 0]}
    changes: Any = {"iterations": 1, "held_out": 0.25, "ranges": ranges, "fixed": {"lm_0": 0.1}}
    tune(tuning_bundle, tuning_set, tmp_path / "run", interpolation=0, **changes)
    (said,) = (message for message in caplog.messages if "of a bound" in message or "on a bound" in message)
    assert said.startswith(
        "2 of 4 free weights are on a bound or within a tenth of their range of one (Changes -0.5 in -0.5:inf, "
        "WordPenalty -0.1 in -0.2:-0.09): wider ranges (--range) or the preset default let them go further; rules of"
    )


def test_what_makes_a_result_doubtful_is_told(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "one", iterations=1)
    assert "2 sentences are held out, too few to tell iterations apart" in caplog.text
    assert "is negative" not in caplog.text
    caplog.clear()
    tune(tuning_bundle, tuning_set, tmp_path / "none", iterations=1, held_out=0.05)
    assert [message for message in caplog.messages if message.startswith("nothing is held out")] == [
        "nothing is held out of 8 sentences, so the weights fitted last are taken: tune on more, or raise held_out "
        "(--held-out, now 0.05)"
    ]
    caplog.clear()
    tune(tuning_bundle, tuning_set, tmp_path / "single", iterations=1, held_out=0.1)
    said = (
        "1 sentence is held out, too few to tell iterations apart: tune on more, raise held_out (--held-out, now 0.1), "
    )
    assert f"{said}or let 0 take the weights fitted last" in caplog.text
    caplog.clear()
    tune(tuning_bundle, tuning_set, tmp_path / "other", iterations=1, held_out=0.0, fixed={"lm_0": -0.25})
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [message for message in warnings if "held out" in message or "negative" in message] == [
        "the weight of lm_0 is negative (-0.25), so unlikely English is preferred: a range prevents that "
        "(--range lm_0=0:1, in Python ranges)"
    ]
