"""What every command shares, with commands made for the purpose."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sbmt.cli import baseline, data, decode, evaluate, features, learn, lm, meta, report, rules, text, tune
from sbmt.cli.shared.command import command

COMMANDS = (baseline, data, decode, evaluate, features, learn, lm, meta, report, rules, text, tune)

SAYING = """
import logging, sys
from sbmt.cli.shared.command import command
def main(argv):
    for name in ("sbmt.x", "other"):
        logging.getLogger(name).info("%s informs", name)
        logging.getLogger(name).warning("%s warns", name)
sys.argv[0] = "tool"
sys.exit(command(main)())
"""

TERMINATED = """
import io, os, sys
from sbmt.cli.shared.command import command
def main(argv):
    os.kill(os.getpid(), int(sys.argv[1]))
    print("goes on", file=sys.stderr)
sys.argv[0], sys.stdout = "tool", io.StringIO()
sys.exit(command(main)())
"""

STARTING = """
import subprocess, sys
from sbmt.cli.shared.command import command
def main(argv):
    print(subprocess.run([sys.executable, "-c", "import os, sys; sys.stderr.write('lost'); os.fstat(2)"]).returncode)
sys.exit(command(main)())
"""

ENDING = """
import atexit, os, signal, sys, time
from sbmt.cli.shared.command import command
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background a shell has it ignored
def main(argv):
    atexit.register(lambda: (os.kill(os.getpid(), signal.SIGINT), time.sleep(5)))
    print("done")
sys.exit(command(main)())
"""


def test_without_standard_error_processes_that_are_started_have_one() -> None:
    """joblib's would end without, and say so on standard output."""
    script = ["bash", "-c", '"$@" 2>&-', "bash", sys.executable, "-P", "-c", STARTING]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_an_interruption_when_all_is_done_shows_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", ENDING], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "done\n", "")


