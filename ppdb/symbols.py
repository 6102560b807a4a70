"""Labels and gaps as written in rules: which are possible, and which words could be taken for one."""

from __future__ import annotations

import re
from functools import lru_cache

from sbmt.errors import SbmtError
from sbmt.ppdb.rule import BAR, Side, is_gap
from sbmt.text.whitespace import WORD

_IN_BRACKETS = re.compile(r"\[([^\s\[\]]+)\]")
_NUMBERED = re.compile(r".+,\d+")  # what is in the brackets of a gap
_ODD_GAP = re.compile(r"\[[^\s\[\]]*[A-Z][^\s\[\]]*,\d+\]")


def may_be_gap(word: str) -> bool:
    """Whether a word is a gap, or looks like one that is numbered wrongly."""
    return word[0] == "[" and (is_gap(word) or _ODD_GAP.fullmatch(word) is not None)


def is_bracketed(text: str) -> bool:
    """Whether a text looks like a left-hand side: one word in brackets."""
    return _IN_BRACKETS.fullmatch(text) is not None


@lru_cache(maxsize=1 << 12)
def parse_label(text: str) -> str:
    """Return the label of a left-hand side, "" if `text` is not in brackets; raises ValueError for a gap."""
    match = _IN_BRACKETS.fullmatch(text)
    if match and _NUMBERED.fullmatch(match[1]):
        raise ValueError(f"the left-hand side {text} is numbered as only gaps are")
    return match[1] if match else ""


def named_label(text: str) -> str:
    """Return a label given by a user, with or without its brackets; raises SbmtError for an impossible one."""
    try:
        label = parse_label(text) or parse_label(f"[{text}]")
    except ValueError:
        label = ""
    if not label or BAR in label:
        raise SbmtError(f"{text!r} is no label: give one word without brackets and {BAR}, such as NN")
    return label


def is_writable(word: str) -> bool:
    """Whether a word survives writing and reading a rule: it is no gap, no separator, and has no white space."""
    return WORD.fullmatch(word) is not None and BAR not in word and not may_be_gap(word)


def check_gaps(source: Side, target: Side) -> None:
    """Raise ValueError unless both sides have the same gaps, numbered 1, 2, ..., and the source is not empty."""
    if not source:
        raise ValueError("has an empty source side")
    left, right = ([symbol for symbol in side if symbol[0] == "["] for side in (source, target))
    for symbol in (*left, *right):
        if not is_gap(symbol) and _ODD_GAP.fullmatch(symbol):
            raise ValueError(f"the gap {symbol} is numbered neither 1 nor 2 ... nor 9")
    left, right = sorted(filter(is_gap, left)), sorted(filter(is_gap, right))
    if left != right:
        raise ValueError(
            f"the gaps differ: {' '.join(left) or 'none'} on the left, {' '.join(right) or 'none'} on the right"
        )
    if left:
        numbers = sorted(symbol[-2] for symbol in left)
        if numbers != [str(i) for i in range(1, len(left) + 1)]:
            raise ValueError(f"the gaps are numbered {', '.join(numbers)}, not from 1 up")
