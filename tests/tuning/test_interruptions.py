"""Runs that are killed, resumed, damaged or begun twice: the same weights in the end, or one clear line."""

from __future__ import annotations

import io
import os
import pickle
import re
import shutil
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import ThreadingBackend

from sbmt.cli.tune import main
from sbmt.errors import SbmtError
from sbmt.files import sha256
from sbmt.model import Model
from sbmt.tuning.folder import Record, RunFolder
from sbmt.tuning.pool import Pool
from sbmt.tuning.run import resume_run, start_run
from sbmt.tuning.tuners.pro import Pro
from sbmt.tuning.workers import Workers
from tests.tuning.runs import Data, records, settings, tune


def test_interrupted_runs_end_the_same(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole")
    fit, calls = Pro.fit, []

    def interrupted(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) in (1, 3):
            raise KeyboardInterrupt
        return fit(*arguments)

    monkeypatch.setattr(Pro, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt, match=r"sbmt-tune --resume .*cut goes on"):
        tune(tuning_bundle, tuning_set, tmp_path / "cut")
    with pytest.raises(KeyboardInterrupt, match=r"sbmt-tune --resume .*cut goes on"):
        resume_run(tmp_path / "cut", Workers())
    resumed = resume_run(tmp_path / "cut", Workers())
    assert resumed.config.weights == whole.config.weights
    times = {"seconds": None}
    assert [record | times for record in records(tmp_path / "cut")] == [
        record | times for record in records(tmp_path / "whole")
    ]


@pytest.mark.parametrize("failing", ["iterations/02.json", "pool-02.pickle"])
def test_a_run_that_cannot_write_an_iteration_ends_the_same(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole")
    with monkeypatch.context() as patched:
        replace = os.replace

        def full_disk(temporary: Path, target: Path) -> None:
            if target == tmp_path / "cut" / failing:
                raise OSError(28, "No space left on device")
            replace(temporary, target)

        patched.setattr(os, "replace", full_disk)
        with pytest.raises(
            SbmtError, match=r"cut: the disk is full; go on with --resume \(in Python resume_run\) once there"
        ):
            tune(tuning_bundle, tuning_set, tmp_path / "cut")
    assert len(records(tmp_path / "cut")) == 1
    assert resume_run(tmp_path / "cut", Workers()).config.weights == whole.config.weights


HANGING_UP = """
import os, signal, sys
from sbmt.tuning.workers import connected
signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
with connected(2, "loky", None) as workers:
    print(list(workers.map(abs, [(-1,), (-2,)], "of")))
    os.killpg(0, signal.SIGHUP)
"""


def test_a_terminal_that_goes_leaves_no_traceback() -> None:
    """It tells all processes at once, loky's keeper of accounts among them."""
    script = [sys.executable, "-P", "-c", HANGING_UP]
    done = subprocess.run(script, capture_output=True, text=True, check=False, start_new_session=True)
    assert (done.returncode, done.stdout, done.stderr) == (129, "[1, 2]\n", "")


KILLED = """
import time
from sbmt.tuning.workers import connected
with connected(2, "loky", None) as workers:
    print(list(workers.map(abs, [(-1,), (-2,)], "of")), flush=True)
    time.sleep(60)
"""


def test_workers_end_with_a_killed_parent() -> None:
    """They hold its standard output open while they live."""
    with subprocess.Popen([sys.executable, "-P", "-c", KILLED], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"[1, 2]\n"
        parent.kill()
        assert parent.communicate(timeout=30) == (b"", None)


class Killed(BaseException):
    """Nothing in the code catches it, as nothing catches a signal."""


class LostWorker(ThreadingBackend):
    """A backend whose second worker is killed."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise BrokenProcessPool("A worker process managed by the executor was unexpectedly terminated.")

    apply_async = submit


@pytest.mark.parametrize("name", ["inputs.json", "start/model.yaml", "settings.yaml"])
def test_a_run_killed_while_its_folder_is_made_begins_again(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole")
    run, replace = tmp_path / "run", os.replace

    def dying(temporary: Path, target: Path) -> None:
        if target == run / name:
            raise Killed
        replace(temporary, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", dying)
        with pytest.raises(Killed):
            tune(tuning_bundle, tuning_set, run)
    with pytest.raises(SbmtError, match="run: was interrupted while the run was being made: start it again"):
        resume_run(run, Workers())
    assert not RunFolder(run).begun
    assert tune(tuning_bundle, tuning_set, run).config.weights == whole.config.weights


def test_a_folder_that_cannot_be_filled_is_not_left_behind(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(temporary: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(SbmtError, match=r"run/start/model\.yaml: cannot be written: the disk is full; make room"):
        tune(tuning_bundle, tuning_set, tmp_path / "run")
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
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, changes: Any, message: str
) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there", "new"):
        with pytest.raises(SbmtError, match=message):
            tune(tuning_bundle, tuning_set, tmp_path / name, **changes)
    assert not list((tmp_path / "there").iterdir())
    assert not (tmp_path / "new").exists()


def test_a_folder_of_other_files_is_left_alone(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    (tmp_path / "mine" / "forests").mkdir(parents=True)
    for _ in range(2):
        with pytest.raises(SbmtError, match="mine: is not empty"):
            tune(tuning_bundle, tuning_set, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["forests"]


def test_a_run_that_is_alive_is_not_resumed(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """The other process goes on with its half-written files, and its end frees the run."""
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    half = tmp_path / "run" / ".pool-02.pickle.k3x_a9b2.sbmt-part"
    half.write_text("half")
    program = "import sys\nfrom sbmt.tuning.folder import RunFolder\nwith RunFolder(sys.argv[1]).held():\n"
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


def test_a_run_that_lost_a_worker_goes_on(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    register_parallel_backend("lost", LostWorker)
    run = tmp_path / "run"
    workers = Workers(2, partial(parallel_config, backend="lost"))
    message = r"run: a worker process was killed, perhaps for want of memory; go on with --r.* fewer jobs"
    with pytest.raises(SbmtError, match=message):
        start_run(run, Model.load(tuning_bundle), *tuning_set, settings(), workers)
    expected = tune(tuning_bundle, tuning_set, tmp_path / "whole").config.weights
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


def test_records_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """Of a hundred and one, whose file names sort otherwise."""
    run = RunFolder(tmp_path)
    for iteration in range(1, 102):
        run.write(Record(iteration, {}, {}, {}, 0.0, None, 0.0, 0, (0.0, 0.0)), Pool(1))
    assert [record.iteration for record in run.records()] == [*range(1, 102)]


def test_a_pool_that_a_killed_process_left_goes_with_the_next(tmp_path: Path) -> None:
    """One was killed after it had written a record and before it removed the pool of the iteration before."""
    run = RunFolder(tmp_path)
    for iteration in (1, 2, 3):
        (tmp_path / "pool-01.pickle").touch()
        run.write(Record(iteration, {}, {}, {}, 0.0, None, 0.0, 0, (0.0, 0.0)), Pool(1))
    assert [path.name for path in tmp_path.glob("pool-*")] == ["pool-03.pickle"]


@pytest.mark.parametrize("name", ["pipe", "-"])
def test_texts_must_be_files(tuning_bundle: Path, tuning_set: Data, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    path = Path(name) if name == "-" else tmp_path / name
    with pytest.raises(SbmtError, match=f"{name}: is no file, so it cannot be read again when the run is resumed"):
        tune(tuning_bundle, (path, tuning_set[1]), tmp_path / "run")


def test_a_finished_run_resumes_to_itself(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    model = tune(tuning_bundle, tuning_set, tmp_path / "run")
    before = records(tmp_path / "run")
    written = (tmp_path / "run/model.yaml").stat().st_mtime_ns
    shutil.rmtree(tmp_path / "run/forests")
    assert resume_run(tmp_path / "run", Workers()).config == model.config
    assert not list((tmp_path / "run").glob("forests/*")), "parsed, and nothing to decode"
    assert records(tmp_path / "run") == before
    assert (tmp_path / "run/model.yaml").stat().st_mtime_ns == written
    (tmp_path / "run/model.yaml").unlink()
    assert resume_run(tmp_path / "run", Workers()).config == model.config


@pytest.mark.parametrize("held_out", [0.25, 0])
def test_a_finished_run_can_be_prolonged(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, held_out: float
) -> None:
    changes: Any = {"min_new": 0.0, "nbest": 4, "held_out": held_out}
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole", iterations=4, **changes)
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, **changes)
    assert resume_run(tmp_path / "run", Workers(), 4).config == whole.config
    assert len(records(tmp_path / "run")) == len(records(tmp_path / "whole")) > 2
    assert resume_run(tmp_path / "run", Workers()).config == whole.config


@pytest.mark.parametrize("changed", ["metric", "feature"])
def test_user_defined_code_that_has_changed(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    """The files of its modules, wherever they lie; the rest of the run stays as it was."""
    metric, feature = f"metric_for_{changed}", f"feature_for_{changed}"
    (tmp_path / "code").mkdir()
    (tmp_path / f"code/{metric}.py").write_text("def short(source, output, references):\n    return -len(output)\n")
    (tmp_path / f"code/{feature}.py").write_text(
        "class Words:\n"
        "    def rule_values(self, rules, owners):\n"
        "        return 'Words', [len(target) for target in rules.target]\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "code")
    with (tuning_bundle / "model.yaml").open("a") as stream:
        stream.write(f"feature_functions: ['{feature}:Words']\n")
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1, metric=f"sari+{metric}:short")
    before = (tmp_path / "run/model.yaml").read_bytes()
    shutil.copytree(tmp_path / "code", tmp_path / "copy")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "path", [str(tmp_path / "copy"), *sys.path])
        resume_run(tmp_path / "run")
    path = tmp_path / "code" / f"{metric if changed == 'metric' else feature}.py"
    path.write_text(path.read_text() + "# as before\n")
    with pytest.raises(SbmtError, match=f"{path.name}: has changed since the run in .*run began; start a new run"):
        resume_run(tmp_path / "run")
    assert (tmp_path / "run/model.yaml").read_bytes() == before


def test_a_run_is_not_made_shorter(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, min_new=0.0)
    with pytest.raises(SbmtError, match="run: has done 2 iterations; for 1 start a new run"):
        resume_run(tmp_path / "run", Workers(), 1)


def test_an_interrupted_longer_run_says_how_to_go_on(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run's own settings know only the number it began with."""
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1, min_new=0.0)

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Pro, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt, match=r"sbmt-tune --resume .*run --iterations 2 goes on"):
        resume_run(tmp_path / "run", Workers(), 2)


def test_runs_that_cannot_be_resumed(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="holds no tuning run to resume"):
        resume_run(tmp_path, Workers())
    tune(tuning_bundle, tuning_set, tmp_path / "run")
    with pytest.raises(SbmtError, match="run: is not empty"):
        tune(tuning_bundle, tuning_set, tmp_path / "run")
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
def test_damaged_files_are_named(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, damaged: str, message: str
) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, min_new=0.0)
    content = (tmp_path / "run" / damaged).read_bytes()
    (tmp_path / "run" / damaged).write_bytes(content[: len(content) // 2])
    with pytest.raises(SbmtError, match=f"{damaged}: {message}"):
        resume_run(tmp_path / "run", Workers(), 3)


@pytest.mark.parametrize("name", ["pool-02.pickle", "forests/0-0.pickle"])
@pytest.mark.parametrize("content", [None, {}, ([], [], [])])
def test_a_pickle_of_something_else(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, name: str, content: object
) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, min_new=0.0)
    (tmp_path / "run" / name).write_bytes(pickle.dumps(content))
    with pytest.raises(SbmtError, match=rf"{name}: is damaged"):
        resume_run(tmp_path / "run", Workers(), 3)


@pytest.mark.parametrize("kept_from_us", ["inputs.json", "iterations/01.json", "pool-01.pickle"])
def test_files_that_cannot_be_read_are_not_called_damaged(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept_from_us: str
) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    opened = io.open

    def refusing(path: Any, *arguments: Any, **options: Any) -> Any:
        if path == tmp_path / "run" / kept_from_us:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(io, "open", refusing)
    with pytest.raises(SbmtError, match=f"{kept_from_us}: cannot be read, so the run cannot be resumed: permission d"):
        resume_run(tmp_path / "run", Workers(), 2)


@pytest.mark.parametrize("name", ["settings.yaml", "start/model.yaml"])
def test_what_the_run_itself_began_with_must_not_change(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, name: str
) -> None:
    """Empty settings would be all defaults."""
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    shutil.move(tmp_path / "run", tmp_path / "moved")
    resume_run(tmp_path / "moved", Workers())
    (tmp_path / "moved" / name).write_text(
        "" if name == "settings.yaml" else (tuning_bundle / "model.yaml").read_text()
    )
    with pytest.raises(SbmtError, match=f"moved/{name}: has changed since the run in .*moved began; start a new run"):
        resume_run(tmp_path / "moved", Workers())


def test_a_run_moves_with_what_lies_beside_it(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    """Model, texts and run: all are in one folder here."""
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole")
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2)
    moved = tmp_path.with_name(f"{tmp_path.name}-moved")
    tmp_path.rename(moved)
    again = resume_run(moved / "run", Workers(), 4)
    assert again.config.weights == whole.config.weights
    assert not list((moved / "run/iterations").glob("05*"))


def test_a_run_is_found_through_a_link(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/link").symlink_to(tmp_path / "run")
    assert resume_run(tmp_path / "elsewhere/link").config == Model.load(tmp_path / "run").config


def test_a_run_that_moved_alone_says_what_is_missing(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run").rename(tmp_path / "elsewhere/run")
    cure = r"\(if the run was moved, move what lay beside it along, or give --source and --references again, in Python "
    with pytest.raises(SbmtError, match=f"elsewhere/tune.src: is not there, so the run in .* cannot be resumed {cure}"):
        resume_run(tmp_path / "elsewhere/run")


def test_a_run_that_moved_alone_may_be_told_where_its_texts_are(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole", iterations=4, min_new=0.0, nbest=4)
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, min_new=0.0, nbest=4)
    (tmp_path / "texts").mkdir()
    source, *references = (path.rename(tmp_path / "texts" / path.name) for path in [tuning_set[0], *tuning_set[1]])
    with pytest.raises(SbmtError, match=r"tune\.src: is not there"):
        resume_run(tmp_path / "run", references=references)
    with pytest.raises(
        SbmtError, match=r"source: .*tune\.ref0 is another text than the run's, .*tune\.src: start anoth"
    ):
        resume_run(tmp_path / "run", source=references[0], references=references)
    again = resume_run(tmp_path / "run", Workers(), 4, source=source, references=references)
    assert again.config.weights == whole.config.weights
    assert (
        main(["--resume", str(tmp_path / "run"), "--source", str(source), "--references", *map(str, references)]) == 0
    )


def test_another_version_is_warned_of(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    inputs = tmp_path / "run/inputs.json"
    resume_run(tmp_path / "run")
    assert "began with" not in caplog.text
    inputs.write_text(re.sub(r'"numpy": "[^"]+"', '"numpy": "1.0"', inputs.read_text()))
    resume_run(tmp_path / "run")
    warnings = [message for message in caplog.messages if "began with" in message]
    assert warnings == [f"{inputs}: the run began with numpy 1.0: its weights may come out otherwise now"]


def test_a_language_model_made_here_is_told_from_another(
    tuning_bundle: Path,
    tuning_set: Data,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has a hash as libraries have versions: another one is remarked on, and no hindrance."""
    monkeypatch.setattr("sbmt.lm.starter.starter_language_model", lambda: tuning_bundle / "lm.arpa")
    config = (tuning_bundle / "model.yaml").read_text()
    (tuning_bundle / "model.yaml").write_text(config.replace("path: lm.arpa", "path: 'cache:starter'"))
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    began = RunFolder(tmp_path / "run").recorded_inputs().versions
    assert began["kenlm"] == version("kenlm")
    assert began["cache:starter"] == sha256(tuning_bundle / "lm.arpa")
    resume_run(tmp_path / "run")
    assert "began with" not in caplog.text
    text = (tuning_bundle / "lm.arpa").read_text()
    (tuning_bundle / "lm.arpa").write_text(text.replace("-2\t<unk>", "-3\t<unk>"))
    resume_run(tmp_path / "run")
    assert f"the run began with cache:starter {began['cache:starter']}: its weights may come out" in caplog.text


def test_an_error_after_an_iteration_leaves_the_run(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tune(tuning_bundle, tuning_set, tmp_path / "whole")
    fit, calls = Pro.fit, []

    def failing(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise SbmtError("no more")
        return fit(*arguments)

    monkeypatch.setattr(Pro, "fit", failing)
    with pytest.raises(SbmtError, match="no more"):
        tune(tuning_bundle, tuning_set, tmp_path / "cut")
    assert resume_run(tmp_path / "cut", Workers()).config.weights == whole.config.weights


def test_a_folder_may_be_used_again(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    source, references = tuning_set
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2)
    shutil.rmtree(tmp_path / "run")
    for path in (source, *references):
        path.write_text("".join(path.read_text().splitlines(keepends=True)[::2]))
    again, fresh = (tune(tuning_bundle, tuning_set, tmp_path / name, iterations=2) for name in ("run", "fresh"))
    assert again.config.weights == fresh.config.weights


def test_a_missing_record_is_noticed(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=2, held_out=0, min_new=0.0)
    (tmp_path / "run" / "iterations" / "01.json").unlink()
    with pytest.raises(SbmtError, match="iterations: a record is missing"):
        resume_run(tmp_path / "run", Workers())


def test_what_a_killed_process_left_half_written_is_removed(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path
) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    before = sorted((tmp_path / "run").rglob("*"))
    program = "import os, sys\nfrom sbmt.io import open_output\n"
    program += "with open_output(sys.argv[1]) as stream:\n    stream.write('half')\n    os._exit(9)\n"
    for name in ("pool-02.pickle", "iterations/02.json", "curve.png"):
        subprocess.run([sys.executable, "-P", "-c", program, str(tmp_path / "run" / name)], check=False)
    assert len(list((tmp_path / "run").rglob("*"))) == len(before) + 3
    own = [tmp_path / "run" / name for name in (".mine", ".notes.json.mybackup", ".model.yaml.swp", "..sbmt-parts")]
    for path in own:
        path.write_text("kept")
    resume_run(tmp_path / "run", Workers())
    assert sorted((tmp_path / "run").rglob("*")) == sorted([*before, *own])


def test_a_language_model_that_has_changed(tuning_bundle: Path, tuning_set: Data, tmp_path: Path) -> None:
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    model = tuning_bundle / "lm.arpa"
    model.write_text(model.read_text().replace("-2\t<unk>", "-3\t<unk>"))
    with pytest.raises(SbmtError, match=r"lm\.arpa: has changed since the run"):
        resume_run(tmp_path / "run", Workers())
