"""Reading and writing rules: every format, every complaint, and back again."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.errors import FormatError
from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.formats import RuleParser, TableScores, format_rule, read_rules
from sbmt.ppdb.rule import Rule, is_gap, terminals
from sbmt.ppdb.symbols import is_writable
from sbmt.text.tokens import penn_words
from tests.corpora import CASES, DATA, needs_cases, needs_data

PARSER = RuleParser("pt")


def test_ppdb_1_line() -> None:
    line = "[NN] ||| big dwelling ||| large home ||| Lexical=1 p(e|f)=1.5 p(f|e,LHS)=-0.25 AGigaSim=NA ||| 0-0 1-1"
    assert PARSER.parse(line) == Rule(
        "NN",
        ("big", "dwelling"),
        ("large", "home"),
        {"Lexical": 1, "p(e|f)": 1.5, "p(f|e,LHS)": -0.25},
        ((0, 0), (1, 1)),
    )


def test_ppdb_2_line() -> None:
    line = "[S/PP] ||| [NP/NP,1] such ||| [NP/NP,1] those ||| PPDB2.0Score=5.3 -logp(e1|e2)=2.4 ||| 0-0 ||| Equivalence"
    rule = PARSER.parse(line)
    assert rule.lhs == "S/PP"
    assert rule.source == ("[NP/NP,1]", "such")
    assert rule.features == {"PPDB2.0Score": 5.3, "-logp(e1|e2)": 2.4}
    assert rule.entailment == "Equivalence"


def test_values_without_label_are_negated_and_numbered_by_owner() -> None:
    rule = RuleParser("glue").parse("[GOAL] ||| [GOAL,1] [X,2] ||| [GOAL,1] [X,2] ||| -1 2.5")
    assert rule.features == {"tm_glue_0": 1, "tm_glue_1": -2.5}
    mixed = PARSER.parse("[X] ||| a ||| b ||| p=1 0.25 Adjacent=2 3")
    assert mixed.features == {"p": 1, "tm_pt_0": -0.25, "Adjacent": 2, "tm_pt_1": -3}


def test_moses_phrase_table() -> None:
    rule = PARSER.parse("big house ||| large home ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 4 2 1")
    assert rule.lhs == "X"
    assert rule.features == pytest.approx(
        {"p(f|e)": math.log(2), "Lex(f|e)": math.log(4), "p(e|f)": 0.0, "Lex(e|f)": math.log(8)}
    )
    assert rule.alignment == ((0, 0), (1, 1))


def test_scores_of_a_phrase_table_without_names_are_those_of_joshua() -> None:
    """So a table that passes through a command means the same to a configuration's weights as before."""
    line = "a ||| b ||| 0.5 0.25 1 0.125 2.718"
    features = PARSER.parse(line).features
    assert features == RuleParser(scores=TableScores.JOSHUA).parse(line).features
    assert features["tm_pt_0"] == pytest.approx(-math.log(2))
    assert features["tm_pt_4"] == pytest.approx(1, abs=1e-3)  # Moses' penalty
    joshuas = RuleParser(scores=TableScores.JOSHUA).parse("a ||| b ||| 0.5 0.25 1 2.718").features
    assert joshuas["tm_pt_3"] == features["tm_pt_4"]


def test_a_probability_may_be_rounded_up() -> None:
    assert PARSER.parse("a ||| b ||| 0.5 1.00001 1 0.125").features["Lex(f|e)"] == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(
    ("line", "source", "target"),
    [("big large", ("big",), ("large",)), ("a lot of\tmany", ("a", "lot", "of"), ("many",)), ("x\ty", ("x",), ("y",))],
)
def test_pairs(line: str, source: tuple[str, ...], target: tuple[str, ...]) -> None:
    rule = PARSER.parse(line)
    assert (rule.lhs, rule.source, rule.target) == ("X", source, target)
    assert rule.alignment == (((0, 0),) if len(source) == 1 else ())


def test_pairs_and_phrase_tables_may_have_gaps() -> None:
    sides = ("[X,1]", "of", "[X,2]"), ("[X,2]", "'s", "[X,1]")
    for line in ("[X,1] of [X,2]\t[X,2] 's [X,1]", "[X,1] of [X,2] ||| [X,2] 's [X,1] ||| 0.5"):
        rule = PARSER.parse(line)
        assert (rule.source, rule.target) == sides
    assert [terminals(side) for side in (*sides, ("see", "[12]"))] == [("of",), ("'s",), ("see", "[12]")]


@pytest.mark.parametrize("sides", [("see [12]", "see [12]"), ("as [A]", "as A"), ("[1][2]", "[1][2]"), ("[A] b", "b")])
def test_brackets_in_a_phrase_table_may_be_words(sides: tuple[str, str]) -> None:
    rule = PARSER.parse(f"{sides[0]} ||| {sides[1]} ||| 0.5")
    assert (" ".join(rule.source), " ".join(rule.target)) == sides


