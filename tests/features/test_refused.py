"""Which rules write what is refused, case by case."""

from __future__ import annotations

import numpy as np
import pytest

from sbmt.features.sentence.application import PASSED, Application
from sbmt.features.sentence.refused import Refused
from sbmt.lm.symbols import Symbol
from sbmt.text.glossary import is_refused

SENTENCE = ["The", "Requisite", "fee", "is", "set", "up"]


def refused(span: tuple[int, int], target: tuple[Symbol, ...], grammar: int = 0) -> bool:
    feature = Refused([(("requisite",), ("need",)), (("set", "up"), ("start", "up")), (("absent",), ("fee",))])
    application = Application(grammar, 1 if grammar >= 0 else PASSED, "pt", "NN", span, target, 0)
    return list(feature.values(SENTENCE, [application])) == [(0, "Refused", 1.0)]


@pytest.mark.parametrize(
    ("span", "target"),
    [((1, 2), ("need",)), ((1, 3), ("Need", "fee")), ((0, 3), (0, "need", "money")), ((4, 6), ("start", "up"))],
)
def test_a_rule_over_the_term_that_writes_the_words(span: tuple[int, int], target: tuple[Symbol, ...]) -> None:
    assert refused(span, target)


@pytest.mark.parametrize(
    ("span", "target"),
    [
        ((1, 2), ("needed",)),  # another word
        ((2, 3), ("need",)),  # the term is not under the rule
        ((1, 3), ("requisite", "need")),  # the term stays
        ((4, 6), ("start", 0, "up")),  # not in a row
        ((2, 3), ("fee",)),  # its term is not in the sentence
    ],
)
def test_other_rules(span: tuple[int, int], target: tuple[Symbol, ...]) -> None:
    assert not refused(span, target)


@pytest.mark.parametrize(
    ("span", "target", "writes"),
    [
        ((2, 3), ("bother",), True),
        ((0, 3), ("a", "Bother", 0), True),
        ((2, 3), ("bothers",), False),
        ((4, 5), ("bother",), False),  # the source has it
        ((2, 5), ("no", "bother"), False),
    ],
)
def test_words_that_only_the_source_may_bring(span: tuple[int, int], target: tuple[Symbol, ...], writes: bool) -> None:
    feature = Refused([((), ("bother",))])
    application = Application(0, 1, "pt", "NN", span, target, 0)
    values = list(feature.values(["It", "is", "a", "great", "bother"], [application]))
    assert bool(values) == writes


def test_what_is_passed_through_is_no_rule() -> None:
    assert not refused((1, 2), ("need",), grammar=-1)


def test_a_list_refuses_what_any_of_its_pairs_does() -> None:
    rng = np.random.default_rng(1)

    def words(least: int) -> tuple[str, ...]:
        return tuple(rng.choice(["a", "b", "c", "d"], rng.integers(least, 4)).tolist())

    refusals = 0
    for _ in range(300):
        pairs = [(words(0), words(1)) for _ in range(4)]
        sentence, target = words(3), words(1)
        span = (0, int(rng.integers(1, 4)))
        expected = any(is_refused(pair, sentence[: span[1]], target) for pair in pairs)
        values = list(Refused(pairs).values(sentence, [Application(0, 1, "pt", "NN", span, target, 0)]))
        assert values == [(0, "Refused", 1.0)] * expected
        refusals += expected
    assert 30 < refusals < 270
