"""Parsing the sentences of a tuning set, and scoring their candidates."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path

import numpy as np
import pytest

from sbmt.decoder.forest import Forest
from sbmt.model import Model
from sbmt.text.pipeline import LONGEST
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.folds import Folds
from sbmt.tuning.run import start_run
from sbmt.tuning.workers import Workers
from tests.tuning.runs import Data, records, settings, tune


def test_the_numbers_of_a_line_that_is_cut_in_pieces_stay(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    """Whether they lie before or after the cut; the words where a piece has its number may be changed."""
    with (tuning_bundle / "grammar").open("a") as stream:
        stream.write("[X] ||| 1999 ||| then ||| p(e|f)=0.1 Shorter=0 ||| 0-0\n")
    few = ["1999", "individuals", *["it"] * (LONGEST - 20), ","]
    long = [*few, "commenced", *["it"] * 20, "in", "1999", "."]
    source, references = tuning_set
    for path, line in ((source, long), *((path, ["then", *long[1:]]) for path in references)):
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines, " ".join(line)]) + "\n")
    tune(tuning_bundle, tuning_set, tmp_path / "run", held_out=0, iterations=2)
    texts = RunFolder(tmp_path / "run").pool(len(records(tmp_path / "run"))).sentences[-1].texts
    assert {text.split().count("1999") for text in texts} == {2}
    assert {word for text in texts for word in text.split()} >= {"people", "began"}


@pytest.mark.parametrize("scaled", ["1e9 + {}", "{} * 2.0**150", "{} / 2.0**150"])
def test_the_scale_of_a_function_makes_no_difference(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: str
) -> None:
    """Single precision holds neither 1e9 + 1 nor 2 ** 150."""
    module = tmp_path.name  # another for each scale: Python, and a worker, load a module once
    head = "def {}(source, output, references):\n    return {}\n"
    length = "-len(output)"
    (tmp_path / f"{module}.py").write_text(head.format("plain", length) + head.format("scaled", scaled.format(length)))
    monkeypatch.syspath_prepend(tmp_path)
    tuned = [
        tune(
            tuning_bundle,
            tuning_set,
            tmp_path / name,
            metric=f"{module}:{name}",
            held_out=0,
            **{"pro.min_difference": 0},
        )
        for name in ("plain", "scaled")
    ]
    assert tuned[0].config.weights == tuned[1].config.weights
    assert tuned[0].config.weights["Shorter"] != 0
    plain, gain = (records(tmp_path / name)[0]["pool"] for name in ("plain", "scaled"))
    assert gain == pytest.approx(eval(scaled.format(plain)), rel=1e-12, abs=0)


def test_forests_of_an_earlier_run_are_forgotten(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    for name in ("first", "second"):
        tune(tuning_bundle, tuning_set, tmp_path / name, held_out=0, iterations=1)
    gc.collect()
    sentences = len(tuning_set[0].read_text().splitlines())
    assert sum(isinstance(thing, Forest) for thing in gc.get_objects()) <= sentences


def test_counts_take_little_memory(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", held_out=0, iterations=1)
    sentences = RunFolder(tmp_path / "run").pool(1).sentences
    assert {candidates.statistics.dtype for candidates in sentences} == {np.dtype(np.float32)}


def test_only_the_model_that_searches_needs_language_models(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    """Not those of the folds, with whose grammars sentences are parsed."""
    parsing = tmp_path / "parsing"
    shutil.copytree(tuning_bundle, parsing)
    text = (tuning_bundle / "model.yaml").read_text()
    (parsing / "model.yaml").write_text(text.replace("language_models: [{path: lm.arpa}]\n", ""))
    main, chosen, tuned = Model.load(tuning_bundle), settings(held_out=0, iterations=2), []
    for path in (tuning_bundle, parsing):
        folds = Folds((Model.load(path), Model.load(path)), (0, 1) * 4)
        tuned.append(start_run(tmp_path / f"run-{path.name}", main, *tuning_set, chosen, Workers(1), folds=folds))
    assert tuned[0].config.weights == tuned[1].config.weights