def test_a_byte_order_mark_and_carriage_returns(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_bytes("\ufeffbig large\r\nprior to\tbefore\r\n".encode())
    assert [(rule.source, rule.target) for rule in read_rules(tmp_path / "pairs")] == [
        (("big",), ("large",)),
        (("prior", "to"), ("before",)),
    ]


def test_a_byte_order_mark_within_a_file_is_no_mark(tmp_path: Path) -> None:
    """Where two files were joined, it is a word of a pair, as in a text, and before a rule's label an error."""
    (tmp_path / "rules").write_bytes("\ufeffbig\tlarge\n\ufeffsmall\tlittle\n\ufeff[X] ||| a ||| b\n".encode())
    rules = read_rules(tmp_path / "rules")
    assert [next(rules).source, next(rules).source] == [("big",), ("&#65279;", "small")]
    with pytest.raises(FormatError, match="line 3: 'b' is not a number"):
        next(rules)


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("can't attend", ["ca", "n't", "attend"]),
        ("ca n't attend", ["ca", "n't", "attend"]),
        ("the Minibus (free)", ["the", "Minibus", "-lrb-", "free", "-rrb-"]),
        ("the minibus -LRB- free -RRB-", ["the", "minibus", "-lrb-", "free", "-rrb-"]),
        ('"car’s" U.S.', ["``", "car", "'s", "''", "U.S."]),
        ("10\u00a0km", ["10", "km"]),
        ('he said " yes "', ["he", "said", "``", "yes", "''"]),
        ("You cannot  go", ["You", "can", "not", "go"]),
    ],
)
def test_pairs_are_tokenised_like_text(side: str, words: list[str]) -> None:
    assert PARSER.parse(f"{side}\tnothing") == Rule("X", tuple(words), ("nothing",))
    assert [word.lower() for word in words] == penn_words(f"{side} x")[:-1]


def test_comments_are_skipped(tmp_path: Path) -> None:
    lines = [
        "# a comment",
        "big large",
        " #covid\tvirus",
        "# 1\t# 2",
        "# ||| number ||| 0.5",
        "[X] ||| a ||| b ||| p=1",
    ]
    (tmp_path / "grammar").write_text("\n".join(lines))
    assert [rule.source for rule in read_rules(tmp_path / "grammar")] == [
        ("big",),
        ("#covid",),
        ("#", "1"),
        ("#",),
        ("a",),
    ]


def test_brackets_that_are_words() -> None:
    assert PARSER.parse("[X] ||| see [12,13] ||| see [ 12 ] ||| p=1").source == ("see", "[12,13]")


@pytest.mark.parametrize(
    "line",
    ["[X] ||| a |||  ||| p=1", "[X] ||| a ||| ||| p=1", "[X] ||| a ||| ||| p=1 |||", "[X] ||| a ||| ||| p=1 ||| "],
)
def test_empty_fields(line: str) -> None:
    assert PARSER.parse(line) == Rule("X", ("a",), (), {"p": 1})


