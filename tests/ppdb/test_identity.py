"""Rules that copy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbmt.cli.features import main
from sbmt.errors import SbmtError
from sbmt.ppdb.identity import identity_rules


def test_identity_rules_copy() -> None:
    assert [(r.source, r.target, r.alignment) for r in identity_rules(["one", "two"])] == [
        (("one",), ("one",), ((0, 0),)),
        (("two",), ("two",), ((0, 0),)),
    ]


@pytest.mark.parametrize("word", ["[NN,1]", "[NN,10]", "a|||b", "a ||| b", "a b", " ", ""])
def test_words_that_no_rule_can_hold_are_refused(word: str) -> None:
    with pytest.raises(SbmtError, match=re.escape(f"{word!r} is no word that a rule can hold (words are not empty, ")):
        list(identity_rules([word]))


def test_the_command_writes_a_rule_for_each_word(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("one two\none\n")
    assert main(["identity", str(tmp_path / "words"), str(tmp_path / "out"), "--label", "NN"]) == 0
    assert (tmp_path / "out").read_text() == "[NN] ||| one ||| one |||  ||| 0-0\n[NN] ||| two ||| two |||  ||| 0-0\n"


@pytest.mark.parametrize("word", ["[NN,1]", "|||", "dog|||hound"])
def test_words_that_look_like_markup_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str) -> None:
    (tmp_path / "words").write_text(f"one {word}\n")
    assert main(["identity", str(tmp_path / "words"), str(tmp_path / "out")]) == 2
    assert f"'{word}' is no word" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_labels_may_have_their_brackets(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("10\u00a0km\n")
    assert main(["identity", str(tmp_path / "words"), str(tmp_path / "out"), "--label", "[NN]"]) == 0
    assert (tmp_path / "out").read_text() == "[NN] ||| 10\u00a0km ||| 10\u00a0km |||  ||| 0-0\n"


@pytest.mark.parametrize("label", ["", "[]", "[[NN]]", "N N", "NN]", "NN,1", "[NN,1]", "N|||N"])
def test_impossible_labels_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], label: str) -> None:
    (tmp_path / "words").write_text("one\n")
    assert main(["identity", str(tmp_path / "words"), str(tmp_path / "out"), "--label", label]) == 2
    assert f"{label!r} is no label" in capsys.readouterr().err
