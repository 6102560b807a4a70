"""The commands of docs/text.md that make tokenised text, run as they are."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from sbmt.cli.text import main

DOCUMENT = Path(__file__).parents[2] / "docs/text.md"
TEXT = "The dogs' owners can't pay (yet). \"No,\" said Ann.\n\nIt cost 3.50 dollars.\n"
CASED = ["The dogs ' owners ca n't pay -lrb- yet -rrb- .", "`` No , '' said Ann .", "It cost 3.50 dollars ."]
LINES = [f"{CASED[0]} {CASED[1]}", "", CASED[2]]


def test_the_commands_write_penn_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^sbmt-text (.*?) *#", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    expected = [LINES, [line.lower() for line in LINES], [line.lower() for line in CASED]]
    for command, lines in zip(map(shlex.split, commands), expected, strict=True):
        text = next(word for word in command if word.endswith((".src", ".txt")))
        Path(text).write_text(TEXT, encoding="utf-8")
        assert main(command) == 0
        assert Path(command[-1]).read_text(encoding="utf-8").split("\n") == [*lines, ""]


def test_standard_input_by_default(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main([]) == 0
    assert capsys.readouterr().out.split("\n") == [*LINES, ""]
    assert main(["x.txt", "-o", "x.txt"]) == 2
    assert "x.txt is read: give another name to write to" in capsys.readouterr().err