@pytest.mark.parametrize("rule", [Rule("X", ("a",), ()), Rule("X", ("a",), ("b",)), Rule("X", ("a",), (), {"p": 1.0})])
def test_a_rule_that_ends_in_empty_fields_comes_back(rule: Rule) -> None:
    assert PARSER.parse(format_rule(rule)) == rule


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[X] ||| a", r"has 2 fields; a rule has 3 to 6"),
        ("[X] ||| a ||| b ||| ||| ||| ||| x", r"has 7 fields"),
        ("[X] ||| ||| b ||| p=1", "has an empty source side"),
        ("[X] ||| a [NN,1] ||| b [NP,1] ||| p=1", r"the gaps differ: \[NN,1\] on the left, \[NP,1\] on the right"),
        ("[X] ||| a [NN,1] ||| b ||| p=1", r"the gaps differ: \[NN,1\] on the left, none on the right"),
        ("[X] ||| a [NN,0] ||| b [NN,0] ||| p=1", r"the gap \[NN,0\] is numbered neither 1 nor 2 ... nor 9"),
        ("[X] ||| a ||| b [NN,10] ||| p=1", r"the gap \[NN,10\] is numbered neither"),
        ("[X] ||| a [NN,2] ||| b [NN,2] ||| p=1", "the gaps are numbered 2, not from 1 up"),
        ("[X] ||| a ||| b ||| p=one", "'one' is not a number"),
        ("[X] ||| a ||| b ||| p=inf", "the value inf is not finite"),
        ("[X] ||| a ||| b ||| nan", "the value nan is not finite"),
        ("[X] ||| a ||| b ||| p=2e9", r"the value 2e9 is absurd: no feature is larger than 1e\+09"),
        ("[X] ||| a ||| b ||| -1e300", "the value -1e300 is absurd"),
        ("[X] ||| a ||| b ||| p=1 q=2 p=1", "has the feature p twice"),
        ("[X] ||| a ||| b ||| p=NA q=2 p=1", "has the feature p twice"),
        ("[X] ||| a ||| b ||| q=2 =NA", "'=NA' is neither a number nor NAME=NUMBER"),
        ("[X] ||| a ||| b ||| =1", "'=1' is neither a number nor NAME=NUMBER"),
        ("[X] ||| a ||| b ||| p=1 ||| 0:0", "'0:0' is not an alignment point like 0-1"),
        ("[X] ||| a ||| b ||| p=1 ||| 0-1", r"alignment point 0-1 lies outside the rule \(1 and 1 symbols\)"),
        ("[X] ||| a ||| b ||| p=1 ||| 0-0 ||| 0.5", "'0.5' is not an entailment relation"),
        (
            "a ||| b",
            r"has 2 fields instead of at least 3, read as a phrase table's line; a rule's \[LHS\] has brackets, "
            r"a pair a tab, a comment no \|\|\|",
        ),
        ("X ||| a ||| b ||| A=1", r"'b' is not a number, read as a phrase table's line; a rule's \[LHS\] has brackets"),
        ("a b |||  |||  ||| Score=1", r"'Score=1' is not an alignment point like 0-1, read as"),
        ("a ||| b ||| 0.5 0 ||| 0-0", r"its scores are not probabilities, more than 0, read as a phrase table's"),
        ("a ||| b ||| 0.5 0.25 1 1.125", "its four scores are not probabilities, more than 0 and at most 1, read as a"),
        ("a ||| b ||| 0.7 1.4 0 2.1", "its four scores are not probabilities, more than 0 and at most 1, read as a"),
        (" ||| b ||| 0.5", "has an empty source side"),
        ("[NP,1] house ||| das ||| 0.5", r"the gaps differ: \[NP,1\] on the left, none on the right"),
        ("a [X,2] ||| b [X,2] ||| 0.5", "the gaps are numbered 2, not from 1 up"),
        (
            "big [X][X] [X] ||| large [X][X] [X] ||| 0.5 0.2 0.5 0.2 ||| 0-0 1-1 ||| 3 4 2",
            r"is of a hierarchical phrase table, which is not read: write its gaps as \[X,1\] and its label in front, ",
        ),
        ("big [X] ||| large [X] ||| 0.5 0.2 0.5 0.2 ||| 0-0 ||| 3 4 2", "is of a hierarchical phrase table"),
        ("a [X][NP-SBJ] ||| [X][NP-SBJ] b ||| 0.5", "is of a hierarchical phrase table"),
        ("[X,1]\tfoo", r"the gaps differ: \[X,1\] on the left, none on the right"),
        ("foo\ta [NN,10]", r"the gap \[NN,10\] is numbered neither"),
        ("one two three", r"is neither a rule .*; a word and its synonyms\? docs/grammar.md makes pairs of them"),
        ("one two\tthree\tfour", r"is neither a rule .* and a tab\) \(mend"),
        (f"[X] ||| {'a ' * 65_536}||| b ||| p=1", "has a side of more than 65,535 words"),
        (f"[X] ||| {'a ' * 257}||| b ||| p=1 ||| 0-0 256-0", "alignment point 256-0 lies beyond place 255, the"),
        ("one\t", "is a pair with a side that has no words"),
        ("\x1d\t¡", "is a pair with a side that has no words"),
        ("[X]|||planet|||world|||-5 1", r"holds a \|\|\| that does not stand between two spaces"),
        ("[X] ||| tail\t||| x ||| -5 1", r"holds a \|\|\| that does not stand"),
        ("[X] ||| dog|||hound ||| cat ||| p=1", r"holds a \|\|\| that does not stand"),
        ("dog|||hound cat", r"holds a \|\|\| that does not stand"),
        ("[X] ||| a ||| |||| ||| p=1", r"holds a \|\|\| that does not stand"),
        ("[X] ||| a ||| b ||| p=1|||0-0", r"'1\|\|\|0-0' is not a number"),
        ("[X] ||| a ||| b ||| p|||q=1", r"the feature p\|\|\|q has the mark between fields in its name"),
        ("planet world", "looks like two bare words among rules; a tab between its sides makes it a pair"),
        ("gift|gifts\tpresent|presents", "has bars between forms; give each form a pair of its own, on a line"),
        ("[NN,1] ||| a ||| b ||| p=1", r"the left-hand side \[NN,1\] is numbered as only gaps are"),
        ("[X] ||| a ||| b ||| p=1_000", "'1_000' is not a number"),
        ("[X] ||| a ||| b ||| p=\u0661", "'\u0661' is not a number"),
        ("[X] ||| a ||| b ||| 1_0", "'1_0' is not a number"),
        ("[X] ||| a ||| b ||| p=1 ||| +0-0", "'\\+0-0' is not an alignment point like 0-1"),
        ("[X] ||| a ||| b ||| p=1 ||| 0-0_0", "'0-0_0' is not an alignment point like 0-1"),
        ("[X] ||| a ||| b ||| p=1 ||| \u0660-0", "'\u0660-0' is not an alignment point like 0-1"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "grammar"
    path.write_text(f"[X] ||| a ||| b ||| p=1\n\n{line}\n")
    with pytest.raises(FormatError, match=f"grammar, line 3: {complaint}"):
        list(read_rules(path))


def test_labels_of_commas() -> None:
    """PPDB's label of a comma, and categories that lack one."""
    assert [PARSER.parse(f"[{label}] ||| a ||| b").lhs for label in (",", "NP/,", ",\\NP")] == [",", "NP/,", ",\\NP"]


@pytest.mark.parametrize("space", ["\u00a0", "\u2028", "\u3000", "\x85", "\x1c"])
def test_only_ascii_white_space_separates_words(space: str) -> None:
    word = f"10{space}km"
    rule = PARSER.parse(f"[X] ||| {word} far{space} ||| {word} ||| p=1")
    assert (rule.source, rule.target) == ((word, f"far{space}"), (word,))
    assert PARSER.parse(f"far ||| {word} ||| 1").target == (word,)


def test_features_are_written_as_they_were_read() -> None:
    """Digits and missing values stay; what is added comes last, and takes the place of a missing value."""
    rule = PARSER.parse("[X] ||| a ||| b ||| p=0.50000 MVLSASim=NA q=NA ||| 0-0")
    assert format_rule(rule) == "[X] ||| a ||| b ||| p=0.50000 MVLSASim=NA q=NA ||| 0-0"
    assert isinstance(rule.features, ReadFeatures)
    longer = rule.features.extended({"q": 2.0, "new": 0.5})
    assert longer == {"p": 0.5, "q": 2, "new": 0.5}
    assert pickle.loads(pickle.dumps(longer)).text == longer.text == "p=0.50000 MVLSASim=NA q=2 new=0.5"


SYMBOL = st.text(st.characters(exclude_categories=("Z", "C"), exclude_characters="[]|"), min_size=1, max_size=5)
SIDE = st.lists(SYMBOL, min_size=1, max_size=4).map(tuple)
NAME = st.text("abcXYZ(|,)-.0", min_size=1, max_size=6).filter(lambda name: "|||" not in name)


@given(
    SYMBOL.filter(lambda label: not label[-1].isdecimal()),
    SIDE,
    SIDE,
    st.dictionaries(NAME, st.floats(-1e9, 1e9), max_size=4),
)
def test_round_trip(lhs: str, source: tuple[str, ...], target: tuple[str, ...], features: dict[str, float]) -> None:
    rule = Rule(lhs, source, target, features, ((0, 0),), "Equivalence")
    assert PARSER.parse(format_rule(rule)) == rule


# What may be taken for a gap, a separator, the border of a word, or a comment.
NEARLY_MARKUP = st.one_of(
    st.sampled_from(["", "[A,1]", "[a,1]", "[A,10]", "[A,0]", "[a,10]", "[12]", "||", "|||", "a|||b", "a b"]),
    st.from_regex(r"\[[Aa|\u00a0]{0,2},?[0-9]{0,2}\]?", fullmatch=True),
    st.text("[]|,#1A \t\u00a0", max_size=5),
)


@given(*[st.lists(NEARLY_MARKUP.filter(is_writable), min_size=1, max_size=3).map(tuple)] * 2)
def test_writable_words_are_read_back(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    rule = Rule("X", source, target, {"p": 1.0}, ((0, 0),))
    assert PARSER.parse(format_rule(rule)) == rule


@given(NEARLY_MARKUP.filter(lambda word: not is_writable(word)))
def test_unwritable_words_are_not_read_back(word: str) -> None:
    rule = Rule("X", (word,), (word,), {"p": 1.0}, ((0, 0),))
    try:
        read = PARSER.parse(format_rule(rule))
    except ValueError:
        return
    assert read != rule or is_gap(word)


@needs_data
def test_real_ppdb_lines_round_trip() -> None:
    path = DATA / "ppdb/format-samples.txt"
    rules = list(read_rules(path))
    assert [rule.lhs for rule in rules] == ["CD", "PRN", "S/PP"]
    assert [format_rule(rule) for rule in rules] == path.read_text().splitlines()


@needs_cases
def test_a_syntactic_grammar_round_trips() -> None:
    count = 0
    for rule in read_rules(CASES / "bn-en-samt/grammar.gz"):
        assert PARSER.parse(format_rule(rule)) == rule
        count += 1
    assert count == 168_939
