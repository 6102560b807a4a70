"""The tuning loop end to end on a small model: it learns, resumes bit for bit, and complains clearly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ThreadingBackend

from sbmt.cli.tune import main
from sbmt.decoder.result import Result
from sbmt.errors import SbmtError
from sbmt.model import Model
from sbmt.tuning.cluster import backend_context
from sbmt.tuning.loop import Folds, Workers, resume_run, start_run
from sbmt.tuning.mert import Mert
from sbmt.tuning.pool import Pool
from sbmt.tuning.presets import load_preset, preset_names
from sbmt.tuning.pro import Pro
from sbmt.tuning.run import Record, RunFolder
from sbmt.tuning.settings import TuneSettings

Data = tuple[Path, list[Path]]


def settings(**changes: Any) -> TuneSettings:
    return load_preset("default", {"iterations": 4, "nbest": 20, "held_out": 0.25, **changes})


def tune(bundle: Path, data: Data, out: Path, jobs: int = 1, **changes: Any) -> Model:
    return start_run(out, Model.load(bundle), *data, settings(**changes), Workers(jobs))


def records(run: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((run / "iterations").glob("*.json"))]


@pytest.mark.parametrize("tuner", ["pro", "mira", "mert"])
def test_tuning_raises_the_metric(bundle: Path, tuning_set: Data, tmp_path: Path, tuner: str) -> None:
    model = tune(bundle, tuning_set, tmp_path / "run", tuner=tuner, held_out=0)
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"] + 0.05
    words = "the individuals purchased the enormous residence .".split()
    output = model.translator().translate(words)[0].words
    assert set(output) & {"people", "bought", "big", "home", "house"}
    assert Model.load(tmp_path / "run").config.weights == model.config.weights
    assert (tmp_path / "run" / "curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_a_run_ends_when_little_is_new(bundle: Path, tuning_set: Data, tmp_path: Path, share: float) -> None:
    tune(bundle, tuning_set, tmp_path / "run", iterations=8, held_out=0, min_new=share)
    possible = 20 * len(tuning_set[0].read_text().splitlines())
    few = [record["new_candidates"] <= share * possible for record in records(tmp_path / "run")]
    assert few == [False] * (len(few) - 1) + [True]


def test_a_backend_may_give_all_results_at_the_end() -> None:
    class Late(ThreadingBackend):
        """What ray's backend is like in this respect."""

        supports_return_generator = False

    register_parallel_backend("late", Late)
    workers = Workers(2, partial(parallel_config, backend="late"))
    assert list(workers.map(pow, [(2, n) for n in range(9)], "powers")) == [2**n for n in range(9)]


