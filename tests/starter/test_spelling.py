"""British spellings, from a dictionary."""

from __future__ import annotations

from pathlib import Path

import pytest
from starter.expand import INFLECTED_LISTS, PLAIN_LISTS, expand_lists
from starter.spelling import british


@pytest.mark.parametrize(
    ("american", "expected"),
    [("colonization", "colonisation"), ("socialized", "socialised"), ("analyze", "analyse"), ("laborers", "labourers"),
     ("misdemeanor", "misdemeanour"), ("unfavorably", "unfavourably"), ("epicenter", "epicentre"),
     ("counselor", "counsellor"), ("fueled", "fuelled"), ("dispatched", "despatched"),
     ("hemorrhage", "haemorrhage"), ("skepticism", "scepticism"), ("enroll", "enrol"),
     ("willful", "wilful")],
)  # fmt: skip
def test_american_words_have_british_spellings(american: str, expected: str) -> None:
    assert british(american) == expected


@pytest.mark.parametrize(
    "word", ["prize", "size", "downsize", "analyzes", "humorous", "enter", "revealed", "author", "enrolled", "tumor's"]
)
def test_other_words_stay(word: str) -> None:
    assert british(word) == word


def test_a_rule_is_made_again_for_a_spelling_that_no_list_has(tmp_path: Path) -> None:
    for name in (*INFLECTED_LISTS, *PLAIN_LISTS, "modifiers", "adverbials", "syntactic"):
        (tmp_path / f"{name}.txt").write_text("")
    (tmp_path / "nouns.txt").write_text("modernization = updating\nlabor = work\nlabour = toil\nepicenter = center\n")
    (tmp_path / "phrases.txt").write_text("in honor of the = to honor the\n")
    rules = {(rule.lhs, " ".join(rule.source), " ".join(rule.target)) for rule in expand_lists(tmp_path)}
    assert ("NN", "modernisation", "updating") in rules
    assert ("NN", "epicentre", "centre") in rules
    assert ("X", "in honour of the", "to honour the") in rules
    assert {target for _, source, target in rules if source == "labour"} == {"toil"}
