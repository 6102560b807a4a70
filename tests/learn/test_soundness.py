"""What learnt rules are by their words, on cases worked by hand."""

from __future__ import annotations

import pytest

from sbmt.ppdb.learn.soundness import grammatical, possible, sound
from sbmt.ppdb.rule import Rule


@pytest.mark.parametrize(
    ("source", "target", "features", "kept"),
    [
        ("large", "big", {"p(e|f)": 4.6}, True),
        ("large", "big", {"p(e|f)": 4.7}, False),
        ("large", "big", {"p(e|f)": 4.7, "Listed": 1.0}, True),
        ("large", "big", {}, True),
        (", large", ", big", {}, True),
        ("large .", "big .", {}, False),
        ("-lrb- large", "-lrb- big", {}, False),
        ("2 large", "2 big", {}, True),
        ("2 large", "3 big", {}, False),
    ],
)
def test_possible_paraphrases(source: str, target: str, features: dict[str, float], kept: bool) -> None:
    assert possible(Rule("X", (*source.split(),), (*target.split(),), features)) is kept


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [("mountains", "mountain", False), ("the mountains", "the mountain", False), ("required", "requires", False),
     ("required", "needed", True), ("which", "that", True), ("zorbed", "zorbs", True), ("is made", "made", False),
     ("january 30", "on january 30", False), ("in order to", "to", True), ("said that", "said", True),
     ("a part of", "parts of", True), ("the mountains rise", "the mountain rises", True)],
)  # fmt: skip
def test_grammatical_rules(source: str, target: str, kept: bool) -> None:
    assert grammatical(Rule("X", (*source.split(),), (*target.split(),), {})) is kept


@pytest.mark.parametrize(
    ("source", "target", "cost", "kept"),
    [
        ("utilize", "use", 1.0, True),
        ("utilize", "use", 6.0, False),  # p(f|e) below .003
        ("in the", "in the large", 1.0, False),  # an invention
        ("of the", "river", 1.0, False),
        ("in 1985", "then", 1.0, True),
        ("in 1985", "decades", 1.0, True),  # a number may become a word
        ("in it", "decades", 1.0, False),
        ("located in", "in", 1.0, False),
        ("is located in", "is in", 6.0, True),  # inside the rule
        ("is one of", "is", 1.0, False),
        ("the very large", "the", 1.0, False),
        ("the famous", "the", 1.0, True),
        (", who", "who", 6.0, True),
        ("steep cliffs", "it", 1.0, False),
    ],
)
def test_sound_rules(source: str, target: str, cost: float, kept: bool) -> None:
    assert sound(Rule("X", (*source.split(),), (*target.split(),), {"back": cost}), "back") is kept
