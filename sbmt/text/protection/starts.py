"""Places where a capital is no evidence of a name: starts of sentences, items, cells and elements, after labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sbmt.text.casing import has_capital
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.protection.elements import BLOCKS
from sbmt.text.tokens import Token
from sbmt.text.words.english import SENTENCE_ENDS

_MAX_MARKER = 4  # characters: "viii)"
_MAX_LABEL = 4  # tokens: "Reason for this step:"
# Numbers of clauses and items without a parenthesis; other capitals with a period may be initials of a name. The single
# letters are bullets in text that was saved or copied from Word.
_ITEM = re.compile(r"\d{1,3}(?:\.\d{1,3})+|\d{1,2}|[QA]\.|[IVX]{2,4}\.|[ivx]{1,4}\.|[a-z]\.|[oqvüØ]")
_EMPHASIS = ("*", "_")
_BETWEEN_NAMES = (",", "and", "or", "&", "of")
_ENDS = SENTENCE_ENDS | {"|", ";"}  # of a sentence or cell


def starts(tokens: Sequence[Token]) -> list[int]:
    """Return the indices, ascending, of words that may be capitalised only because of their position.

    These are the first words of the sentence, of each quotation, table cell and HTML element, and the words after a
    number or label of one of these ("a)", "4.1", "Q.", "Note:").
    """
    first = next((i for i, token in enumerate(tokens) if token.text[0].isalnum()), len(tokens))
    places = {first, *(i for i in range(1, len(tokens)) if tokens[i - 1].word in CLOSING_MARKS), *_block_starts(tokens)}
    return sorted(place for place in places if place < len(tokens))


def _block_starts(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the first words of a sentence, its cells and elements, and those after their numbers and labels.

    After labels, tags and letters and in cells, a word alone or the first of several with capitals is left out: it may
    be a name.
    """
    may_begin, is_certain, in_tag = True, True, False  # a word may start a block here; even if it is alone
    marker = label_end = -1
    for i, token in enumerate(tokens):
        text = token.text
        if in_tag:
            in_tag = text != ">"
        elif name := _tag_name(tokens, i):
            in_tag, is_certain = True, False
            may_begin = may_begin or name.lower() in BLOCKS
        elif text == "|" or i == label_end:
            may_begin, is_certain = True, False
        elif text in (")", "]") and i == marker + 1:
            may_begin = is_certain = True
        elif may_begin and text[0].isalnum():
            if is_certain or not _is_alone(tokens, i):
                yield i
            may_begin = _ITEM.fullmatch(text) is not None
            is_certain = may_begin and text[0].isdigit()
            marker = i if len(text) <= _MAX_MARKER else -1
            label_end = _end_of_label(tokens, i)


def _tag_name(tokens: Sequence[Token], i: int) -> str:
    """Return the name in the tag that begins at token i; "" if there is none."""
    if tokens[i].text != "<":
        return ""
    name = i + 2 if i + 1 < len(tokens) and tokens[i + 1].text == "/" else i + 1
    is_tag = name < len(tokens) and tokens[name].start == tokens[i].end + name - i - 1
    return tokens[name].text if is_tag and tokens[name].text[0].isalpha() else ""


def _is_alone(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word is alone, or the first of several with capitals ("Ulm, Rome and Bath", "Bank of Ulm")."""
    in_tag = False
    for k in range(i + 1, len(tokens)):
        text = tokens[k].text
        if in_tag or text in _EMPHASIS:
            in_tag = in_tag and text != ">"
        elif name := _tag_name(tokens, k):
            if name.lower() in BLOCKS:
                return True
            in_tag = True
        else:
            after = [token.text for token in tokens[k + 1 : k + 3] if token.text != "the"]
            return text in _ENDS or (text in _BETWEEN_NAMES and after != [] and has_capital(after[0]))
    return True


def _end_of_label(tokens: Sequence[Token], i: int) -> int:
    """Return the place of the colon of a label that begins at token i; -1 if there is none."""
    for k in range(i + 1, min(len(tokens) - 1, i + _MAX_LABEL + 1)):
        text = tokens[k].text
        if text == ":":
            return k if tokens[k + 1].start > tokens[k].end or tokens[k + 1].text in _EMPHASIS else -1
        if not text[0].isalnum() and text not in _EMPHASIS:
            return -1
    return -1
