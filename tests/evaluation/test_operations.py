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
        ("The mill , which was created by monks , burned .", "The mill burned .", {"delprop", "delcst"}),  # its commas
        ("He said that it burned .", "He said it burned .", {"delcst"}),
        ("He said that he would leave , who knows .", "He said that he would leave .", {"delprop", "delcst"}),
        ("The mill of Anna Berg burned .", "The mill burned .", {"delmod"}),
        ("It was also old .", "It was old .", {"delmod"}),
        ("The old mill burned .", "The mill burned .", {"delmod"}),
        ("Anna Berg and Peter Holm left .", "Anna Berg left .", {"deloth"}),
        ("Anna Berg left and Peter Holm burned mills .", "Anna Berg left .", {"delprop"}),  # five words with a verb
        ("Anna Berg left and Holm burned mills .", "Anna Berg left .", {"deloth"}),  # four
        ("Anna left and famous Holm .", "Anna left .", {"delmod"}),  # two content words, one of them an adjective
        ("Anna left and famous Peter Holm .", "Anna left .", {"deloth"}),  # three
        ("He left , -lrb- who knows -rrb- .", "He left .", {"delprop", "delcst"}),
        ("In March , he left .", "He left .", {"delmod", "delcst"}),
        ("The mill burned .", "The mill burned quickly .", {"inmod"}),
        ("He left town .", "He left the town .", {"incst"}),
        ("The mill burned in March .", "In March the mill burned .", {"move"}),
        ("The mill burned and Anna left .", "The mill burned . Anna left .", {"split", "delcst", "incst"}),
        ("The dogs barked .", "The dog barked .", {"p2s"}),
        ("The boat sailed .", "The boats sailed .", {"s2p"}),
        ("The building fell .", "The buildings fell .", {"s2p"}),  # whatever a noun ends in
        ("The birds and glasses fell .", "The bird and glass fell .", {"p2s"}),
        ("The city burned .", "The cities burned .", {"s2p"}),
        ("He had shown mills .", "He shows mills .", {"verbf", "delcst"}),  # had
        ("He likes boats .", "He likes boat trips .", {"p2s", "inoth"}),  # after "he", but not next to it
        ("They walk home .", "He walks home .", {"verbf", "delcst"}),  # a function word for another
        ("He walks home .", "He walked home .", {"verbf"}),
        ("She is walking the dog .", "She is walked by the dog .", {"verbf", "a2p", "incst"}),  # by
        ("The mill was built by monks .", "Monks built the mill .", {"p2a", "move", "delcst"}),  # was, by
        ("The mill was soon built .", "They soon built the mill .", {"p2a", "move", "delcst", "incst"}),  # was; They
        ("The mill was very quickly built .", "They very quickly built the mill .", {"move", "delcst", "incst"}),  # far
        ("The national park .", "The nation park .", {"POSchange"}),
        ("A man of invention .", "An inventive man .", {"POSchange", "move", "delcst", "incst"}),  # A, of; An
        ("The players left .", "The player left .", {"p2s"}),
        ("Anna left .", "She left .", {"pron"}),
        ("Then Anna left .", "Then she left .", {"pron"}),
        ("She left .", "Anna left .", {"fromPron"}),
        ("He ate nothing .", "He ate bread .", {"synonym", "neg2pos"}),
        ("He left", "He left .", {"incst"}),  # the last mark splits nothing
        ("The same text .", "The same text .", set()),
    ],
)
def test_by_hand(source: str, output: str, labels: set[str]) -> None:
    assert operations(source.split(), output.split()) == labels


@given(WORDS, WORDS)
def test_properties(source: list[str], output: list[str]) -> None:
    assert operations(source, output) <= set(LABELS)
    assert not operations(source, source)
