"""Tokenisers against sacreBLEU's, and what each promises."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from sbmt.metrics.tokenizers import tokenize
from tests.metrics.strategies import REPRODUCIBLE

LINES = st.lists(st.text(alphabet="aB5 .,-'&;<>()\"!?$€é lqut", max_size=24), max_size=5)


@REPRODUCIBLE
@given(LINES)
@example(["1.5,x.,.5 5-6 a-b 5- ..., .5 &amp;lt; <skipped>", "", "A&quot;b&quot; 3,000.00. (x)"])
def test_13a_is_sacrebleus(lines: list[str]) -> None:
    expected = [Tokenizer13a()(line).split() for line in lines]
    assert tokenize(lines, "13a", lowercase=False) == expected
    assert tokenize(lines, "13a", lowercase=True) == [Tokenizer13a()(line.lower()).split() for line in lines]


def test_nist_leaves_entities() -> None:
    assert tokenize(["a&amp;b 3-4 5,6."], "nist", lowercase=False) == [
        ["a", "&", "amp", ";", "b", "3", "-", "4", "5,6", "."]
    ]


def test_none_and_ptb() -> None:
    assert tokenize(["He  can't go."], "none", lowercase=True) == [["he", "can't", "go."]]
    assert tokenize(["He can't go."], "ptb", lowercase=False) == [["He", "ca", "n't", "go", "."]]
    assert tokenize(["He left. She saw"], "ptb", lowercase=True) == [["he", "left", ".", "she", "saw"]]


def test_a_line_stays_a_line() -> None:
    assert tokenize(["a\u2028b.", "c\x0bd!", "e\nf."], "13a", lowercase=False) == [
        ["a", "b", "."],
        ["c", "d", "!"],
        ["e", "f", "."],
    ]
