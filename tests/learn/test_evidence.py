"""Grammars joined by what was learnt elsewhere, on cases worked by hand."""

from __future__ import annotations

from pathlib import Path

from sbmt.ppdb.formats import format_rule, read_rules
from sbmt.ppdb.learn.evidence import sound_of, with_learnt
from sbmt.ppdb.rule import Rule


def test_learnt_rules_join_rules_of_the_same_sides_whatever_their_label() -> None:
    own = [Rule("VBD", ("utilized",), ("used",), {"StarterSafe": 1.0}), Rule("NN", ("tool",), ("thing",), {})]
    tune = [Rule("X", ("utilized",), ("used",), {"p(e|f)": 0.5, "Other": 9.0}), Rule("X", ("a",), ("one",), {})]
    own += [Rule("NN", ("mill",), ("mill",), {})]  # of what is kept as it is nothing is learnt
    tune += [Rule("X", ("mill",), ("mill",), {"p(e|f)": 2.0})]
    crowd = [Rule("X", ("a",), ("one",), {"p(e|f)": 2.0}), Rule("X", ("big",), ("big",), {"p(e|f)": 2.0})]
    rules = with_learnt(own, {"tune": tune, "crowd": crowd}, {})
    assert {" ".join(rule.target): (rule.lhs, rule.features) for rule in rules} == {
        "used": ("VBD", {"StarterSafe": 1.0, "tune:p(e|f)": 0.5, "In:tune": 1.0}),
        "thing": ("NN", {}),
        "mill": ("NN", {}),
        "one": ("X", {"In:tune": 1.0, "In:crowd": 1.0, "crowd:p(e|f)": 2.0, "LearntOnly": 1.0}),
    }
    targets = [rule.target for rule in with_learnt(own, {"tune": tune[:1]}, {"crowd": crowd})]
    assert targets == [("used",), ("thing",), ("mill",)]


def test_existing_features_stay_digit_for_digit(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("[X] ||| big ||| large ||| p=1.50 q=NA r=2.000 ||| 0-0\n")
    learnt = [Rule("X", ("big",), ("large",), {"p(e|f)": 0.5})]
    (rule,) = with_learnt(read_rules(tmp_path / "own"), {"tune": learnt}, {})
    assert format_rule(rule) == "[X] ||| big ||| large ||| p=1.50 q=NA r=2.000 tune:p(e|f)=0.5 In:tune=1 ||| 0-0"


def test_a_learnt_word_for_a_word_has_the_labels_that_both_can_have() -> None:
    pairs = {
        "observed": "saw",
        "needed": "required",
        "observations": "views",
        "thrice": "zorb",
        "the observed": "the saw",
    }
    learnt = [Rule("X", (*source.split(),), (*target.split(),), {}) for source, target in pairs.items()]
    labels = {
        pair: [rule.lhs for rule in with_learnt([], {"tune": learnt}, {}) if " ".join(rule.source) == pair]
        for pair in pairs
    }
    assert labels == {
        "observed": ["VBD"],
        "needed": ["VBD", "VBN"],
        "observations": ["NNS"],
        "thrice": ["X"],
        "the observed": ["X"],
    }


def test_evidence_also_covers_joined_rules_and_its_first_rule_counts() -> None:
    learnt = [Rule("X", ("a", "b"), ("c", "d"), {"p(e|f)": 1.0})]
    crowd = [
        Rule("X", ("a", "b"), ("c", "d"), {"LogCount": 2.0}),
        Rule("NP", ("a", "b"), ("c", "d"), {"LogCount": 9.0}),
    ]
    (rule,) = with_learnt([], {"tune": learnt}, {"crowd": crowd})
    assert rule.features == {"tune:p(e|f)": 1, "In:tune": 1, "crowd:LogCount": 2, "In:crowd": 1, "LearntOnly": 1}


def test_only_rules_added_by_a_source_must_be_sound() -> None:
    unlikely, kept = {"LearntOnly": 1.0, "tune:p(f|e)": 6.0}, sound_of("tune")
    assert not kept(Rule("X", ("utilize",), ("use",), {**unlikely, "In:tune": 1.0}))
    assert kept(Rule("X", ("utilize",), ("use",), {**unlikely, "In:crowd": 1.0}))
    assert kept(Rule("X", ("in", "the"), ("in", "the", "large"), {"In:tune": 1.0}))
    assert not kept(Rule("X", ("in", "the"), ("in", "the", "large"), {"LearntOnly": 1.0, "In:tune": 1.0}))
