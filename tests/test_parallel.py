"""The ordered map: same results for any number of jobs, bounded reading ahead."""

from __future__ import annotations

import functools
import logging
import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sbmt.errors import ModelError, SbmtError
from sbmt.model import Model
from sbmt.parallel import ordered_map

HUNDRED = functools.partial(int, 100)  # workers import what they run, so the tests use the standard library's functions
# Raises an error that can be pickled, but not made again from that: it is made with more than it keeps.
SHORT = '(_ for _ in ()).throw(__import__("urllib.error").error.ContentTooShortError("cut", b""))'


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_order_is_kept(jobs: int) -> None:
    assert list(ordered_map(operator.add, range(50), HUNDRED, jobs, chunk=4)) == [100 + i for i in range(50)]


def test_fewer_than_no_process() -> None:
    with pytest.raises(SbmtError, match=r"jobs=-1: 0 or more \(0: as many as there are processors\)"):
        list(ordered_map(operator.add, range(3), HUNDRED, jobs=-1))


def test_input_is_not_read_far_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sbmt.parallel._WINDOW", 3)
    read = 0

    def items() -> Iterator[int]:
        nonlocal read
        while read < 1000:
            read += 1
            yield read

    results = ordered_map(operator.add, items(), HUNDRED, jobs=2, chunk=5)
    next(results)
    assert read <= 2 * 3 * 5


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_reaches_the_caller(jobs: int) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(ordered_map(operator.floordiv, [5, 0, 2], HUNDRED, jobs, chunk=1))
    assert "work(_state, item)" in str(caught.value.__cause__) or jobs == 1  # where it was raised


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_while_starting_reaches_the_caller(jobs: int) -> None:
    with pytest.raises(ModelError, match=r"^nosuch: no such model"):
        list(ordered_map(operator.add, range(3), functools.partial(Model.load, "nosuch"), jobs))


@pytest.mark.parametrize("jobs", [1, 2])
def test_any_other_error_while_starting_reaches_the_caller_as_it_is(jobs: int) -> None:
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: 'x'$"):
        list(ordered_map(operator.add, range(3), functools.partial(int, "x"), jobs))


@pytest.mark.parametrize("initialise", [functools.partial(eval, "eval"), functools.partial(eval, SHORT)])
def test_an_error_that_cannot_be_sent_says_what_it_is(initialise: functools.partial[Callable[[str], object]]) -> None:
    with pytest.raises(RuntimeError, match=r"^ContentTooShortError: <urlopen error cut>$"):
        list(ordered_map(operator.call, [SHORT], initialise, jobs=2))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores cannot be taken away on this system")
def test_no_more_processes_than_available_cores() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert list(ordered_map(lambda _, item: (os.getpid(), item), [1], HUNDRED, jobs=0)) == [(os.getpid(), 1)]
    finally:
        os.sched_setaffinity(0, allowed)


@pytest.mark.parametrize("cores", [1, 2])
def test_no_number_of_jobs_is_all_cores(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("joblib.cpu_count", lambda: cores)
    makers = set(ordered_map(operator.add, [0] * 4, os.getpid, jobs=0, chunk=1))
    assert (os.getpid() in makers) == (cores == 1)
    assert len(makers) <= cores


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_is_killed(how: signal.Signals) -> None:
    """As by the system if memory runs out, or by a user."""
    with pytest.raises(SbmtError, match="a worker process was killed"):
        list(ordered_map(os.kill, [how], os.getpid, jobs=2))


PARENT = """
import functools, operator, time
from sbmt.parallel import ordered_map
if __name__ == "__main__":
    print(next(ordered_map(operator.add, range(100), functools.partial(int, 1), jobs=2, chunk=1)), flush=True)
    time.sleep(60)
"""


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    """They would keep its standard output open."""
    (tmp_path / "parent.py").write_text(PARENT)
    with subprocess.Popen([sys.executable, tmp_path / "parent.py"], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"1\n"
        parent.kill()
        assert parent.communicate(timeout=60) == (b"", None)


LOGGING = """
import functools, logging
from sbmt.parallel import ordered_map
if __name__ == "__main__":
    logging.basicConfig(format="tool: %(message)s")
    logging.getLogger("sbmt").setLevel(logging.INFO)
    for name in ("sbmt.x", "other"):
        log = logging.getLogger(name)
        list(ordered_map(log.info, ["this"], functools.partial(str, name + " said %s"), jobs=2))
"""


def test_workers_log_as_their_parent_does(tmp_path: Path) -> None:
    (tmp_path / "parent.py").write_text(LOGGING)
    ended = subprocess.run([sys.executable, tmp_path / "parent.py"], capture_output=True, text=True, check=True)
    assert ended.stderr == "tool: sbmt.x said this\n"


def test_no_worker_is_left_at_the_end() -> None:
    before = set(multiprocessing.active_children())  # of other tests' pools
    assert sum(ordered_map(operator.add, range(4), HUNDRED, jobs=2, chunk=1)) == 406
    assert set(multiprocessing.active_children()) <= before


def test_stopping_early_does_not_wait_for_unfinished_chunks() -> None:
    """As after Ctrl-C or a closed pipe, during slow chunks."""
    before = set(multiprocessing.active_children())  # of other tests' pools
    sleep = functools.partial(eval, '__import__("time").sleep')
    results = ordered_map(operator.call, [0] + [60] * 5, sleep, jobs=2, chunk=1)
    next(results)
    start = time.monotonic()
    del results
    assert set(multiprocessing.active_children()) <= before
    assert time.monotonic() - start < 30


def test_a_message_of_all_workers_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """All workers load the same files and warn of the same problems."""
    log = logging.getLogger("sbmt.x")
    list(ordered_map(log.warning, ["this"] * 8 + ["that"] * 8, functools.partial(str, "of %s"), jobs=2, chunk=2))
    assert caplog.messages == ["of this", "of that"]


def test_a_limited_number_of_messages_is_remembered(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory stays flat if each sentence has its own message; later messages may be repeated."""
    monkeypatch.setattr("sbmt.parallel._MAX_REMEMBERED", 2)
    log = logging.getLogger("sbmt.x")
    list(ordered_map(log.warning, ["a", "b", "c", "a", "b", "c"], functools.partial(str, "%s"), jobs=2, chunk=1))
    assert caplog.messages == ["a", "b", "c", "c"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_messages_before_an_error_are_logged(jobs: int, caplog: pytest.LogCaptureFixture) -> None:
    """It explains the error."""
    warn = 'import logging; logging.getLogger("sbmt.x").warning("bad ' + "%s" + '")'
    with pytest.raises(ZeroDivisionError):
        list(ordered_map(operator.call, [warn % 1, warn % 2, "1 / 0"], functools.partial(eval, "exec"), jobs))
    assert caplog.messages == ["bad 1", "bad 2"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_messages_before_a_failed_start_are_logged(jobs: int, caplog: pytest.LogCaptureFixture) -> None:
    start = '__import__("logging").getLogger("sbmt.x").warning("bad model") or 1 / 0'
    with pytest.raises(ZeroDivisionError):
        list(ordered_map(operator.add, range(3), functools.partial(eval, start), jobs))
    assert caplog.messages == ["bad model"]
