"""The commands of docs/learning.md that join what was learnt to a grammar, run as they are."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sbmt.cli import features, learn, rules
from sbmt.cli.command import EntryPoint
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
    found = re.search(r"```\n(.*?)```", text, re.DOTALL)
    assert found is not None
    for command in re.split(r"\n|&&", found[1].strip()):
        name, *arguments = shlex.split(command)
        assert COMMANDS[name](arguments) == 0, command
    joined = {(" ".join(rule.source), " ".join(rule.target)): rule.features for rule in packed_rules("grammar.packed")}
    known, new = joined["utilized", "used"], joined["gizmos", "widgets"]
    assert {"Safe", "In:tune", "tune:p(e|f)", "In:crowd", "RuleQuality", "ZipfDiff"} <= known.keys()
    assert "LearntOnly" not in known
    assert {"LearntOnly", "In:tune", "RuleQuality"} <= new.keys()
