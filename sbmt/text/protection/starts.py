"""Where a capital says nothing of a word: at the start of a sentence, item, cell or element, and after a label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sbmt.text.casing import has_capital
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.tokens import Token
from sbmt.text.words.english import SENTENCE_ENDS

_LONGEST_MARKER = 4  # characters: "viii)"
_LONGEST_LABEL = 4  # tokens: "Reason for this step:"
# Numbers of clauses and items without a parenthesis; other capitals with a period may be the initials of a name.
_ITEM = re.compile(r"\d{1,3}(?:\.\d{1,3})+|\d{1,2}|[QA]\.|[IVX]{2,4}\.|[ivx]{1,4}\.|[a-z]\.")
_BLOCKS = frozenset(  # elements of HTML in which text begins anew
    "address article aside blockquote body br button caption dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 "
    "header hr label legend li main nav ol option p section summary table tbody td th title tr ul".split()
)
_EMPHASIS = ("*", "_")
_BETWEEN_NAMES = (",", "and", "or", "&", "of")
_ENDS = SENTENCE_ENDS | {"|", ";"}  # of what stands in a place


def starts(tokens: Sequence[Token]) -> list[int]:
    """The indices, ascending, of words that may have a capital only because of where they stand.

    These are the first words of the sentence, of each quotation, table cell and HTML element, and the words after a
    number or label of one of these ("a)", "4.1", "Q.", "Note:").
    """
    first = next((i for i, token in enumerate(tokens) if token.text[0].isalnum()), len(tokens))
    places = {first, *(i for i in range(1, len(tokens)) if tokens[i - 1].word in CLOSING_MARKS), *_beginnings(tokens)}
    return sorted(place for place in places if place < len(tokens))


def _beginnings(tokens: Sequence[Token]) -> Iterator[int]:
    """The first words of a sentence, its cells and elements, and those after their numbers and labels.

    After labels, tags and letters and in cells a word alone, or one of several with capitals, is none: it may be a
    name.
    """
    fresh, surely, in_tag = True, True, False  # a word may begin something here; whatever follows it
    marker = colon = -1
    for i, token in enumerate(tokens):
        text = token.text
        if in_tag:
            in_tag = text != ">"
        elif name := _tag(tokens, i):
            in_tag, surely = True, False
            fresh = fresh or name.lower() in _BLOCKS
        elif text == "|" or i == colon:
            fresh, surely = True, False
        elif text == ")" and i == marker + 1:
            fresh = surely = True
        elif fresh and text[0].isalnum():
            if surely or not _is_alone(tokens, i):
                yield i
            fresh = _ITEM.fullmatch(text) is not None
            surely = fresh and text[0].isdigit()
            marker = i if len(text) <= _LONGEST_MARKER else -1
            colon = _end_of_label(tokens, i)


def _tag(tokens: Sequence[Token], i: int) -> str:
    """The name in the tag that begins there; "" if none does."""
    if tokens[i].text != "<":
        return ""
    name = i + 2 if i + 1 < len(tokens) and tokens[i + 1].text == "/" else i + 1
    is_tag = name < len(tokens) and tokens[name].start == tokens[i].end + name - i - 1
    return tokens[name].text if is_tag and tokens[name].text[0].isalpha() else ""


def _is_alone(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word is all there is, or the first of several with capitals ("Ulm, Rome and Bath", "Bank of Ulm")."""
    in_tag = False
    for k in range(i + 1, len(tokens)):
        text = tokens[k].text
        if in_tag or text in _EMPHASIS:
            in_tag = in_tag and text != ">"
        elif name := _tag(tokens, k):
            if name.lower() in _BLOCKS:
                return True
            in_tag = True
        else:
            after = [token.text for token in tokens[k + 1 : k + 3] if token.text != "the"]
            return text in _ENDS or (text in _BETWEEN_NAMES and after != [] and has_capital(after[0]))
    return True


def _end_of_label(tokens: Sequence[Token], i: int) -> int:
    """The place of the colon of a label that begins there; -1 if none does."""
    for k in range(i + 1, min(len(tokens) - 1, i + _LONGEST_LABEL + 1)):
        text = tokens[k].text
        if text == ":":
            return k if tokens[k + 1].start > tokens[k].end or tokens[k + 1].text in _EMPHASIS else -1
        if not text[0].isalnum() and text not in _EMPHASIS:
            return -1
    return -1