def test_numbers_have_an_upper_bound(capsys: pytest.CaptureFixture[str]) -> None:
    """C's types do not hold all that Python's do: of processes to start, say, or of outputs to list."""
    for number in ("1000000001", "2147483647", "9223372036854775808"):
        for option in ("--nbest", "--jobs"):
            with pytest.raises(SystemExit, match="2"):
                decode.main([option, number])
            assert f"argument {option}: {number} is more than 1,000,000,000" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("main", "arguments", "said"),
    [
        (decode.main, ["--jobs", "-1"], "tool: error: argument --jobs: -1 is less than 0; see tool --help"),
        (rules.main, ["show", "--top", "x", "word"],
         "tool show: error: argument --top: 'x' is not a whole number; see tool show --help"),
        (rules.main, [], "tool: error: the following arguments are required: COMMAND; see tool --help"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_options_is_one_line(
    main: Callable[[Sequence[str]], int],
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["tool"])
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert capsys.readouterr().err == said + "\n"


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        ("é", "ascii", "'\\xe9' cannot be written in ascii: use utf-8"),
        ("\udce9", "utf-8", "'\\udce9' cannot be written in utf-8: it is half of a character: take it out"),
        ("\ud800", "utf-16", "'\\ud800' cannot be written in utf-16: it is half of a character: take it out"),
    ],
)
def test_what_cannot_be_written(text: str, encoding: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    def writing(argv: Sequence[str] | None) -> None:
        text.encode(encoding)

    assert command(writing)() == 2
    assert capsys.readouterr().err.endswith(f": error: {message}\n")


def test_of_other_packages_only_warnings_are_logged() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", SAYING], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["tool: sbmt.x informs", "tool: sbmt.x warns", "tool: other warns"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError("the socket is not connected"), "the socket is not connected"),
        (OSError(28, "No space left on device"), "output: the disk is full; make room"),
        (PermissionError(13, "Permission denied", "lm.arpa"), "lm.arpa: permission denied; see chmod"),
        (FileNotFoundError(2, "No such file or directory"), "the current folder is gone: go to another one"),
        (
            OSError(24, "Too many open files", "fork_exec.py"),
            "more files are open than ulimit -n allows: raise it, or use fewer --jobs",
        ),
    ],
)
def test_errors_of_the_system(error: OSError, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    def main(argv: Sequence[str] | None) -> None:
        raise error

    assert command(main)() == 2
    assert capsys.readouterr().err.endswith(f" error: {message}\n")


def test_running_out_of_memory_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    def main(argv: Sequence[str] | None) -> None:
        bytearray(1 << 62)

    assert command(main)() == 2
    said = " error: out of memory: give it shorter lines, fewer --jobs or more memory\n"
    assert capsys.readouterr().err.endswith(said)


def test_a_library_that_memory_has_no_room_for(capsys: pytest.CaptureFixture[str]) -> None:
    def main(argv: Sequence[str] | None) -> None:
        raise ImportError(problem)

    problem = "x.so: failed to map segment from shared object"
    assert command(main)() == 2
    said = f" error: out of memory: give it shorter lines, fewer --jobs or more memory (see ulimit -v): {problem}\n"
    assert capsys.readouterr().err.endswith(said)
    problem = "cannot import name 'x'"  # a fault of the code
    with pytest.raises(ImportError, match="cannot import name"):
        command(main)()


def test_control_characters_in_names_are_escaped(tmp_path: Path) -> None:
    name = "a\nb\x1b[31m\x9b\u2028é"
    shown = r"a\nb\x1b[31m\x9b\u2028é"
    (tmp_path / f"{name}.csv").touch()
    for given, said in (
        ([name], f"error: {shown}: no such file"),
        ([f"{name}.csv"], f"{shown}.csv: is read as text, headers and all"),
        (["--jobs", name], "argument --jobs: 'a\\nb"),
        ([f"--{name}"], f"error: unrecognized arguments: --{shown}; see"),
    ):
        program = ["-c", "import sys; from sbmt.cli.decode import main; sys.exit(main())", *given]
        done = subprocess.run([sys.executable, "-P", *program], cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert said in done.stderr.splitlines()[0]
        assert not {*"\x1b\x9b\u2028"} & {*done.stderr}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_with_a_replaced_standard_output(number: int) -> None:
    """As in contextlib.redirect_stdout: it has no file. The tests themselves may have been started by nohup."""
    reset = f"import signal; signal.signal({int(number)}, signal.SIG_DFL)\n"
    command = [sys.executable, "-P", "-c", reset + TERMINATED, str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (128 + number, "tool: terminated\n")


def test_signals_that_the_parent_ignores_stay_ignored() -> None:
    """As under nohup when the terminal is closed."""
    command = ["nohup", sys.executable, "-P", "-c", TERMINATED, str(int(signal.SIGHUP))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (0, ["goes on"])


def test_a_report_says_that_references_are_optional(capsys: pytest.CaptureFixture[str]) -> None:
    assert report.main([]) == 2
    assert "give --source and --references (optional), or --test-set" in capsys.readouterr().err


@pytest.mark.parametrize("build", [module.build_parser for module in COMMANDS], ids=[m.__name__ for m in COMMANDS])
def test_help_fits_a_terminal(
    build: Callable[[], argparse.ArgumentParser], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but the examples, which are typed as they are."""
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        build().parse_args(["--help"])
    shown, _, _ = capsys.readouterr().out.partition("examples:\n")
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("module", [module.__name__ for module in COMMANDS])
def test_help_needs_no_heavy_import(module: str) -> None:
    code = f"""
import atexit, sys
from {module} import main
atexit.register(lambda: print({{"scipy", "kenlm", "matplotlib", "joblib"}} & set(sys.modules), file=sys.stderr))
main(["--help"])
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "set()\n")


@pytest.mark.parametrize(("said", "printed"), [((), "interrupted\n"), (("go on so",), "interrupted: go on so\n")])
def test_an_interruption_may_say_how_to_go_on(
    capsys: pytest.CaptureFixture[str], said: tuple[str, ...], printed: str
) -> None:
    def main(argv: Sequence[str] | None = None) -> None:
        raise KeyboardInterrupt(*said)

    assert command(main)([]) == 130
    assert capsys.readouterr().err.endswith(f": {printed}")


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    code = "import os, sys; from sbmt.cli.text import main; os.rmdir(os.getcwd()); sys.exit(main(['-', '-o', 'x']))"
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, input="", check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(" error: the current folder is gone: go to another one\n")
