"""`--resume` beside other options: one command that begins a run and goes on with it, and refuses another one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sbmt.cli.tune import main
from sbmt.model import Model
from sbmt.tuning.folder import RunFolder
from tests.tuning.runs import Data, records


@pytest.fixture
def command(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> list[str]:
    """All that a cross-fitted run may need, and --resume."""
    shutil.copytree(tuning_bundle, tmp_path / "other")
    (tmp_path / "other/grammar").write_text((tuning_bundle / "grammar").read_text().replace("bought", "got"))
    (tmp_path / "folds").write_text("0\n1\n" * 4)
    source, references = tuning_set
    texts = ["--source", str(source), "--references", *map(str, references)]
    folds = ["--folds", str(tmp_path / "folds"), "--fold-models", str(tuning_bundle), str(tmp_path / "other")]
    restricted = ["--range", "Changes=:0", "--without", "*orter", "--set", "nbest=4"]
    options = ["--iterations", "2", "--preset", "joshua", *restricted, "--resume"]
    return [*texts, "-m", str(tuning_bundle), *folds, *options, "--out", str(tmp_path / "run")]


def test_one_command_begins_a_run_and_goes_on_with_it(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = [*(option for option in command[:-1] if option != "--resume"), str(tmp_path / "whole")]
    assert main(whole) == 0
    with monkeypatch.context() as patched:
        patched.setattr("sbmt.tuning.iterations.report", interrupted)
        assert main(command) == 130
    assert main(command) == 0
    assert main(command) == 0
    assert Model.load(tmp_path / "run").config.weights == Model.load(tmp_path / "whole").config.weights
    assert len(records(tmp_path / "run")) == 2


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_copies_of_what_a_run_was_begun_with_are_the_same(command: list[str], tmp_path: Path) -> None:
    assert main(command) == 0
    copies = tmp_path / "copies"
    copies.mkdir()
    for name in ("model", "other"):
        shutil.copytree(tmp_path / name, copies / name)
    for name in ("tune.src", "tune.ref0", "tune.ref1", "folds"):
        shutil.copy(tmp_path / name, copies / name)
    run = str(tmp_path / "run")
    assert main([part if part == run else part.replace(str(tmp_path), str(copies)) for part in command]) == 0


def test_a_run_is_not_resumed_on_anything_else(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 0
    run, source, other = (str(tmp_path / name) for name in ("run", "tune.src", "other"))
    resume, references = ["--resume", run], [str(tmp_path / "tune.ref0"), str(tmp_path / "tune.ref1")]
    (tmp_path / "zeros").write_text("0\n" * 7 + "1\n")
    models = [str(tmp_path / "model"), other]
    for options, said in [
        (["--source", references[0]], f"source: {references[0]} is another text than the run's, {source}"),
        (
            ["--references", *references[::-1]],
            f"references: {references[1]} is another text than the run's, {references[0]}",
        ),
        (["--references", references[0]], f"references: no file is another text than the run's, {references[1]}"),
        (["-m", other], f"--resume: --model is {other}/grammar, and the run has {tmp_path}/model/grammar: leave it"),
        (
            ["--folds", str(tmp_path / "folds"), "--fold-models", *models[::-1]],
            f"--resume: --fold-models is {other}/grammar, and the run has {tmp_path}/model/grammar",
        ),
        (
            ["--folds", str(tmp_path / "zeros"), "--fold-models", *models],
            f"--resume: --folds ({tmp_path}/zeros) has other numbers than the run",
        ),
    ]:
        capsys.readouterr()
        assert main([*resume, *options]) == 2
        assert said in (told := capsys.readouterr().err)
        assert "start another run" in told


def test_settings_that_differ_are_laid_to_the_option_that_gave_them(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To a preset, where no other option did; a metric by another name is the same metric."""
    source, references = tuning_set
    texts = ["--source", str(source), "--references", *map(str, references), "-m", str(tuning_bundle)]
    run = str(tmp_path / "run")
    assert main([*texts, "--preset", "default", "--set", "min_new=0", "--iterations", "1", "--out", run]) == 0
    assert RunFolder(run).settings().metric == "sari"
    for same in (["--metric", "sari:easse"], ["--set", "metric=sari:easse,case=lc"]):
        assert main(["--resume", run, *same]) == 0
    for options, message in [
        (["--preset", "starter"], "min_new is 0.01, and the run has 0.0: leave --preset out, or start another run"),
        (["--preset", "starter", "--set", "min_new=0"], "nbest is 60, and the run has 100: leave --preset out"),
        (["--preset", "paper", "--metric", "bleu"], "metric is bleu, and the run has sari: leave --metric out"),
        (["--preset", "default", "--set", "min_new=1"], "min_new is 1.0, and the run has 0.0: leave --set out"),
        (["--set", "fixed={lm_0: 1}"], "fixed.lm_0 is 1.0, and the run has none: leave --set out"),
        (["--metric", "sari:star"], "metric is sari:star, and the run has sari: leave --metric out"),
        (["--metric", "none"], "unknown metric 'none'"),
    ]:
        capsys.readouterr()
        assert main(["--resume", run, *options]) == 2
        assert message in capsys.readouterr().err


def test_part_of_what_a_run_was_begun_with_leaves_the_rest(command: list[str], tmp_path: Path) -> None:
    """A pattern of a run's own does not free the weight that was fixed beside it, as it would one of a preset."""
    assert main([*command, "--fix", "Shorter=1"]) == 0
    assert main(["--resume", str(tmp_path / "run"), "--without", "*orter"]) == 0


def test_settings_of_iterations_make_a_run_longer(command: list[str], tmp_path: Path) -> None:
    assert main(command) == 0
    assert main(["--resume", str(tmp_path / "run"), "--set", "iterations=3"]) == 0
    assert len(records(tmp_path / "run")) == 3


@pytest.mark.parametrize("options", [[], ["-m", "starter"], ["--source", "text"]])
def test_a_run_is_begun_by_all_that_it_needs(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--resume", "-o", str(tmp_path / "run"), *options]) == 2
    said = f"{tmp_path}/run: holds no tuning run to resume: start one by --source and --references, in Python by s"
    assert said in capsys.readouterr().err


def test_a_folder_of_something_else_is_not_resumed(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/mine").touch()
    assert main(command) == 2
    assert "run: is not empty (it holds no run to resume: name another folder)" in capsys.readouterr().err


def test_a_run_is_resumed_in_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    assert main(["--resume", str(run), "--out", str(other)]) == 2
    message = f"--resume {run} goes on in that folder, not in --out {other}: leave --out out"
    assert message in capsys.readouterr().err
    assert main(["--resume", str(run), "--out", f"{run}/"]) == 2
    assert f"{run}: holds no tuning run to resume" in capsys.readouterr().err
