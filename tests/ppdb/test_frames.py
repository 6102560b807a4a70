"""Rules that change a phrase in a context, against a scan of all rules."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sbmt.ppdb.frames import frames
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule

GAP, OTHER = "[NN,1]", "[JJ,2]"
SIDES = [side for n in (1, 2, 3, 4) for side in product("abc_", repeat=n)]


def rule(source: str, target: str) -> Rule:
    return Rule("X", tuple(source.split()), tuple(target.split()))


def scanned(rules: list[Rule], phrase: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Source sides that, gaps aside, are the phrase with at most a word on either side, and not the phrase itself."""
    sources = set()
    for each in rules:
        words = tuple(symbol for symbol in each.source if symbol not in (GAP, OTHER))
        first = words[: len(phrase)] == phrase and len(words) <= len(phrase) + 1
        second = words[1 : len(phrase) + 1] == phrase and len(words) <= len(phrase) + 2
        if (first or (second and each.source[:2] == words[:2])) and each.source != phrase:
            sources.add(each.source)
    return sources


@given(st.lists(st.sampled_from(SIDES), min_size=1, max_size=30), st.sampled_from([("a",), ("a", "b"), ("b", "b")]))
@example(sides=[("a", "a")], phrase=("a",))  # sources once, though either word may be the one beside the phrase
def test_the_trie_gives_what_a_scan_gives(sides: list[tuple[str, ...]], phrase: tuple[str, ...]) -> None:
    """Sides with at most two gaps, each left as it is; a word before the phrase is the first and next to it."""
    rules = []
    for side in dict.fromkeys(sides):
        if side.count("_") <= 2:
            gaps = iter((GAP, OTHER))
            source = tuple(next(gaps) if symbol == "_" else symbol for symbol in side)
            rules.append(Rule("X", source, source))
    if not rules:
        return
    sources = [frame.rule.source for frame in frames(Grammar.from_rules(rules, "pt", 20), phrase)]
    assert sorted(sources) == sorted(scanned(rules, phrase))


@pytest.mark.parametrize(
    ("source", "target", "put"),
    [
        ("grand [NN,1]", "big [NN,1]", "big"),
        ("is grandly [VBN,1]", "is [VBN,1] in style", "in style"),
        ("grandly in", "in style in", "in style"),  # the last "in" is that after the phrase
        ("in grandly", "in style in", "style in"),
        ("very grand [NN,1]", "very [NN,1]", ""),
    ],
)
def test_the_replacement_is_separated_from_the_words_around_it(source: str, target: str, put: str) -> None:
    grammar = Grammar.from_rules([rule(source, target)], "pt", 20)
    word = next(symbol for symbol in source.split() if symbol.startswith("grand"))
    assert [frame.replacement for frame in frames(grammar, [word])] == [tuple(put.split())]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("grand total", "sum"),  # changes the word beside it as well
        ("grand", "big"),  # has no context
        ("so very grand [NN,1]", "so very big [NN,1]"),
        ("total [NN,1]", "whole [NN,1]"),
    ],
)
def test_other_rules_are_left_out(source: str, target: str) -> None:
    assert list(frames(Grammar.from_rules([rule(source, target)], "pt", 20), ["grand"])) == []


def test_a_word_that_no_rule_has() -> None:
    assert list(frames(Grammar.from_rules([rule("grand [NN,1]", "big [NN,1]")], "pt", 20), ["great"])) == []