def test_each_output_is_scored_once(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "scored"
    (tmp_path / "logmetric.py").write_text(
        "def log(source, output, references):\n"
        f"    with open({str(log)!r}, 'a') as stream:\n"
        "        print(source, output, sep='\\t', file=stream)\n"
        "    return float(len(set(output.split()) & set(references[0].split())))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tune(bundle, tuning_set, tmp_path / "run", metric="logmetric:log", held_out=0, min_new=0.0)
    scored = log.read_text().splitlines()
    new = sum(record["new_candidates"] for record in records(tmp_path / "run"))
    assert len(scored) == len(set(scored)) == new


def test_interrupted_runs_end_the_same(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tune(bundle, tuning_set, tmp_path / "whole")
    fit, calls = Pro.fit, []

    def interrupted(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) in (1, 3):
            raise KeyboardInterrupt
        return fit(*arguments)

    monkeypatch.setattr(Pro, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tune(bundle, tuning_set, tmp_path / "cut")
    with pytest.raises(KeyboardInterrupt):
        resume_run(tmp_path / "cut", Workers())
    resumed = resume_run(tmp_path / "cut", Workers())
    assert resumed.config.weights == whole.config.weights
    times = {"seconds": None}
    assert [record | times for record in records(tmp_path / "cut")] == [
        record | times for record in records(tmp_path / "whole")
    ]


@pytest.mark.parametrize("failing", ["iterations/02.json", "pool-02.pickle"])
def test_a_run_that_cannot_write_an_iteration_ends_the_same(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    whole = tune(bundle, tuning_set, tmp_path / "whole")
    with monkeypatch.context() as patched:
        replace = os.replace

        def full_disk(temporary: Path, target: Path) -> None:
            if target == tmp_path / "cut" / failing:
                raise OSError(28, "No space left on device")
            replace(temporary, target)

        patched.setattr(os, "replace", full_disk)
        with pytest.raises(SbmtError, match="cut: the disk is full; --resume goes on once there is room"):
            tune(bundle, tuning_set, tmp_path / "cut")
    assert len(records(tmp_path / "cut")) == 1
    assert resume_run(tmp_path / "cut", Workers()).config.weights == whole.config.weights


class Killed(BaseException):
    """Nothing in the code catches it, as nothing catches a signal."""


class LostWorker(ThreadingBackend):
    """A backend whose second worker is killed."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise BrokenProcessPool("A worker process managed by the executor was unexpectedly terminated.")

    apply_async = submit


@pytest.mark.parametrize("name", ["inputs.json", "start/model.yaml", "settings.yaml"])
def test_a_run_killed_while_its_folder_is_made_begins_anew(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    whole = tune(bundle, tuning_set, tmp_path / "whole")
    run, replace = tmp_path / "run", os.replace

    def dying(temporary: Path, target: Path) -> None:
        if target == run / name:
            raise Killed
        replace(temporary, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", dying)
        with pytest.raises(Killed):
            tune(bundle, tuning_set, run)
    with pytest.raises(SbmtError, match="run: was interrupted while the run was being made: start it again"):
        resume_run(run, Workers())
    assert tune(bundle, tuning_set, run).config.weights == whole.config.weights


def test_a_folder_that_cannot_be_filled_is_not_left_behind(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(temporary: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(SbmtError, match="run: cannot be written: No space left on device"):
        tune(bundle, tuning_set, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fixed": {"Odd": 1.0}}, "no feature is called 'Odd'"),
        ({"ranges": {"Odd": [0, 1]}}, "no feature is called 'Odd'"),
        ({"without": ["Odd*"]}, r"no feature matches 'Odd\*'"),
    ],
)
def test_a_start_that_fails_leaves_nothing_behind(
    bundle: Path, tuning_set: Data, tmp_path: Path, changes: Any, message: str
) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there", "new"):
        with pytest.raises(SbmtError, match=message):
            tune(bundle, tuning_set, tmp_path / name, **changes)
    assert not list((tmp_path / "there").iterdir())
    assert not (tmp_path / "new").exists()


def test_a_folder_of_other_files_is_left_alone(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (tmp_path / "mine" / "forests").mkdir(parents=True)
    for _ in range(2):
        with pytest.raises(SbmtError, match="mine: is not empty"):
            tune(bundle, tuning_set, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["forests"]


def test_a_run_that_is_alive_is_not_resumed(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """The other process goes on with its half-written files, and its end frees the run."""
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    half = tmp_path / "run" / ".pool-02.pickle.k3x_a9b2"
    half.write_text("half")
    program = "import sys\nfrom sbmt.tuning.run import RunFolder\nwith RunFolder(sys.argv[1]).held():\n"
    program += "    print('held', flush=True)\n    sys.stdin.read()\n"
    command = [sys.executable, "-P", "-c", program, str(tmp_path / "run")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(SbmtError, match="run: another process is working on this run; wait until it ends, or stop"):
            resume_run(tmp_path / "run", Workers())
        assert half.exists()
        other.kill()
    resume_run(tmp_path / "run", Workers())
    assert not half.exists()


def test_a_run_that_lost_a_worker_goes_on(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    register_parallel_backend("lost", LostWorker)
    run = tmp_path / "run"
    workers = Workers(2, partial(parallel_config, backend="lost"))
    with pytest.raises(SbmtError, match="run: a worker process was killed, perhaps for want of memory; go on with --r"):
        start_run(run, Model.load(bundle), *tuning_set, settings(), workers)
    expected = tune(bundle, tuning_set, tmp_path / "whole").config.weights
    assert resume_run(run, Workers()).config.weights == expected


def test_loky_says_as_much_of_a_killed_worker() -> None:
    with pytest.raises(BrokenProcessPool):
        list(Workers(2).map(os._exit, [(9,), (9,)], "deaths"))


def test_what_is_stored_is_on_the_disk_before_the_old_pool_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of system calls that a power failure cannot turn into a run without a pool."""
    run, done = RunFolder(tmp_path), []
    sync, replace, unlink = os.fsync, os.replace, Path.unlink

    def name(path: Any) -> str:
        return str(Path(os.path.realpath(path)).relative_to(tmp_path)).split(".pickle")[0].split(".json")[0]

    def synced(handle: int) -> None:
        done.append(f"sync {name(os.readlink(f'/proc/self/fd/{handle}'))}")
        sync(handle)

    def replaced(temporary: Path, target: Path) -> None:
        done.append(f"name {name(target)}")
        replace(temporary, target)

    def unlinked(path: Path, missing_ok: bool = False) -> None:
        if path.exists():
            done.append(f"remove {name(path)}")
        unlink(path, missing_ok)

    run.write(Record(1, {}, {}, {}, 0.0, None, 0.0, 0, (0.0, 0.0)), Pool(1))
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(Path, "unlink", unlinked)
    run.write(Record(2, {}, {}, {}, 0.0, None, 0.0, 0, (0.0, 0.0)), Pool(1))
    assert done == [
        "sync .pool-02",
        "name pool-02",
        "sync .",
        "sync iterations/.02",
        "name iterations/02",
        "sync iterations",
        "remove pool-01",
    ]


def test_texts_must_be_files(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SbmtError, match="pipe: is no file, so it cannot be read again when the run is resumed"):
        tune(bundle, (tmp_path / "pipe", tuning_set[1]), tmp_path / "run")


def test_a_finished_run_resumes_to_itself(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    model = tune(bundle, tuning_set, tmp_path / "run")
    before = records(tmp_path / "run")
    assert resume_run(tmp_path / "run", Workers()).config == model.config
    assert records(tmp_path / "run") == before


@pytest.mark.slow
def test_jobs_make_no_difference(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    one, two = (tune(bundle, tuning_set, tmp_path / f"run{jobs}", jobs) for jobs in (1, 2))
    assert one.config.weights == two.config.weights


def test_restrictions_reach_the_tuner(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    model = tune(
        bundle,
        tuning_set,
        tmp_path / "run",
        fixed={"WordPenalty": -0.25},
        ranges={"Changes": [-0.4, 0.0]},
        without=["Short*"],
    )
    weights = model.config.weights
    assert weights["WordPenalty"] == -0.25
    assert -0.4 <= weights["Changes"] <= 0
    assert weights["Shorter"] == 0


def test_runs_that_cannot_be_resumed(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="holds no tuning run to resume"):
        resume_run(tmp_path, Workers())
    tune(bundle, tuning_set, tmp_path / "run")
    with pytest.raises(SbmtError, match="run: is not empty"):
        tune(bundle, tuning_set, tmp_path / "run")
    source = tuning_set[0]
    source.write_text(source.read_text().replace("enormous", "vast"))
    with pytest.raises(SbmtError, match=r"tune\.src: has changed since the run"):
        resume_run(tmp_path / "run", Workers())


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ("inputs.json", "is damaged or of another version, so the run cannot be resumed"),
        ("iterations/02.json", "is damaged or of another version, so the run cannot be resumed"),
        ("pool-02.pickle", "is damaged or of another version, so the run cannot be resumed"),
        ("forests/0-0.pickle", "is damaged: delete it, and it is made again"),
    ],
)
def test_damaged_files_are_named(bundle: Path, tuning_set: Data, tmp_path: Path, damaged: str, message: str) -> None:
    tune(bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, min_new=0.0)
    content = (tmp_path / "run" / damaged).read_bytes()
    (tmp_path / "run" / damaged).write_bytes(content[: len(content) // 2])
    with pytest.raises(SbmtError, match=f"{damaged}: {message}"):
        resume_run(tmp_path / "run", Workers())


def test_a_folder_may_be_used_again(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    source, references = tuning_set
    tune(bundle, tuning_set, tmp_path / "run", iterations=2)
    shutil.rmtree(tmp_path / "run")
    for path in (source, *references):
        path.write_text("".join(path.read_text().splitlines(keepends=True)[::2]))
    again, fresh = (tune(bundle, tuning_set, tmp_path / name, iterations=2) for name in ("run", "fresh"))
    assert again.config.weights == fresh.config.weights


def test_a_missing_record_is_noticed(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, min_new=0.0)
    (tmp_path / "run" / "iterations" / "01.json").unlink()
    with pytest.raises(SbmtError, match="iterations: a record is missing"):
        resume_run(tmp_path / "run", Workers())


def test_records_are_in_order_beyond_the_99th(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    for iteration in range(1, 102):
        run.write(Record(iteration, {}, {}, {}, 0.0, None, 0.0, 0, (0.0, 0.0)), Pool(1))
    assert [record.iteration for record in run.records()] == list(range(1, 102))


def test_what_a_killed_process_left_half_written_is_removed(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    before = sorted((tmp_path / "run").rglob("*"))
    for name in (".pool-02.pickle.k3x_a9b2", "iterations/.02.json.abcdefgh", ".curve.png.12345678"):
        (tmp_path / "run" / name).write_text("half")
    own = [tmp_path / "run" / name for name in (".mine", ".notes.json.mybackup", ".model.yaml.swp")]
    for path in own:
        path.write_text("kept")
    resume_run(tmp_path / "run", Workers())
    assert sorted((tmp_path / "run").rglob("*")) == sorted([*before, *own])


def test_a_language_model_that_has_changed(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(bundle, tuning_set, tmp_path / "run", iterations=1)
    model = bundle / "lm.arpa"
    model.write_text(model.read_text().replace("-2\t<unk>", "-3\t<unk>"))
    with pytest.raises(SbmtError, match=r"lm\.arpa: has changed since the run"):
        resume_run(tmp_path / "run", Workers())


@pytest.mark.parametrize(("tuner", "full"), [("pro", 1), ("pro", 100), ("mert", 1), ("mira", 100)])
def test_tuning_for_a_function_of_ones_own(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tuner: str, full: int
) -> None:
    """Whether its best is 1 or 100."""
    (tmp_path / f"ownmetric{full}.py").write_text(
        "def overlap(source, output, references):\n"
        "    output = set(output.split())\n"
        "    alike = [len(output & set(r.split())) / len(output | set(r.split())) for r in references]\n"
        f"    return {full} * max(alike)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    tune(bundle, tuning_set, tmp_path / "run", tuner=tuner, held_out=0, metric=f"ownmetric{full}:overlap")
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"] + 0.05 * full


def test_a_sentence_without_reference(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    for path in tuning_set[1]:
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines[:2], "", *lines[3:]]) + "\n")
    with pytest.raises(SbmtError, match="sentence 3 has no reference"):
        tune(bundle, tuning_set, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_metric_that_fails(bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "badmetric.py").write_text("def zero(source, output, references):\n    return 1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SbmtError, match=r"badmetric:zero fails on '.*ZeroDivisionError"):
        tune(bundle, tuning_set, tmp_path / "run", metric="badmetric:zero")


def test_a_feature_that_is_not_finite(
    bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Result.nbest_features

    def broken(self: Result, k: int) -> Any:
        texts, values, names = found(self, k)
        return texts, np.where(np.array(names) == "p(e|f)", np.nan, values), names

    monkeypatch.setattr(Result, "nbest_features", broken)
    with pytest.raises(SbmtError, match=r"feature p\(e\|f\) is not finite for a candidate of '"):
        tune(bundle, tuning_set, tmp_path / "run")


def test_cross_fitting_parses_each_sentence_with_its_folds_model(
    bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    """Fold 1's grammar has no rule for "individuals": its sentences cannot say "people"."""
    other = tmp_path / "other"
    shutil.copytree(bundle, other)
    lines = (bundle / "grammar").read_text().splitlines()
    (other / "grammar").write_text("".join(line + "\n" for line in lines if "individuals" not in line))
    (tmp_path / "folds").write_text("0\n1\n" * 4)
    folds = Folds.read(tmp_path / "folds", [Model.load(bundle), Model.load(other)])
    start_run(tmp_path / "run", Model.load(bundle), *tuning_set, settings(held_out=0), Workers(), folds)
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    pool = RunFolder(tmp_path / "run").pool(len(records(tmp_path / "run")))
    order = [i for fold in (0, 1) for i in range(8) if i % 2 == fold]
    for i, candidates in zip(order, pool.sentences, strict=True):
        seen[i % 2].update(word for text in candidates.texts for word in text.split())
    assert "people" in seen[0] - seen[1]
    with pytest.raises(SbmtError, match="2 fold numbers for the 8 lines"):
        start_run(tmp_path / "x", Model.load(bundle), *tuning_set, settings(), Workers(), Folds(folds.models, (0, 1)))
    (tmp_path / "folds").write_text("0\n2\n")
    with pytest.raises(SbmtError, match="folds, line 2: '2' is not a fold from 0 to 1"):
        Folds.read(tmp_path / "folds", folds.models)


@pytest.mark.parametrize("kind", ["phrase", "pbmt-r"])
def test_phrase_based_models_are_tuned_too(bundle: Path, tuning_set: Data, tmp_path: Path, kind: str) -> None:
    config = (bundle / "model.yaml").read_text()
    (bundle / "model.yaml").write_text(config + f"decoder: {{kind: {kind}}}\n")
    tune(bundle, tuning_set, tmp_path / "run", held_out=0)
    done = records(tmp_path / "run")
    assert max(record["decoded"] for record in done) > done[0]["decoded"]


def test_models_without_weights_are_refused(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (bundle / "model.yaml").write_text("format: 1\ndecoder: {kind: identity}\n")
    with pytest.raises(SbmtError, match="models of kind 'identity' have no weights to tune"):
        tune(bundle, tuning_set, tmp_path / "run")


def test_nothing_left_to_tune_on(bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="leave nothing to tune on"):
        tune(bundle, tuning_set, tmp_path / "run", held_out=1.0)


@pytest.mark.parametrize(
    ("preset", "changes", "message"),
    [
        ("none", {}, r"unknown preset 'none' \(known: default, joshua, paper\)"),
        ("default", {"tuner": "guess"}, "unknown tuner 'guess'"),
        ("default", {"pro.ranker": "guess"}, "unknown ranker 'guess'"),
        ("default", {"pro.taw": "3"}, "pro.taw: unknown key"),
        ("default", {"seed.x": "3"}, "seed.x: seed has no settings of its own"),
        ("default", {"iterations": 0}, "iterations: 0 is not at least 1"),
        ("default", {"pro.l2": -1}, "pro.l2: -1.0 is not at least 0"),
        ("default", {"held_out": -0.5}, "held_out: -0.5 is not from 0 to 1"),
        ("default", {"interpolation": 1.5}, "interpolation: 1.5 is not from 0 to 1"),
    ],
)
def test_wrong_settings(preset: str, changes: dict[str, str], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        load_preset(preset, changes).estimator()


def test_the_default_preset_spells_out_every_setting() -> None:
    import yaml

    import sbmt.configs
    from sbmt.config import plain

    written = yaml.safe_load((Path(sbmt.configs.__file__).parent / "tune-default.yaml").read_text())
    assert written == plain(TuneSettings())


def test_the_papers_settings() -> None:
    """Xu et al. (2016), section 4, and Joshua's constants."""
    paper = load_preset("paper", {})
    assert (paper.nbest, paper.iterations, paper.interpolation) == (300, 30, 0.5)
    assert (paper.pro.tau, paper.pro.xi, paper.pro.min_difference) == (8000, 50, 0.005)
    assert preset_names() == ["default", "joshua", "paper"]
    assert isinstance(load_preset("joshua", {"tuner": "mert"}).estimator(), Mert)


def test_command(bundle: Path, tuning_set: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, references = tuning_set
    run = tmp_path / "run"
    arguments = ["--source", str(source), "--references", str(references[0])[:-1], "-m", str(bundle), "--out", str(run)]
    more = ["--metric", "sari:star", "--iterations", "2", "--fix", "WordPenalty=-0.3", "--range", "Changes=-1:0"]
    assert main([*arguments, *more, "--without", "*orter", "--set", "pro.tau=100"]) == 0
    assert capsys.readouterr().out == f"{run}\n"
    assert len(records(run)) <= 2
    assert main(["--resume", str(run)]) == 0
    assert main(["--out", str(run), "--resume"]) == 0
    settings_given = [*more, "--without", "*orter", "--set", "pro.tau=100"]
    assert main([*arguments, *settings_given, "--resume"]) == 0
    for wrong, message in [
        ([*arguments, "--folds", "f"], "--folds and --fold-models go together"),
        (["--resume"], "--resume needs the run's folder"),
        (
            [*arguments, "--metric", "bleu", "--resume"],
            "--resume: the run has other settings (metric, iterations, fixed",
        ),
        (["--out", str(run)], "--source is needed to start a run"),
        ([*arguments[:-1], str(tmp_path / "x"), "--set", "metric=*"], "'*' is no YAML value"),
        ([*arguments[:-1], str(tmp_path / "x"), "--set", "seed=2026-02-31"], "no YAML value"),
        ([*arguments[:-1], str(tmp_path / "x"), "--set", "tau"], "is not of the form --set KEY=VALUE"),
        (["--resume", str(run), "--backend", "slurm"], "unknown backend 'slurm'"),
    ]:
        capsys.readouterr()
        assert main(wrong) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["dask", "ray"])
def test_a_cluster_needs_its_package(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for module in ("dask.distributed", "ray"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SbmtError, match=f"--backend {name} needs the package"):
        backend_context(name, None)


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(scheduler: str | None) -> None:
        raise ConnectionError("nobody there")

    monkeypatch.setattr("sbmt.tuning.cluster._dask", connect)
    with pytest.raises(SbmtError, match="--backend dask: no cluster answers at host:1: nobody there"):
        backend_context("dask", "host:1")
    with pytest.raises(SbmtError, match=r"no cluster answers on this machine .*--scheduler"):
        backend_context("dask", None)
