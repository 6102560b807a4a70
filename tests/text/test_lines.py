"""The tokens of a line are those of the pipeline without protection."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.text.lines import line_tokens, line_words, sentences
from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.protection.protect import ProtectOptions

PIECES = st.sampled_from(
    ["He left.", "The U.S. won", "Mr.", "It's", "(so", ")", "_so_", ".", '"', "'", " ", "\t", "\xa0"]
)


def test_a_sentences_last_period_is_a_token_before_another_sentence() -> None:
    assert line_words("He saw it.  She can't.") == ["he", "saw", "it", ".", "she", "ca", "n't", "."]
    assert line_words("He left", lowercase=False) == ["He", "left"]
    assert sentences(" \t") == ()
    assert line_words(" \t") == []


@given(st.lists(PIECES | st.text(max_size=5)).map("".join), st.booleans())
@settings(derandomize=True, max_examples=400)
def test_they_are_those_of_the_pipeline(line: str, lowercase: bool) -> None:
    pipeline = Pipeline(TextOptions(lowercase=lowercase, protect=ProtectOptions.none()))
    assert line_words(line, lowercase) == [word for sentence in pipeline.sentences(line) for word in sentence.words]


@given(st.lists(PIECES).map("".join))
@settings(derandomize=True)
def test_tokens_stand_where_they_say(line: str) -> None:
    tokens = line_tokens(line)
    assert [token.word for token in tokens] == line_words(line)
    assert all(line[token.start : token.end] == token.text for token in tokens)
