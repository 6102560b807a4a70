"""sbmt-decode that is ended from outside: a closed pipe, Ctrl-C or SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.cli.test_decode import COMMAND


def test_a_closed_pipe_is_no_error(bundle: Path, tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("He utilized numerous tools.\n" * 20_000, encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "-m", str(bundle), str(text)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"He used many tools.\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


def _reset_interrupt_handler() -> None:
    """What a shell starts in the background ignores it, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_control_c_in_a_parallel_run(bundle: Path) -> None:
    """One line, exit code 130, and no process left behind (the workers hold stderr open while they live)."""
    with subprocess.Popen(
        [*COMMAND, "-m", str(bundle), "--jobs", "2"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=_reset_interrupt_handler,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"He utilized numerous tools.\n" * 2000)
        process.stdin.flush()
        assert process.stdout.readline() == b"He used many tools.\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr.read().splitlines() == [b"-c: interrupted"]
        assert process.wait(30) == 130


def test_termination_of_a_parallel_run(bundle: Path, tmp_path: Path) -> None:
    """The same with SIGTERM to the parent alone: code 143, and no half output beside the one named."""
    out = tmp_path / "out"
    with subprocess.Popen(
        [*COMMAND, "-m", str(bundle), "--jobs", "2", "-o", str(out)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"He utilized numerous tools.\n" * 2000)
        process.stdin.flush()
        while not list(tmp_path.glob(".out.*")):
            time.sleep(0.01)
        time.sleep(1)
        process.terminate()
        _, said = process.communicate(timeout=60)
        assert said.endswith(b"terminated\n")
        assert process.returncode == 143
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == []
