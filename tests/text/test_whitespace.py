"""Word splitting, compared with bytes.split, which also splits at ASCII white space only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sbmt.text.whitespace import split_words

PIECES = st.sampled_from(
    ["a", "b", "é", " ", "  ", "\t", "\n", "\v", "\f", "\r", "\x1c", "\x1f", "\x85", "\u00a0", "\u2028"]
)


@given(st.lists(PIECES).map("".join))
def test_as_bytes_are_split(text: str) -> None:
    assert split_words(text) == [word.decode() for word in text.encode().split()]
