"""Filtering, merging and counting: hand-worked grammars; the filter and the join against brute force."""

from __future__ import annotations

import re
import resource
from itertools import chain, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.errors import SbmtError
from sbmt.ppdb import windows
from sbmt.ppdb.filtering import balanced, by_kind, by_label, by_value, in_text, kind, substantial
from sbmt.ppdb.formats import RuleParser, format_rule
from sbmt.ppdb.merging import merge
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.statistics import count

PARSE = RuleParser().parse
LEXICAL = PARSE("[NN] ||| dwelling ||| house ||| p=1 Score=2.5 ||| 0-0")
PHRASAL = PARSE("[IN] ||| prior to ||| before ||| p=3 Score=NA ||| 0-0 1-0")
SYNTACTIC = PARSE("[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1] ||| p=-2 ||| 1-2 3-0")
RULES = [LEXICAL, PHRASAL, SYNTACTIC]


def kept(test: object, rules: list[Rule] = RULES) -> list[str]:
    return [rule.lhs for rule in rules if test(rule)]  # type: ignore[operator]


def test_kinds() -> None:
    assert [kind(rule) for rule in RULES] == ["lexical", "phrasal", "syntactic"]
    assert kind(PARSE("[X] ||| however ||| ")) == "phrasal"
    assert kind(PARSE("[X] ||| [citation ||| [1]")) == "lexical"


def test_rules_that_a_text_can_use() -> None:
    assert kept(in_text(["He left prior to the end of it ."])) == ["IN", "NP"]
    assert kept(in_text(["prior art to the", "a Dwelling"])) == ["NN"]
    cased = [PARSE("[NNP] ||| Paris ||| the capital")]
    assert kept(in_text(["in Paris"]), cased) == ["NNP"]
    assert kept(in_text(["in paris"]), cased) == []
    marked = [
        PARSE("[NP] ||| <s> he ||| <s> she"),
        PARSE("[X] ||| <s> ||| <s>"),
        PARSE("[S] ||| [X,1] </s> ||| [X,1] </s>"),
    ]
    assert kept(in_text(["He left", ""]), marked) == ["NP", "X", "S"]
    assert kept(in_text(["so he left"]), marked) == ["X", "S"]


WORD = st.sampled_from("abc")


@given(
    st.lists(st.lists(WORD, max_size=6), max_size=3),
    st.lists(st.sampled_from(["a", "b", "c", "[X,1]", "<s>", "</s>"]), min_size=1, max_size=4).filter(
        lambda s: s.count("[X,1]") < 2
    ),
)
def test_no_usable_rule_is_lost(sentences: list[list[str]], source: list[str]) -> None:
    """A rule matches if a regular expression with one or more words in its gap finds it."""
    pattern = " ".join(r"\w( \w)*" if symbol == "[X,1]" else symbol for symbol in source)
    lines = [" ".join(words) for words in sentences]
    matches = any(re.search(rf"(^| ){pattern}( |$)", " ".join(["<s>", *words, "</s>"])) for words in sentences)
    rule = Rule("X", tuple(source), tuple(source))
    assert in_text(lines)(rule) >= matches
    if "[X,1]" not in source:
        assert in_text(lines)(rule) == matches


def test_long_runs_are_matched_in_windows() -> None:
    text = ["one two three four five six seven", "five six seven eight"]
    for source, left in (("one two three four five six seven", 1), ("two three four five six eight", 0)):
        assert len(kept(in_text(text), [PARSE(f"[X] ||| {source} ||| all")])) == left


