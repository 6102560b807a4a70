"""Single quotation marks that close a quotation, as distinct from apostrophes."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.protection.entities import mark_of
from sbmt.text.tokens import Token

_OPENS, _CLOSES = "`", "'"  # as words of tokens, entities included
_BEFORE_CLOSING = ".,;:!?…)"  # no apostrophe follows these


def closing_marks(tokens: Sequence[Token]) -> set[int]:
    """Return the places of closing single quotation marks; others are apostrophes.

    Inside a quotation, an apostrophe between words is a possessive if a later one certainly closes the quotation: one
    after punctuation ("so,'") with no opening mark before it.
    """
    marks = [(mark_of(token.word) if token.word.startswith("&") else None) or token.word for token in tokens]
    closed_later = _closed_later(tokens, marks)
    closing, opened = set[int](), 0
    for i, mark in enumerate(marks):
        if mark == _OPENS:
            opened += 1
        elif mark == _CLOSES and opened and not (closed_later[i] and _is_between_words(tokens, i)):
            opened -= 1
            closing.add(i)
    return closing


def _is_between_words(tokens: Sequence[Token], i: int) -> bool:
    """Whether an apostrophe may be a possessive: after a word in s and before another word."""
    return tokens[i - 1].text.lower().endswith("s") and tokens[i + 1].text[0].isalpha()


def _closed_later(tokens: Sequence[Token], marks: Sequence[str]) -> list[bool]:
    """Return by place whether a mark after the next token certainly closes before another opens."""
    is_closed, closed_later = False, [False] * len(tokens)
    for i in range(len(tokens) - 3, -1, -1):
        before, token = tokens[i + 1 : i + 3]
        if marks[i + 2] == _OPENS:
            is_closed = False
        elif marks[i + 2] == _CLOSES and before.end == token.start and before.text[-1] in _BEFORE_CLOSING:
            is_closed = True
        closed_later[i] = is_closed
    return closed_later
