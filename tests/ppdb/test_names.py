"""PPDB's two ways to name the same probabilities: 1.0's e, the target, is 2.0's e2."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.cli.rules import main
from sbmt.ppdb.formats import RuleParser, format_rule, read_rules
from sbmt.ppdb.release_names import RELEASES, rename
from sbmt.ppdb.rule import Rule
from tests.corpora import DATA, needs_data

PARSE = RuleParser().parse
OLD = "[NN] ||| dwelling ||| house ||| Lex(f|e)=2.50 p(e|f)=1 p(LHS|f)=NA Other=3 ||| 0-0"
NEW = "[NN] ||| dwelling ||| house ||| Lex(e1|e2)=2.50 -logp(e2|e1)=1 -logp(LHS|e1)=NA Other=3 ||| 0-0"


def test_renaming_there_and_back() -> None:
    assert format_rule(rename(PARSE(OLD), "2.0")) == NEW
    assert format_rule(rename(PARSE(NEW), "1.0")) == OLD
    assert rename(PARSE(NEW), "1.0").features["p(e|f)"] == 1
    assert rename(PARSE(NEW), "2.0") == PARSE(NEW)
    rule = Rule("X", ("a",), ("b",), {"p(f|e)": 2.0})
    assert rename(rule, "2.0").features == {"-logp(e1|e2)": 2.0}


def test_a_value_that_has_the_right_name_stays() -> None:
    both = PARSE("[X] ||| a ||| b ||| p(e|f)=1 -logp(e2|e1)=2")
    assert format_rule(rename(both, "2.0")) == "[X] ||| a ||| b ||| -logp(e2|e1)=2"
    assert rename(both, "1.0").features == {"p(e|f)": 1}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rules").write_text(NEW + "\n")
    assert main(["filter", str(tmp_path / "rules"), "--names", "1.0"]) == 0
    assert capsys.readouterr().out == OLD + "\n"


@needs_data
def test_real_lines_have_all_names() -> None:
    first, _, second = (set(rule.features) for rule in read_rules(DATA / "ppdb/format-samples.txt"))
    assert set(RELEASES["2.0"]) <= first
    assert set(RELEASES["1.0"]) <= second
