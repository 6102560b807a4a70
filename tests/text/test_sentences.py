"""Sentence splitting: worked paragraphs, and no input loses characters."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sbmt.text.pipeline import LONGEST, Pipeline, TextOptions
from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import penn_tokens


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Lopez arrived at 5 p.m. yesterday.", "She left."],
        ["She said, “It is late.”", "Then she left."],
        ['"Why?" he asked.', '"Because," she said.'],
        ["See www.example.com/a.b?c=d.e for more.", "Write to a.b@example.org."],
        ["The price rose by 3.5 percent.", "It was $4.20."],
        ["J. R. Brook wrote it, i.e. all of it.", "It sold."],
        ["Wait... what?", "No!", "Really?!"],
        ["He moved to the U.S.", "He liked it."],
        ["They sold tea, etc.", "It closed, etc. and all."],
        ["A sentence without an end"],
    ],
)
def test_paragraphs(sentences: list[str]) -> None:
    line = " \t" + "  ".join(sentences) + "\r"
    assert [line[start:end] for start, end in split_sentences(line)] == sentences


@given(st.text(alphabet=st.characters() | st.sampled_from(list(" .!?\"'()[]A\u00a0\u2028\x85\x1c")), max_size=60))
@example("A\u00a0.A<'")
@example("\ud800 A. B")
@settings(derandomize=True, max_examples=500)
def test_only_white_space_lies_between_sentences(line: str) -> None:
    position = 0
    for start, end in split_sentences(line):
        assert start >= position
        assert end > start
        assert not line[position:start].strip()
        assert line[start:end] == line[start:end].strip()
        position = end
    assert not line[position:].strip()


def test_a_line_without_bound_has_the_sentences_of_a_short_one() -> None:
    line = "".join(f"Mr. Berg sold {n:,} of them. " for n in range(5000))
    sentences = [f"Mr. Berg sold {n:,} of them." for n in range(5000)]
    assert [line[start:end] for start, end in split_sentences(line)] == sentences


@pytest.mark.parametrize("unit", ["\"It's so. ' \\\" ", "word "])
def test_a_sentence_without_bound_is_cut_at_white_space(unit: str) -> None:
    """Of so many quotation marks sentencex makes one sentence, in a time that grows with the square of its length."""
    line = unit * 10_000
    spans = split_sentences(line)
    assert len(spans) > 1
    assert max(end - start for start, end in spans) <= 10_000
    assert all(start == end + 1 for (_, end), (start, _) in pairwise(spans))
    assert (spans[0][0], spans[-1][1]) == (0, len(line.rstrip()))


@pytest.mark.parametrize("unit", ["word", "word ,", "Word", "12", "a , b c"])
def test_long_sentences_come_in_pieces_that_cover_them(unit: str) -> None:
    """No piece is longer than LONGEST, tokens and protected spans are kept, and only white space lies between."""
    line = " ".join([unit] * 1000)
    pieces = Pipeline(TextOptions()).sentences(line)
    assert len(pieces) > 1
    assert max(len(piece.tokens) for piece in pieces) <= LONGEST
    assert [word for piece in pieces for word in piece.words] == [token.word for token in penn_tokens(line)]
    position = 0
    for piece in pieces:
        assert not line[position : piece.start].strip()
        assert line[piece.start : piece.start + len(piece.text)] == piece.text
        assert all(piece.text[token.start : token.end] == token.text for token in piece.tokens)
        assert all(0 <= span.i < span.j <= len(piece.tokens) for span in piece.protected)
        position = piece.start + len(piece.text)
    assert not line[position:].strip()
    if unit in ("Word", "12"):
        covered = sum(span.j - span.i for piece in pieces for span in piece.protected)
        assert covered >= 999  # the first word of the sentence may be no name
    if "," in unit:
        assert all(piece.words[-1] == "," for piece in pieces[:-1])


def test_a_long_sentence_is_not_cut_inside_a_protected_span() -> None:
    """The name's two words are the last of the first LONGEST and the next one."""
    line = " ".join(["word"] * (LONGEST - 1) + ["Ann", "Berg"] + ["word"] * 100)
    first, second = Pipeline(TextOptions()).sentences(line)
    assert len(first.tokens) == LONGEST - 1
    assert second.words[:2] == ["ann", "berg"]
    assert [(span.i, span.j) for span in (*first.protected, *second.protected)] == [(0, 2)]
