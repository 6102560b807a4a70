"""The model of your own in docs/tuning.md, made, tuned and used as the document says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sbmt.cli.tune import main
from sbmt.metrics import get_metric
from sbmt.model import Model
from sbmt.tuning.presets import load_preset
from tests.tuning.conftest import SENTENCES
from tests.tuning.runs import records

DOCUMENT = Path(__file__).parents[2] / "docs/tuning.md"


def block(kind: str, text: str) -> str:
    """The code block of a kind that holds a text."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    (matching,) = (code for code in blocks if text in code)
    return matching


def write_texts(folder: Path) -> None:
    columns = [[source for source, _ in SENTENCES], *zip(*(references for _, references in SENTENCES), strict=True)]
    for name, lines in zip(("tune.src", "tune.ref.0", "tune.ref.1"), columns, strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def run_commands(commands: str, folder: Path) -> str:
    """What commands write to standard output."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    shell = ["bash", "-e", "-c", commands]
    done = subprocess.run(shell, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_preset_of_your_own(tmp_path: Path) -> None:
    own = block("yaml", "extends")
    (tmp_path / "own.yaml").write_text(own, encoding="utf-8")
    settings = load_preset(str(tmp_path / "own.yaml"), {})
    assert settings.ranges["lm_0"] == (0.1, None)
    assert settings.fixed == {name: w for name, w in load_preset("starter", {}).fixed.items() if name != "lm_0"}
    assert (settings.metric, settings.iterations, settings.nbest) == ("sari:easse+0.1*bleu:easse", 10, 60)


@pytest.mark.slow
def test_the_cross_fitted_model_of_your_own(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/model.yaml").write_text(block("yaml", "format: 1"), encoding="utf-8")
    write_texts(tmp_path)
    (tmp_path / "corpus.tok").write_bytes((tmp_path / "tune.ref.0").read_bytes())
    run_commands(block("bash", "--folds 5"), tmp_path)
    tuned = Model.load(tmp_path / "RUN").config
    assert [grammar.path for grammar in tuned.grammars] == ["../model/rules.gz"]
    assert {"p(e|f)", "p(f|e)", "lm_0"} <= set(tuned.weights)
    (tmp_path / "RUN").rename(tmp_path / "RUN1")
    (tmp_path / "own.py").write_text(block("python", "start_run"))
    subprocess.run([sys.executable, "-P", "own.py"], cwd=tmp_path, check=True)
    (tmp_path / "RUN").rename(tmp_path / "RUN2")
    subprocess.run([sys.executable, "-P", "-c", block("python", "pyplot")], cwd=tmp_path, check=True)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_the_figure_of_an_iteration_can_be_had_again(
    tuning_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text that `sbmt-decode` writes is another: "a" and "an" are put right."""
    write_texts(tmp_path)
    monkeypatch.chdir(tmp_path)
    options = ["--iterations", "1", "--held-out", "0", "--metric", "sari:easse", "--fix", "Changes=2"]
    options += ["--source", "tune.src", "--references", "tune.ref.", "-m", str(tuning_bundle)]
    assert main([*options, "--out", "RUN"]) == 0
    subprocess.run([sys.executable, "-P", "-c", block("python", "ITERATION")], check=True)
    command = block("bash", "ITERATION").rstrip()
    figures = json.loads(run_commands(f"{command} --samples 0 --json", tmp_path))["words"]
    assert figures["sari:easse,tok=none,case=lc"]["score"] == 100 * records(tmp_path / "RUN")[0]["decoded"]
    text = run_commands("sbmt-decode -m ITERATION --tokenized tune.src", tmp_path)
    assert text.lower() != (tmp_path / "words").read_text()


def test_a_test_set_by_name_becomes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "corpora").mkdir()
    write_texts(tmp_path / "corpora")
    (tmp_path / "corpora/testsets.yaml").write_text("mine: {source: tune.src, references: [tune.ref.0, tune.ref.1]}\n")
    monkeypatch.chdir(tmp_path)
    exec(block("python", "load_test_set").replace("turkcorpus-truecased/tune", "mine"), {})
    for name in ("src", "ref.0", "ref.1"):
        assert (tmp_path / f"raw.{name}").read_text() == (tmp_path / f"corpora/tune.{name}").read_text()


def test_the_metric_of_your_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(block("python", "def common"))
    monkeypatch.syspath_prepend(tmp_path)
    common = get_metric("mine:common,tok=none,case=lc")
    assert common.count_outputs(["a"], [["a"]], ["The cat commenced sleeping ."])[0, 0] == 75
