"""Which files the references and systems named on a command line are."""

from __future__ import annotations

import json
import os
import re
import threading
from pathlib import Path

import pytest

from sbmt.cli.evaluate import main as evaluate
from sbmt.cli.shared.evaluation_texts import expand_references
from sbmt.errors import SbmtError


@pytest.mark.parametrize(
    ("there", "names", "expected"),
    [
        (["r.1", "r.2"], ["r."], ["r.1", "r.2"]),
        (["r00", "r01", "r10"], ["r"], "r: these files are not numbered one after the other (found r00, r01, r10)"),
        (["r00", "r01", "r1x"], ["r"], ["r00", "r01"]),
        (["r0", "r1", "r3"], ["r"], "not numbered one after the other (found r0, r1, r3): name the files"),
        (["r0", "r00"], ["r"], "not numbered one after the other"),
        (["r2", "r3"], ["r"], "r: neither this file nor r0 or r1 exists"),
        (["r.0", "r.1"], ["r"], "r: neither this file nor r0 or r1 exists (r.0 does: write r.)"),
        (["r2"], ["r2,r3"], "nor r2,r30 or r2,r31 exists (a space stands between files, no comma)"),
        (["r0", "q1", "q2", "one"], ["r", "one", "q"], ["r0", "one", "q1", "q2"]),
        (["turk/x", "turk0", "turk1"], ["turk"], ["turk0", "turk1"]),
        ([f"deep/r{i}" for i in range(11)], ["deep/r"], [f"deep/r{i}" for i in range(11)]),
    ],
)
def test_a_prefix_stands_for_the_files_that_number_it(
    there: list[str], names: list[str], expected: list[str] | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in there:
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).touch()
    if isinstance(expected, list):
        assert expand_references(names) == expected
    else:
        with pytest.raises(SbmtError, match=re.escape(expected)):
            expand_references(names)


def test_systems_may_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """NAME=FILE, unless there is a file of that name; what is no file is named as it was typed."""
    monkeypatch.chdir(tmp_path)
    for name in ("A", "B", "x=A"):
        Path(name).write_text("w " * len(name) + "\n", encoding="utf-8")
    named = {"MUSS=A": ("MUSS", 1), "x=A": ("x=A", 3), "x=B": ("x", 1), "MUSS=x=A": ("MUSS", 3), "./x=A": ("x=A", 3)}
    for given, (name, words) in named.items():
        assert evaluate(["--systems", given, "--metrics", "length", "--json"]) == 0
        table = json.loads(capsys.readouterr().out)
        assert {name: results["length"]["score"] for name, results in table.items()} == {name: words}
    assert evaluate(["--systems", "a b=A", "B", "--metrics", "length", "--baseline", "a b", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["B"]["length"]["test"]["baseline"] == "a b"
    wrong = {
        ("B=A", "B"): "two systems have one name (B, B): give each system a file and a name of its own",
        ("y=A", "z=A"): "a file is named twice (A, A): give each system a file and a name of its own",
        ("C=none",): "C=none: there is neither this file nor none, which a system is named for",
    }
    for systems, message in wrong.items():
        assert evaluate(["--systems", *systems, "--metrics", "length"]) == 2
        assert f"error: {message}" in capsys.readouterr().err


def test_a_pipe_may_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the shell's `NAME=<(command)` does, a pipe has no name worth a row."""
    os.mkfifo(pipe := tmp_path / "63")
    writer = threading.Thread(target=pipe.write_text, args=("w w\n",))
    writer.start()
    assert evaluate(["--systems", f"mine={pipe}", "--metrics", "length", "--json"]) == 0
    writer.join()
    assert json.loads(capsys.readouterr().out)["mine"]["length"]["score"] == 2
