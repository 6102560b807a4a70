"""The programs and commands of docs/decode.md, docs/editors.md and docs/starter.md, run as they are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from sbmt.simplifier import Options, Simplifier
from sbmt.text.glossary_lines import read_glossary
from sbmt.text.protection.patterns import read_patterns

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/decode.md"
GUIDE = ROOT / "docs/editors.md"
STARTER = ROOT / "docs/starter.md"


def blocks(document: Path) -> list[str]:
    """The blocks of commands and files."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [block for language, block in fenced if not language]


def programs() -> list[str]:
    """Those of the document."""
    return re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


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
    program, *_ = programs()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match=r"cannot start: terms\.txt: no such file"):
        exec(program, {})
    (tmp_path / "terms.txt").write_text("numerous\n", encoding="utf-8")
    exec(program, {})
    assert capsys.readouterr().out.startswith("He used numerous tools. [VBD] ||| utilized ||| used () {'source'")


def test_the_programs_for_processes_and_tables_run(tmp_path: Path) -> None:
    _, processes, tables = programs()
    (tmp_path / "processes.py").write_text(processes, encoding="utf-8")
    assert run("python processes.py", tmp_path) == "['He used many tools.', 'They started.']\n"
    (tmp_path / "tables.py").write_text(tables, encoding="utf-8")
    table = 'numerous,text\r\nutilized,"It was utilized,\nso"\r\n'
    (tmp_path / "table.csv").write_text(table, encoding="utf-8-sig")  # with a byte order mark, as Excel writes it
    run("python tables.py", tmp_path)
    assert (tmp_path / "simple.csv").read_text(encoding="utf-8") == 'numerous,text\nutilized,"It was used,\nso"\n'


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
    lay_out(tmp_path, "The leaflet was utilized.\n")
    assert run(commands, tmp_path) == "The leaflet was used.\n"


@pytest.mark.slow
def test_a_model_with_none_but_approved_rules_is_made_as_printed(tmp_path: Path) -> None:
    (commands,) = [block for block in blocks(STARTER) if "approved.txt" in block]
    lay_out(tmp_path, "They commenced and utilized numerous tools.\n")
    (tmp_path / "approved.txt").write_text("[VBD] ||| utilized ||| used\n")
    assert run(commands, tmp_path) == "They commenced and [-utilized-]{+used+} numerous tools.\n"


@pytest.mark.slow
def test_a_model_of_phrases_alone_is_made_as_printed(tmp_path: Path) -> None:
    """Its command stands in the place of the second one of the model of approved rules."""
    (approved,) = [block for block in blocks(STARTER) if "approved.txt" in block]
    (phrases,) = [block for block in blocks(STARTER) if block.startswith("sbmt-rules filter") and "own/" in block]
    begin, end = approved.index("sbmt-rules filter"), approved.index("sed ")
    lay_out(tmp_path, "They commenced it in order to win.\n")
    output = run(approved[:begin] + phrases.rstrip("\n") + "\n" + approved[end:], tmp_path)
    assert output == "They commenced it [-in order -]to win.\n"


def lay_out(folder: Path, letter: str) -> None:
    """Lay out what the commands need of the sbmt folder, and a letter."""
    model = Path("sbmt/models/starter/model.yaml")
    (folder / model.parent).mkdir(parents=True)
    shutil.copy(ROOT / model, folder / model)
    (folder / "letter.txt").write_text(letter)


@pytest.mark.slow
def test_the_page_for_editors_works_as_printed(tmp_path: Path) -> None:
    """Its commands one after the other, with a letter and two texts; what is no command is a file."""
    model = Path("sbmt/models/starter/model.yaml")
    for folder in ("texts", model.parent):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / model, tmp_path / model)
    for name in ("letter.txt", "texts/a.txt", "texts/b.txt"):
        (tmp_path / name).write_text("The principal alarm was utilized.\n")
    named = {"principal =": "words.txt", "/“": "keep.txt", "wayleave": "own/own.txt"}
    first, *others = blocks(GUIDE)
    assert "{+started+}" in run(first, tmp_path)
    shown = ""
    for block in others:
        name = next((name for start, name in named.items() if block.startswith(start)), None)
        if name:
            (tmp_path / name).write_text(block, encoding="utf-8")
        else:
            shown += run(block, tmp_path)
    for text in ("simple/a.txt", "simple/b.txt"):
        assert (tmp_path / text).read_text() == "The main alarm was used.\n"
    assert "<h2>texts/b.txt</h2>" in (tmp_path / "changes.html").read_text()
    assert "<ins>main</ins>" in (tmp_path / "letter.html").read_text()
    assert (tmp_path / "letter.txt").read_text() == "The principal alarm was utilized.\n"
    assert "start  [VB]" in shown
    assert "tenth" in (tmp_path / "compare.html").read_text()


def test_the_recipes_for_editors_do_what_they_say(tmp_path: Path) -> None:
    """Quotations stay; rules of a list are used, where the model would use them."""
    (tmp_path / "own").mkdir()
    for start, name in (("/“", "keep.txt"), ("wayleave", "own/own.txt")):
        (block,) = [block for block in blocks(GUIDE) if block.startswith(start)]
        (tmp_path / name).write_text(block, encoding="utf-8")
    several = "“He utilized it. She utilized it,” he said."
    text = '“He utilized it,” she said. "He utilized it," she said, and utilized it.'
    keeping = Simplifier.load("starter", Options(patterns=read_patterns(tmp_path / "keep.txt")))
    assert keeping.simplify(text).output == text.removesuffix("utilized it.") + "used it."
    assert not keeping.simplify(several).changes
    model = (ROOT / "sbmt/models/starter/model.yaml").read_text(encoding="utf-8")
    own = model.replace("grammars:\n", "grammars:\n  - {path: own.txt, owner: own}\n", 1)
    (tmp_path / "own/model.yaml").write_text(own, encoding="utf-8")
    changed = Simplifier.load(tmp_path / "own").simplify("The wayleave and the kerbside bins were utilized.")
    assert changed.output == "The right of way and the roadside bins were used."
    assert [change.owner for change in changed.changes] == ["own", "own", "pt"]
    (line,) = re.findall(r"`(PhrasePenalty_own: .*?)`", GUIDE.read_text(encoding="utf-8"))
    (tmp_path / "own/own.txt").write_text("utilized\tset to work\n", encoding="utf-8")
    for weight, output in (("", "It was used."), (f"  {line}\n", "It was set to work.")):
        (tmp_path / "own/model.yaml").write_text(own.replace("weights:\n", f"weights:\n{weight}"), encoding="utf-8")
        assert Simplifier.load(tmp_path / "own").simplify("It was utilized.").output == output
