"""Single quotation marks, which look like apostrophes: which of them close a quotation."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.tokens import Token

_OPENS, _CLOSES = "`", "'"  # as words of tokens
_BEFORE_CLOSING = ".,;:!?…)"  # no apostrophe follows these


def closing_marks(tokens: Sequence[Token]) -> set[int]:
    """The places of the single quotation marks that close one; others are apostrophes.

    Inside a quotation an apostrophe between words is of a possessive if a later one closes for certain: one that
    follows punctuation ("so,'"), nothing having opened before it.
    """
    closed_later = _closed_later(tokens)
    closing, opened = set[int](), 0
    for i, token in enumerate(tokens):
        if token.word == _OPENS:
            opened += 1
        elif token.word == _CLOSES and opened and not (closed_later[i] and _is_between_words(tokens, i)):
            opened -= 1
            closing.add(i)
    return closing


def _is_between_words(tokens: Sequence[Token], i: int) -> bool:
    """Whether an apostrophe stands where that of a possessive may: after a word in s, before another."""
    return tokens[i - 1].text.lower().endswith("s") and tokens[i + 1].text[0].isalpha()


def _closed_later(tokens: Sequence[Token]) -> list[bool]:
    """By place: whether a mark after the next token closes for certain before one opens."""
    later, known = False, [False] * len(tokens)
    for i in range(len(tokens) - 3, -1, -1):
        before, token = tokens[i + 1 : i + 3]
        if token.word == _OPENS:
            later = False
        elif token.word == _CLOSES and before.end == token.start and before.text[-1] in _BEFORE_CLOSING:
            later = True
        known[i] = later
    return known
