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
        ("The mill , which was created by monks , burned .", "The mill burned .", {"delprop"}),
        ("He said that it burned .", "He said it burned .", {"delcst"}),
        ("He said that he would leave , who knows .", "He said that he would leave .", {"delprop", "delcst"}),
        ("The mill of Anna Berg burned .", "The mill burned .", {"delmod"}),
        ("It was also old .", "It was old .", {"delmod"}),
        ("The old mill burned .", "The mill burned .", {"delmod"}),
        ("Anna Berg and Peter Holm left .", "Anna Berg left .", {"deloth"}),
        ("In March , he left .", "He left .", {"delmod", "delcst"}),
        ("The mill burned .", "The mill burned quickly .", {"inmod"}),
        ("He left town .", "He left the town .", {"incst"}),
        ("The mill burned in March .", "In March the mill burned .", {"move"}),
        ("The mill burned and Anna left .", "The mill burned . Anna left .", {"split", "delcst"}),
        ("The dogs barked .", "The dog barked .", {"p2s"}),
        ("The boat sailed .", "The boats sailed .", {"s2p"}),
        ("They walk home .", "He walks home .", {"verbf"}),
        ("He walks home .", "He walked home .", {"verbf"}),
        ("She is walking the dog .", "She is walked by the dog .", {"verbf", "a2p"}),
        ("The mill was built by monks .", "Monks built the mill .", {"p2a", "move"}),
        ("The national park .", "The nation park .", {"POSchange"}),
        ("A man of invention .", "An inventive man .", {"POSchange", "move"}),
        ("The players left .", "The player left .", {"p2s"}),
        ("Anna left .", "She left .", {"pron"}),
        ("She left .", "Anna left .", {"fromPron"}),
        ("He ate nothing .", "He ate bread .", {"synonym", "neg2pos"}),
        ("He left", "He left .", set()),  # the last mark parts nothing
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
