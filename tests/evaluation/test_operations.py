"""Operations told from strings, on sentences of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.evaluation.operations import LABELS, operations

WORDS = st.lists(st.sampled_from("the dogs dog was moved not he . which quickly ran".split()), max_size=10)


@pytest.mark.parametrize(
    ("source", "output", "labels"),
    [
        ("He utilized tools .", "He used tools .", {"synonym"}),
        ("The extremely old mill burned .", "The old mill burned .", {"delmod"}),
        ("The mill , which was created by monks , burned .", "The mill burned .", {"delprop", "p2a"}),
        ("He said that it burned .", "He said it burned .", {"delcst"}),
        ("The mill of Anna Berg burned .", "The mill burned .", {"deloth"}),
        ("The mill burned .", "The mill burned quickly .", {"inmod"}),
        ("He left town .", "He left the town .", {"incst"}),
        ("The mill burned in March .", "In March the mill burned .", {"move"}),
        ("The mill burned and Anna left .", "The mill burned . Anna left .", {"split", "delcst"}),
        ("The dogs barked .", "The dog barked .", {"p2s"}),
        ("The boat sailed .", "The boats sailed .", {"s2p"}),
        ("She is walking home .", "She is walked home .", {"verbf"}),
        ("The national park .", "The nation park .", {"POSchange"}),
        ("Anna left .", "She left .", {"pron"}),
        ("She left .", "Anna left .", {"fromPron"}),
        ("He ate nothing .", "He ate bread .", {"synonym", "neg2pos"}),
        ("The same text .", "The same text .", set()),
    ],
)
def test_by_hand(source: str, output: str, labels: set[str]) -> None:
    found = operations(source.split(), output.split())
    ignored = {"delcst", "incst", "synonym"} - labels  # punctuation and articles that go with a change
    assert found - ignored == labels


@given(WORDS, WORDS)
def test_properties(source: list[str], output: list[str]) -> None:
    assert operations(source, output) <= set(LABELS)
    assert not operations(source, source)
