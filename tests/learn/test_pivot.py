"""Pivoting against a case worked by hand and against the definition as a double loop."""

from __future__ import annotations

import math
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.errors import FormatError
from sbmt.ppdb.formats import RuleParser
from sbmt.ppdb.learn.pivot import pivot
from sbmt.ppdb.learn.settings import PivotSettings
from sbmt.ppdb.rule import Rule

PARSE = RuleParser().parse
ALL = PivotSettings(top_targets=0, min_probability=0, top=0)


def paraphrases(*lines: str, how: PivotSettings = ALL) -> dict[tuple[str, str, str], Rule]:
    return {(r.lhs, " ".join(r.source), " ".join(r.target)): r for r in pivot(map(PARSE, lines), how)}


def test_two_pivots_add_up() -> None:
    half, quarter = math.log(2), math.log(4)
    rules = paraphrases(
        f"[NN] ||| kauf ||| purchase ||| p(e|f)={half} p(f|e)={half} ||| 0-0",
        f"[NN] ||| kauf ||| buy ||| p(e|f)={half} p(f|e)={quarter} ||| 0-0",
        f"[NN] ||| erwerb ||| purchase ||| p(e|f)={quarter} p(f|e)={half} ||| 0-0",
        f"[NN] ||| erwerb ||| buy ||| p(e|f)={half} p(f|e)={quarter} ||| 0-0",
        "[VB] ||| kauf ||| acquire ||| p(e|f)=0 p(f|e)=0 ||| 0-0",
    )
    assert set(rules) == {("NN", "purchase", "buy"), ("NN", "buy", "purchase")}
    there, back = rules["NN", "purchase", "buy"], rules["NN", "buy", "purchase"]
    # p(buy | purchase) = 1/2 1/2 + 1/2 1/2; p(purchase | buy) = 1/2 1/4 + 1/4 1/4.
    assert there.features["p(e|f)"] == pytest.approx(-math.log(0.5), abs=1e-5)
    assert there.features["p(f|e)"] == pytest.approx(-math.log(3 / 16), abs=1e-5)
    assert back.features["p(e|f)"] == there.features["p(f|e)"]
    assert there.features["LogCount"] == pytest.approx(math.log(2), abs=1e-5)
    assert there.alignment == ((0, 0),)


def test_an_empty_side_has_no_paraphrases() -> None:
    """A deletion is pivoted to, with the probability of the way back, but not from: no rule has an empty source."""
    rules = paraphrases("[X] ||| f ||| a ||| p(e|f)=1 p(f|e)=2", "[X] ||| f |||  ||| p(e|f)=3 p(f|e)=4")
    assert {sides: rule.features for sides, rule in rules.items()} == {
        ("X", "a", ""): {"p(e|f)": 3 + 2, "p(f|e)": 1 + 4, "LogCount": 0}
    }


def test_probabilities_given_the_label_are_summed_where_there_are_any() -> None:
    rules = paraphrases(
        "[NN] ||| kauf ||| purchase ||| p(e|f)=1 p(f|e)=2 p(e|f,LHS)=0.25 p(f|e,LHS)=0.5",
        "[NN] ||| kauf ||| buy ||| p(e|f)=3 p(f|e)=4 p(e|f,LHS)=0.75 p(f|e,LHS)=1.5",
        "[NN] ||| kauf ||| deal ||| p(e|f)=5 p(f|e)=6",
    )
    assert rules["NN", "purchase", "buy"].features == pytest.approx(
        {"p(e|f)": 3 + 2, "p(f|e)": 1 + 4, "p(e|f,LHS)": 0.75 + 0.5, "p(f|e,LHS)": 0.25 + 1.5, "LogCount": 0}
    )
    assert rules["NN", "purchase", "deal"].features == pytest.approx({"p(e|f)": 5 + 2, "p(f|e)": 1 + 6, "LogCount": 0})


def test_probabilities_of_one_direction_alone_are_ignored() -> None:
    rules = paraphrases(
        "[NN] ||| kauf ||| purchase ||| p(e|f)=1 p(f|e)=2 p(e|f,LHS)=0.25",
        "[NN] ||| kauf ||| buy ||| p(e|f)=3 p(f|e)=4 p(f|e,LHS)=1.5",
    )
    assert {tuple(rule.features) for rule in rules.values()} == {("p(e|f)", "p(f|e)", "LogCount")}


def test_gaps_follow_the_foreign_side_and_are_numbered_on_the_source_side() -> None:
    rules = paraphrases(
        "[NP] ||| [A,1] von [B,2] ||| [A,1] of [B,2] ||| p(e|f)=0 p(f|e)=0 ||| 0-0 1-1 2-2",
        "[NP] ||| [A,1] von [B,2] ||| [B,2] 's [A,1] ||| p(e|f)=0 p(f|e)=0 ||| 0-2 1-1 2-0",
    )
    assert set(rules) == {
        ("NP", "[A,1] of [B,2]", "[B,2] 's [A,1]"),
        ("NP", "[B,1] 's [A,2]", "[A,2] of [B,1]"),
    }
    assert rules["NP", "[B,1] 's [A,2]", "[A,2] of [B,1]"].alignment == ((0, 2), (1, 1), (2, 0))


