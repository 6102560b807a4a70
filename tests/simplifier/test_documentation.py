"""The program of docs/decode.md, run as it stands."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from sbmt.simplifier import Options

DOCUMENT = Path(__file__).parents[2] / "docs/decode.md"


def test_the_program_protects_what_the_file_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"cannot start: terms\.txt: cannot be read"):
        exec(program, {})
    (tmp_path / "terms.txt").write_text("numerous\n", encoding="utf-8")
    exec(program, {})
    assert capsys.readouterr().out.startswith("He used numerous tools. [VBD] ||| utilized ||| used () {'source'")


def test_the_table_of_options_has_them_all_with_their_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(field.name, repr(field.default)) for field in fields(Options)]
