"""Running a command in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.cli.shared.command import EntryPoint


def run(main: EntryPoint, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What it writes; it ends well."""
    assert main(list(map(str, arguments))) == 0
    return capsys.readouterr().out


def fail(main: EntryPoint, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that it says of what is wrong."""
    assert main(list(arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err