@given(st.lists(st.lists(WORD, max_size=6), max_size=4), st.integers(1, 9))
def test_windows_are_the_runs_within_sentences(sentences: list[list[str]], block: int) -> None:
    """Against brute force over all runs of up to three words, however the text is cut into blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "_BLOCK", block)
        hashed = windows.Windows(sentences)
    for run in chain.from_iterable(product("abc", repeat=n) for n in (1, 2, 3)):
        assert (run in hashed) == any(f" {' '.join(run)} " in f" {' '.join(words)} " for words in sentences)


def test_bounds_of_features() -> None:
    assert kept(by_value({"p": 1}, {})) == ["NN", "IN"]
    assert kept(by_value({}, {"p": 1})) == ["NN", "NP"]
    assert kept(by_value({"Score": 0.1}, {})) == ["NN"]  # missing or NA counts as 0
    assert kept(by_value({"p": 0}, {"Score": 0})) == ["IN"]


def test_kinds_and_labels_by_name() -> None:
    assert kept(by_kind(["lexical", "syntactic"])) == ["NN", "NP"]
    assert kept(by_label({"IN"})) == ["IN"]
    with pytest.raises(SbmtError, match=r"unknown kind 'big' \(known: lexical, phrasal, syntactic\)"):
        by_kind(["big"])


def test_merging_joins_features_and_keeps_the_earlier_value() -> None:
    other = [
        PARSE("[NN] ||| dwelling ||| home ||| q=1"),
        PARSE("[IN] ||| prior to ||| before ||| p=9 q=2 ||| ||| Equivalence"),
        PARSE("[RB] ||| prior to ||| before ||| q=3"),
    ]
    assert [format_rule(rule) for rule in merge([RULES[:2], other])] == [
        format_rule(LEXICAL),
        "[IN] ||| prior to ||| before ||| p=3 Score=NA q=2 ||| 0-0 1-0 ||| Equivalence",
        "[NN] ||| dwelling ||| home ||| q=1",
        "[RB] ||| prior to ||| before ||| q=3",
    ]


def test_merging_a_grammar_with_itself_changes_nothing() -> None:
    assert list(merge([RULES, RULES])) == RULES


def test_gaps_may_be_numbered_in_any_order() -> None:
    """Packed rules count them from the left."""
    forth, back, other = (
        PARSE(f"[NP] ||| {sides} ||| {features} ||| 0-2")
        for sides, features in (
            ("[S,2] of [NN,1] ||| [NN,1] 's [S,2]", "p=1"),
            ("[S,1] of [NN,2] ||| [NN,2] 's [S,1]", "q=2"),
            ("[S,1] of [NN,2] ||| [S,1] 's [NN,2]", "q=3"),
        )
    )
    for first, second, written in ((forth, back, "p=1 q=2"), (back, forth, "q=2 p=1")):
        joined = list(merge([[first], [second, other]]))
        assert [(rule.source, rule.target) for rule in joined] == [
            (rule.source, rule.target) for rule in (first, other)
        ]
        assert f"||| {written} ||| 0-2" in format_rule(joined[0])


def test_merging_where_few_files_may_be_open() -> None:
    rules = [Rule("X", (f"w{i}",), ("t",), {"p": float(i)}) for i in range(500)]
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(128, limits[0]), limits[1]))
    try:
        assert list(merge([rules, rules[::-1]])) == rules
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


SOME_RULES = st.lists(
    st.builds(
        Rule,
        st.sampled_from(["NN", "NP"]),
        st.sampled_from([("a",), ("a", "b")]),
        st.sampled_from([("c",), ("c", "d")]),
        st.dictionaries(st.sampled_from("pqr"), st.integers(-3, 3).map(float)),
        st.sampled_from([(), ((0, 0),)]),
        st.sampled_from(["", "Equivalence"]),
    ),
    max_size=8,
)


@given(st.lists(SOME_RULES, max_size=3))
@settings(max_examples=20, deadline=None)  # each merge opens its 256 temporary files
def test_merging_against_a_plain_join(grammars: list[list[Rule]]) -> None:
    joined: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Rule] = {}
    for rule in chain.from_iterable(grammars):
        key = rule.lhs, rule.source, rule.target
        first = joined.get(key, rule)
        joined[key] = Rule(
            *key,
            {**rule.features, **first.features},
            first.alignment or rule.alignment,
            first.entailment or rule.entailment,
        )
    assert list(merge(grammars)) == list(joined.values())


def test_counting() -> None:
    counts = count([*RULES, PARSE("[NP] ||| abode ||| home ||| p=1")])
    assert counts.rules == 4
    assert counts.kinds == {"lexical": 2, "phrasal": 1, "syntactic": 1}
    assert counts.labels == {"NN": 1, "IN": 1, "NP": 2}
    assert (counts.features["p"].least, counts.features["p"].most, counts.missing("p")) == (-2, 3, 0)
    assert (counts.features["Score"].least, counts.features["Score"].most, counts.missing("Score")) == (2.5, 2.5, 3)
    assert (counts.missing("none has it"), list(counts.features)) == (4, ["p", "Score"])


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("the dog", "dog", False),
        ("dogs , cats", "dogs cats", False),
        ("dogs", "the dogs of", False),
        ("-lrb- a dog -rrb-", "a dog", False),  # a pair goes, and nothing else
        ("big dog", "dog", True),
        ("the big dog", "dog", True),
        ("dog -rrb-", "cat", False),
        ("-lrb- dog -rrb-", "-lrb- cat -rrb-", True),
        ("to the dog", "of dog", True),
        ("dog", "dog", True),
        ("The dog", "dog", False),
        ("the [NN,1]", "[NN,1]", False),
    ],
)
def test_rules_that_only_drop_or_add_short_words_and_marks(source: str, target: str, kept: bool) -> None:
    assert substantial(Rule("X", tuple(source.split()), tuple(target.split()), {})) is kept


def test_rules_that_drop_one_bracket_or_quote_of_a_pair_are_left_out() -> None:
    sides = {"a -rrb- .": "a .", "-lrb- a -rrb-": "a", "a -rrb- b": "c -rrb-", "a": "-lrb- a", "`` a": "a"}
    kept = [
        source for source, target in sides.items() if balanced(Rule("X", (*source.split(),), (*target.split(),), {}))
    ]
    assert kept == ["-lrb- a -rrb-", "a -rrb- b"]
