"""Commands of docs/learning.md, run as they are."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sbmt.cli import features, learn, rules
from sbmt.cli.shared.command import EntryPoint
from sbmt.ppdb.packed import packed_rules

DOCUMENT = Path(__file__).parents[2] / "docs/learning.md"
COMMANDS: dict[str, EntryPoint] = {
    "sbmt-learn": learn.main,
    "sbmt-rules": rules.main,
    "sbmt-features": features.main,
}


def test_a_grammar_joined_by_what_was_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("complex.txt").write_text("he utilized the 3 gizmos\nhe utilized the 3 tools\n")
    Path("simple.txt").write_text("he used the 3 widgets\nhe used the 3 tools\n")
    Path("grammar.gz").write_text("[VBD] ||| utilized ||| used ||| Safe=1\n")
    Path("crowd.gz").write_text("[X] ||| utilized ||| used ||| LogCount=1\n")
    text = DOCUMENT.read_text(encoding="utf-8").partition("## Joining what was learnt\n")[2]
    block = re.search(r"```\n(.*?)```", text, re.DOTALL)
    assert block is not None
    for command in re.split(r"\n|&&", block[1].strip()):
        name, *arguments = shlex.split(command)
        assert COMMANDS[name](arguments) == 0, command
    joined = {(" ".join(rule.source), " ".join(rule.target)): rule.features for rule in packed_rules("grammar.packed")}
    known, new = joined["utilized", "used"], joined["gizmos", "widgets"]
    assert {"Safe", "In:tune", "tune:p(e|f)", "In:crowd", "RuleQuality", "ZipfDiff"} <= known.keys()
    assert "LearntOnly" not in known
    assert {"LearntOnly", "In:tune", "RuleQuality"} <= new.keys()


BIN = str(Path(sys.executable).parent)


@pytest.mark.skipif(not shutil.which("sbmt-learn", path=BIN), reason="the commands are not beside this Python")
def test_a_list_to_choose_from(tmp_path: Path) -> None:
    sides = {"complex.txt": "he utilized the tools", "simple.txt": "he used the tools"}
    for name, sentence in sides.items():
        (tmp_path / name).write_text(f"{sentence}\n" * 4)
    text = DOCUMENT.read_text(encoding="utf-8").partition("## From few sentences\n")[2]
    block = re.search(r"```\n(.*?)```", text, re.DOTALL)
    assert block is not None
    environment = os.environ | {"PATH": BIN + os.pathsep + os.environ["PATH"]}
    subprocess.run(["bash", "-ec", block[1]], cwd=tmp_path, env=environment, check=True, capture_output=True)
    listed = [line.split("\t") for line in (tmp_path / "list.tsv").read_text().splitlines()]
    assert ["utilized", "used", "4", " he utilized the tools "] in listed
