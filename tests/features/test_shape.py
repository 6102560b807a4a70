"""Features of a rule's shape: worked by hand, and (corpus) as PPDB's own lines have them."""

from __future__ import annotations

import dataclasses
import math

import pytest

from sbmt.features.annotation.annotate import Annotator
from sbmt.features.rule.shape import Shape
from sbmt.ppdb.formats import RuleParser, read_rules
from tests.corpora import DATA, needs_data

ANNOTATOR = Annotator([Shape()])


def features(line: str) -> dict[str, float]:
    return dict(ANNOTATOR.annotate(RuleParser().parse(line)).features)


def test_a_lexical_rule_by_hand() -> None:
    assert features("[VB] ||| purchase ||| buy ||| ||| 0-0") == {
        "CharCountDiff": -5,
        "CharLogCR": round(math.log(3 / 8), 5),
        "Lexical": 1,
        "Monotonic": 1,
        "PhrasePenalty": 1,
        "SourceWords": 1,
        "TargetWords": 1,
        "WordLenDiff": -5,
    }


def test_a_rule_with_gaps_by_hand() -> None:
    """One side has 1 word of 2 letters and 2 spaces, the other 2 words of 5 letters and 3 spaces."""
    assert features("[NP] ||| [NN,1] of [X,2] ||| [X,2] 's own [NN,1] ||| ||| 0-3 2-0") == {
        "CharCountDiff": 4,
        "CharLogCR": round(math.log(8 / 4), 5),
        "PhrasePenalty": 1,
        "SourceWords": 1,
        "TargetWords": 2,
        "UnalignedSource": 1,
        "UnalignedTarget": 2,
        "WordCountDiff": 1,
        "WordLenDiff": 0.5,
        "WordLogCR": round(math.log(2), 5),
    }


def test_gaps_need_no_alignment() -> None:
    assert not {"UnalignedSource", "UnalignedTarget"} & features("[NP] ||| [NN,1] x ||| y [NN,1] ||| ||| 1-0").keys()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[NP] ||| [DT,1] [NN,2] ||| [DT,1] [NN,2]", "Abstract"),
        ("[NP] ||| [DT,1] [NN,2] ||| [DT,1] [NN,2]", "Adjacent"),
        ("[NP] ||| [DT,1] [NN,2] ||| [DT,1] [NN,2]", "Identity"),
        ("[X] ||| of [NN,1] ||| of [NN,1]", "ContainsX"),
        ("[GOAL] ||| [GOAL,1] [X,2] ||| [GOAL,1] [X,2]", "GlueRule"),
        ("[NP] ||| of [NN,1] ||| [NN,1]", "SourceTerminalsButNoTarget"),
        ("[NP] ||| [NN,1] ||| the [NN,1]", "TargetTerminalsButNoSource"),
    ],
)
def test_flags(line: str, name: str) -> None:
    assert features(line)[name] == 1
    assert name not in features("[NN] ||| purchase ||| [NN,1]".replace("[NN,1]", "buy"))


def test_a_rule_with_words_on_one_side_is_not_abstract() -> None:
    for line in ("[NP] ||| of [NN,1] ||| [NN,1]", "[NP] ||| [NN,1] ||| the [NN,1]"):
        assert "Abstract" not in features(line)


def test_ratios_and_word_lengths_need_words_on_both_sides() -> None:
    assert not {"WordLenDiff", "WordLogCR"} & features("[NP] ||| of [NN,1] ||| [NN,1]").keys()


def test_existing_features_stay() -> None:
    rule = RuleParser().parse("[NN] ||| a ||| bc ||| CharCountDiff=9")
    assert ANNOTATOR.annotate(rule).features["CharCountDiff"] == 9
    assert Annotator([Shape()], replace=True).annotate(rule).features["CharCountDiff"] == 1


def test_existing_features_stay_as_they_were_written() -> None:
    """Digits and order of the old features, NA of what is not computed; NA of what is computed gives way."""
    rule = RuleParser().parse("[NN] ||| a ||| bc ||| Score=1.500 CharCountDiff=NA MVLSASim=NA Lexical=7.0 ||| 0-0")
    start = "[NN] ||| a ||| bc ||| Score=1.500 MVLSASim=NA "
    assert ANNOTATOR.line(rule).startswith(start + "Lexical=7.0 CharCountDiff=1 CharLogCR=0.69315 Monotonic=1 ")
    anew = Annotator([Shape()], replace=True).line(rule)
    assert anew.startswith(start + "CharCountDiff=1 CharLogCR=0.69315 Lexical=1 Monotonic=1 ")


@needs_data
def test_ppdbs_own_values() -> None:
    rules = list(read_rules(DATA / "ppdb/format-samples.txt"))
    assert len(rules) == 3
    for rule in rules:
        bare = dataclasses.replace(rule, features={})
        computed = ANNOTATOR.annotate(bare).features
        for info in Shape.info:
            assert computed.get(info.name, 0) == pytest.approx(rule.features[info.name], abs=6e-6), info.name
