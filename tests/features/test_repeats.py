"""Words that a rule would say again, case by case."""

from __future__ import annotations

import pytest

from sbmt.features.sentence.application import PASSED, Application, Value
from sbmt.features.sentence.repeats import Repeats


def values(text: str, target: str, grammar: int = 0) -> list[Value]:
    """Of a rule that replaces what stands between brackets."""
    words = text.split()
    span = words.index("["), words.index("]") - 1
    application = Application(grammar, 1 if grammar >= 0 else PASSED, "pt", "NN", span, tuple(target.split()), 0)
    return list(Repeats().values([word for word in words if word not in "[]"], [application]))


@pytest.mark.parametrize(
    ("text", "target"),
    [("health and [ wellbeing ]", "health"), ("the [ construction ] of buildings", "building"),
     ("area of plane [ regions ]", "areas"), ("no [ fee ] is charged", "charge"), ("he planned the [ scheme ]", "plan"),
     ("two [ municipalities ] of the big city", "cities"), ("languages and [ dialects ]", "local languages"),
     ("a car or other [ vehicles ]", "cars"), ("one process of [ a kind ]", "processes"),
     ("a pass or [ leave ]", "passing")],
)  # fmt: skip
def test_a_form_of_a_word_near_the_rule_is_a_repeat(text: str, target: str) -> None:
    assert values(text, target) == [(0, "Repeats", 1.0)]


@pytest.mark.parametrize(
    ("text", "target"),
    [("health was what one called [ wellbeing ]", "health"),  # five words away
     ("health and [ wellbeing ]", "happiness"), ("people and [ many people ]", "the people"),  # nothing is added
     ("more money and [ several ] cars", "more"), ("it is as it [ appears ]", "is"),
     ("the [ article ] is", "thing"), ("a statue of the [ position ]", "status"), ("an ad [ brings ] more", "adds"),
     ("to st ives on a [ horse ]", "steed")],
)  # fmt: skip
def test_words_of_another_kind_are_none(text: str, target: str) -> None:
    assert not values(text, target)


@pytest.mark.parametrize(
    ("text", "target", "repeats"),
    [
        ("from all [ across ] it", "all over", True),
        ("is [ seldom ] not so", "often not", True),
        ("he had [ owned ] it", "had", False),
        ("all [ in ] it", "over all", False),
        ("in [ whole ] weeks", ", in ,", False),
        ("it is [ is located in ] it", "is in", False),
        ("all [ over it ] it again", "around it", False),
        ("he left [ quickly ] , too", "soon ,", False),
        ("[ across ]", "all over", False),
        ("all [ across ] it", "", False),
    ],
)
def test_any_word_right_beside_itself_is_a_repeat(text: str, target: str, repeats: bool) -> None:
    assert bool(values(text, target)) is repeats


def test_a_word_that_is_kept_repeats_nothing() -> None:
    assert not values("health and [ health ]", "health")
    assert not values("health and [ wellbeing ]", "health", grammar=-1)
    passed, rule = (Application(grammar, 1, "pt", "NN", (2, 3), ("health",), 0) for grammar in (-1, 0))
    assert list(Repeats().values("health and wellbeing".split(), [passed, rule])) == [(1, "Repeats", 1.0)]


def test_gaps_are_no_words() -> None:
    application = Application(0, 1, "pt", "NP", (1, 3), (0, "health"), 1)
    assert not list(Repeats().values(["big", "old", "house"], [application]))
    assert list(Repeats().values(["health", "old", "house"], [application])) == [(0, "Repeats", 1.0)]
