"""Steps: what is done stays done, what has changed is done again, and nothing half done is taken for the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from experiment.steps import Output, Steps

from sbmt.errors import SbmtError


def counted(log: Path, content: str):  # type: ignore[no-untyped-def]
    """A step that writes `content`, and notes in `log` that it was run."""

    def make(path: Path) -> None:
        with log.open("a") as stream:
            stream.write("run\n")
        path.write_text(content)

    return make


def runs(log: Path) -> int:
    return len(log.read_text().splitlines())


def test_a_finished_step_is_not_done_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for _ in range(2):  # two runs of the program
        output = Steps(tmp_path / "steps").run("count", counted(log, "1"), {"a": 1})
    assert output.path.read_text() == "1"
    assert runs(log) == 1


def test_other_settings_do_it_again(tmp_path: Path) -> None:
    log, steps = tmp_path / "log", Steps(tmp_path / "steps")
    steps.run("count", counted(log, "1"), {"a": 1})
    assert steps.run("count", counted(log, "2"), {"a": 2}).path.read_text() == "2"
    assert runs(log) == 2


def test_other_content_of_an_input_file_does_it_again(tmp_path: Path) -> None:
    log, data = tmp_path / "log", tmp_path / "data"
    keys = []
    for content in ("old", "new"):
        data.write_text(content)
        from experiment.steps import _digest

        _digest.cache_clear()  # a file is hashed once a program run
        keys.append(Steps(tmp_path / "steps").run("count", counted(log, content), {}, [data]).key)
    assert runs(log) == 2
    assert keys[0] != keys[1]


def test_a_change_runs_on_through_what_depends_on_it(tmp_path: Path) -> None:
    logs = [tmp_path / "first", tmp_path / "second"]
    for setting in (1, 2, 2):
        steps = Steps(tmp_path / "steps")
        first = steps.run("first", counted(logs[0], "same"), {"a": setting})
        steps.run("second", counted(logs[1], "same"), {}, [first])
    assert [runs(log) for log in logs] == [2, 2]


def test_a_failed_step_leaves_no_output(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        path.write_text("half")
        raise SbmtError("no more paper")

    steps = Steps(tmp_path / "steps")
    with pytest.raises(SbmtError, match="no more paper"):
        steps.run("print", fail, {})
    assert not (tmp_path / "steps" / "print").exists()
    log = tmp_path / "log"
    assert steps.run("print", counted(log, "whole"), {}).path.read_text() == "whole"


@pytest.mark.parametrize("resumable", [True, False])
def test_a_resumable_step_finds_what_it_left(tmp_path: Path, resumable: bool) -> None:
    def interrupted(path: Path) -> None:
        path.mkdir()
        (path / "half").touch()
        raise SbmtError("stopped")

    def finish(path: Path) -> None:
        path.mkdir(exist_ok=True)
        (path / "rest").touch()

    steps = Steps(tmp_path / "steps")
    with pytest.raises(SbmtError):
        steps.run("long", interrupted, {}, resumable=resumable)
    output = steps.run("long", finish, {}, resumable=resumable)
    assert {file.name for file in output.path.iterdir()} == ({"half", "rest"} if resumable else {"rest"})


def test_a_resumable_step_with_other_settings_starts_anew(tmp_path: Path) -> None:
    def interrupted(path: Path) -> None:
        path.write_text("old")
        raise SbmtError("stopped")

    def look(path: Path) -> None:
        assert not path.exists()
        path.write_text("new")

    steps = Steps(tmp_path / "steps")
    with pytest.raises(SbmtError):
        steps.run("long", interrupted, {"a": 1}, resumable=True)
    assert steps.run("long", look, {"a": 2}, resumable=True).path.read_text() == "new"


def test_time_and_memory_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiment.usage._INTERVAL", 0.05)

    def allocate(path: Path) -> None:
        import time

        block = bytearray(b"1" * (200 << 20))
        began = time.process_time()
        while time.process_time() - began < 0.3:
            pass
        time.sleep(0.5)  # some looks, for which the loop may leave no time
        path.write_bytes(block[:1])

    steps = Steps(tmp_path / "steps")
    steps.run("big", allocate, {})
    record = json.loads((tmp_path / "steps" / "big.json").read_text())
    assert record["peak_mb"] >= 200
    assert record["cpu_seconds"] >= 0.3
    assert steps.records == [record]


def test_a_missing_input_is_named(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=r"nowhere: cannot be read: no such file or folder$"):
        Steps(tmp_path / "steps").run("any", Path.touch, {}, [tmp_path / "nowhere"])


def test_the_key_tells_inputs_apart(tmp_path: Path) -> None:
    steps = Steps(tmp_path / "steps")
    inputs = [Output("x", tmp_path, key) for key in ("one", "two")]
    keys = {steps.run(f"same{n}", Path.touch, {}, [given]).key for n, given in enumerate(inputs)}
    assert len(keys) == 2


def test_a_step_asked_for_twice_is_listed_once(tmp_path: Path) -> None:
    log, steps = tmp_path / "log", Steps(tmp_path / "steps")
    for _ in range(2):
        steps.run("count", counted(log, "1"), {})
    assert [record["name"] for record in steps.records] == ["count"]