def test_a_gap_is_linked_to_itself_alone() -> None:
    """Whatever else the given alignments link it to."""
    rules = paraphrases(
        "[NP] ||| [A,1] von ||| of [A,1] ||| p(e|f)=0 p(f|e)=0 ||| 0-0 0-1 1-0",
        "[NP] ||| [A,1] von ||| [A,1] 's ||| p(e|f)=0 p(f|e)=0 ||| 0-0 1-1 0-1",
    )
    assert rules["NP", "of [A,1]", "[A,1] 's"].alignment == ((0, 1), (1, 0))


@pytest.mark.parametrize("pivots", ["fg", "gf"])
def test_the_alignment_is_that_of_the_best_pivot(pivots: str) -> None:
    """Through f, p(c d | f) p(f | a b) = 1; through g, which links other words, it is exp(-1 - 1)."""
    lines = {
        "f": ("[X] ||| f ||| a b ||| p(e|f)=0 p(f|e)=0 ||| 0-0", "[X] ||| f ||| c d ||| p(e|f)=0 p(f|e)=0 ||| 0-1"),
        "g": ("[X] ||| g ||| a b ||| p(e|f)=1 p(f|e)=1 ||| 0-0", "[X] ||| g ||| c d ||| p(e|f)=1 p(f|e)=1 ||| 0-0"),
    }
    assert paraphrases(*(line for name in pivots for line in lines[name]))["X", "a b", "c d"].alignment == ((0, 1),)


def test_without_alignments_equal_words_are_linked() -> None:
    rules = paraphrases(
        "[X] ||| f ||| the big cat ||| p(e|f)=0 p(f|e)=0",
        "[X] ||| f ||| the cat ||| p(e|f)=0 p(f|e)=0",
    )
    assert rules["X", "the big cat", "the cat"].alignment == ((0, 0), (2, 1))
    rules = paraphrases(
        "[X] ||| f ||| a very big cat ||| p(e|f)=0 p(f|e)=0",
        "[X] ||| f ||| one big cat ||| p(e|f)=0 p(f|e)=0",
    )
    assert rules["X", "a very big cat", "one big cat"].alignment == ((2, 1), (3, 2))


@settings(derandomize=True)
@given(st.lists(st.tuples(*[st.sampled_from("abc"), st.sampled_from("wxyz"), *[st.sampled_from([0.5, 1.0, 2.0])] * 2])))
def test_sums_are_those_of_the_definition(table: list[tuple[str, str, float, float]]) -> None:
    costs = {(f, e): (forward, backward) for f, e, forward, backward in table}
    expected: dict[tuple[str, str], float] = defaultdict(float)
    for f, e1 in costs:
        for g, e2 in costs:
            if f == g and e1 != e2:
                expected[e1, e2] += math.exp(-costs[f, e2][0]) * math.exp(-costs[f, e1][1])
    rules = pivot((Rule("X", (f,), (e,), {"p(e|f)": p, "p(f|e)": q}) for (f, e), (p, q) in costs.items()), ALL)
    probabilities = {(r.source[0], r.target[0]): math.exp(-r.features["p(e|f)"]) for r in rules}
    assert probabilities == pytest.approx({sides: min(1.0, p) for sides, p in expected.items()}, abs=1e-4)


def test_pruning_and_phrase_tables() -> None:
    lines = [f"f ||| {word} ||| 0.5 0.1 {p} 0.1 ||| 0-0 ||| 2 2 1" for word, p in (("a", 0.6), ("b", 0.3), ("c", 0.1))]
    assert set(paraphrases(*lines, how=PivotSettings(top_targets=2))) == {("X", "a", "b"), ("X", "b", "a")}
    assert set(paraphrases(*lines, how=PivotSettings(top=1))) == {("X", "a", "b"), ("X", "b", "a"), ("X", "c", "a")}
    assert set(paraphrases(*lines, how=PivotSettings(min_probability=0.2))) == {("X", "b", "a"), ("X", "c", "a")}


def test_columns_without_names_must_be_named() -> None:
    """Of a rule that has no partner, too."""
    lines = ("[X] ||| f ||| a ||| 0.5 0.25", "[X] ||| f ||| b ||| 1.5 0.75")
    with pytest.raises(
        FormatError, match=r"de-en: the rule f \|\|\| a has no feature 'p\(e\|f\)' .*it has: tm_pt_0, tm_pt_1"
    ):
        list(pivot(map(PARSE, lines), ALL, "de-en"))
    with pytest.raises(FormatError, match=r"the grammar: the rule f \|\|\| a has no feature 'p\(f\|e\)'.*it has: p\(e"):
        paraphrases("[X] ||| f ||| a ||| p(e|f)=1")
    how = PivotSettings("tm_pt_0", "tm_pt_1", min_probability=0)
    assert paraphrases(*lines, how=how)["X", "a", "b"].features["p(e|f)"] == pytest.approx(1.5 + 0.25)
