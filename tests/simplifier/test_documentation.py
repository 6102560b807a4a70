"""The programs and commands of docs/decode.md and docs/editors.md, run as they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from sbmt.simplifier import Options
from sbmt.text.glossary_lines import read_glossary

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/decode.md"
GUIDE = ROOT / "docs/editors.md"


def blocks(document: Path) -> list[str]:
    """The blocks of commands and files."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [block for language, block in found if not language]


def run(commands: str, folder: Path) -> str:
    """What commands print; they must all do."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(["bash", "-e", "-c", commands], cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


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


def test_the_glossary_of_the_page_is_read(tmp_path: Path) -> None:
    (lines,) = [block for block in blocks(DOCUMENT) if "requisite != need" in block]
    (tmp_path / "house.txt").write_text(lines, encoding="utf-8")
    glossary = read_glossary(tmp_path / "house.txt")
    assert glossary.wanted[("alarmed",)] == ("alarmed",)
    assert glossary.refused == (
        (("requisite",), ("need",)),
        (("prior", "to"), ("before",)),
        ((), ("bother",)),
        ((), ("bothers",)),
    )


def test_a_model_with_a_glossary_of_its_own_is_made_as_printed(tmp_path: Path) -> None:
    (commands,) = [block for block in blocks(DOCUMENT) if "mkdir house" in block]
    model = Path("sbmt/models/starter/model.yaml")
    (tmp_path / model.parent).mkdir(parents=True)
    shutil.copy(ROOT / model, tmp_path / model)
    (tmp_path / "letter.txt").write_text("The leaflet was utilized.\n")
    assert run(commands, tmp_path) == "The leaflet was used.\n"


def test_the_page_for_editors_works_as_printed(tmp_path: Path) -> None:
    """Its commands one after the other, with a letter and two texts."""
    (tmp_path / "texts").mkdir()
    for name in ("letter.txt", "texts/a.txt", "texts/b.txt"):
        (tmp_path / name).write_text("The principal alarm was utilized.\n")
    first, *others = blocks(GUIDE)
    assert "{+started+}" in run(first, tmp_path)
    for block in others:
        if block.startswith("principal = "):
            (tmp_path / "words.txt").write_text(block)
        else:
            run(block, tmp_path)
    for text in ("simple/a.txt", "simple/b.txt"):
        assert (tmp_path / text).read_text() == "The main alarm was used.\n"
    assert "<h2>texts/b.txt</h2>" in (tmp_path / "changes.html").read_text()
    assert "<ins>main</ins>" in (tmp_path / "letter.html").read_text()
    assert (tmp_path / "letter.txt").read_text() == "The principal alarm was utilized.\n"
