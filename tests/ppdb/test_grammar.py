"""Grammar columns: what goes in comes out, and the trie finds what a scan of the rules finds."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.errors import ModelError
from sbmt.ppdb.columns import ROOT
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule

RULES = [
    Rule("NP", ("the", "[NN,1]", "of", "[NP/PP,2]"), ("[NP/PP,2]", "'s", "[NN,1]"), {"p": 1.5, "q": -2.0}, ((1, 2),)),
    Rule("X", ("utilise",), ("use",), {"p": 0.25}, ((0, 0),), "Equivalence"),
    Rule("X", ("utilise",), ("apply",), {"r": 3.0}),
    Rule("VP", ("utilise",), (), {"p": 1.0}),
    Rule("X", ("[NP,1]",), ("the", "[NP,1]"), {}),
]


def test_rules_come_back_whole() -> None:
    grammar = Grammar.from_rules(RULES, "pt", 10)
    assert sorted((grammar.rule(i) for i in range(len(grammar))), key=repr) == sorted(RULES, key=repr)


def test_rules_of_one_source_side_keep_their_order() -> None:
    grammar = Grammar.from_rules(RULES, "pt", 10)
    node = grammar.child(ROOT, grammar.terminal("utilise"))
    assert [grammar.rule(i).target for i in grammar.rules(node)] == [("use",), ("apply",), ()]


def test_unknown_words_have_no_id() -> None:
    grammar = Grammar.from_rules(RULES, "pt", 10)
    assert grammar.terminal("utilised") == -1
    assert grammar.terminal("[NP,1]") == -1
    assert grammar.terminal("\ud800") == -1


def test_empty_grammar() -> None:
    grammar = Grammar.from_rules([], "pt", 10)
    assert len(grammar) == 0
    assert list(grammar.rules(ROOT)) == []
    assert grammar.terminal("a") == -1


@pytest.mark.parametrize("target", [("[X,2]",), ("[Y,1]",), ("[X,1]", "[X,1]"), ("word",)])
def test_gaps_must_agree(target: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="each gap must stand once on both sides"):
        Grammar.from_rules([Rule("X", ("[NP,1]", "of", "[VP,1]"), ("[VP,1]", "[NP,1]"))], "pt", 20)
    with pytest.raises(ModelError, match="each gap must stand once on both sides"):
        Grammar.from_rules([Rule("X", ("a", "[X,1]"), target)], "pt", 10)


@pytest.mark.parametrize(("source", "target"), [(("a", ""), ("b",)), (("a",), ("",))])
def test_words_are_not_empty(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="one of its words is empty"):
        Grammar.from_rules([Rule("X", source, target)], "pt", 10)


def test_a_side_is_no_text() -> None:
    rule = Rule("X", "ab", "cd")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a side of a rule is a tuple of words, not the text 'ab'"):
        Grammar.from_rules([rule], "pt", 10)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_values_are_finite(value: float) -> None:
    rules = [Rule("X", ("a",), ("b",), {"f": 1.0, "g": value}), Rule("X", ("a",), ("c",), {"f": 1.0})]
    with pytest.raises(ModelError, match=f"a rule has {value} as its g"):
        Grammar.from_rules(rules, "pt", 10)


symbols = st.lists(st.sampled_from(["a", "b", "ç", "N", "M"]), min_size=1, max_size=3)


def numbered(side: list[str], index: int = 0) -> Rule:
    gaps = count(1)
    source = tuple(f"[{s},{next(gaps)}]" if s in "NM" else s for s in side)
    return Rule("X", source, source, {"i": float(index)})


@given(st.lists(symbols, max_size=12))
def test_trie_finds_what_a_scan_finds(sources: list[list[str]]) -> None:
    rules = [numbered(side, index) for index, side in enumerate(sources)]
    grammar = Grammar.from_rules(rules, "pt", 10)
    labels = {grammar.label(i): i for i in range(len(grammar.labels))}
    for side in sources:
        node = ROOT
        for symbol in side:
            if symbol in "NM":
                assert grammar.gap_edges(node)[labels[symbol]] == grammar.child(node, -1 - labels[symbol])
                node = grammar.gap_edges(node)[labels[symbol]]
            else:
                node = grammar.child(node, grammar.terminal(symbol))
        values = [grammar.features(i)["i"] for i in grammar.rules(node)]
        assert values == [float(i) for i, other in enumerate(sources) if other == side]
        assert all(grammar.rule(i).source == numbered(side).source for i in grammar.rules(node))


@given(st.lists(symbols, max_size=12))
def test_look_ups_of_many_nodes_match_single_ones(sources: list[list[str]]) -> None:
    grammar = Grammar.from_rules([numbered(side) for side in sources], "pt", 10)
    nodes = np.arange(len(grammar.columns.node_symbol))
    for symbol in (*range(-len(grammar.labels), 0), *range(len(grammar.words))):
        assert grammar.children(nodes, symbol).tolist() == [grammar.child(node, symbol) for node in nodes.tolist()]
    assert grammar.has_rules(nodes).tolist() == [len(grammar.rules(node)) > 0 for node in nodes.tolist()]
    assert grammar.has_gaps(nodes).tolist() == [bool(grammar.gap_edges(node)) for node in nodes.tolist()]
    gaps = [grammar.gap_children(node) for node in nodes.tolist()]
    first, count = grammar.gap_ranges(nodes)
    assert count.tolist() == [len(children) for children in gaps]
    assert [n for n, children in zip(first.tolist(), gaps, strict=True) if children] == [c.start for c in gaps if c]
    assert grammar.has_words(nodes).tolist() == [grammar.leads_by_word(node) for node in nodes.tolist()]


def test_copies_are_distinguished_from_changes() -> None:
    sides = {
        ("a", "b"): ("a", "b"),
        ("a", "c"): ("a",),
        ("the", "[NN,1]", "of", "[NP,2]"): ("the", "[NN,1]", "of", "[NP,2]"),
        ("[NP,1]", "'s", "[NN,2]"): ("[NN,2]", "'s", "[NP,1]"),
        ("[NN,1]", "x"): ("x", "[NN,1]"),
    }
    grammar = Grammar.from_rules([Rule("X", source, target) for source, target in sides.items()], "pt", 20)
    copies = {grammar.rule(i).source: grammar.is_copy(i) for i in range(len(grammar))}
    assert copies == {source: source == target for source, target in sides.items()}
