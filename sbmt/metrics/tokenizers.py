"""Tokenisers that metrics name in their signatures, applied to many lines at once.

`13a` are the rules of NIST's mteval-v13a.pl (the field's default through sacreBLEU); `nist` the same without its
unescaping of SGML entities, as Joshua's tuner normalises; `none` trusts the text's white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sbmt.errors import SbmtError

# Joined lines are tokenised by one pass of each expression; the separator is white space to every rule.
_SEPARATOR = " \n "

_NIST_RULES = (
    (re.compile(r"([{-~\[-`!-&(-+:-@/])"), r" \1 "),  # ASCII punctuation except , . - '
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # period and comma, unless a digit comes before
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),  # period and comma, unless a digit follows
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # dash after a digit
)
_ENTITIES = (("<skipped>", ""), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _none(text: str) -> str:
    return text


def _nist(text: str) -> str:
    for pattern, replacement in _NIST_RULES:
        text = pattern.sub(replacement, text)
    return text


def _13a(text: str) -> str:
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return _nist(text)


TOKENIZERS: dict[str, Callable[[str], str]] = {"none": _none, "13a": _13a, "nist": _nist}


def tokenize(lines: Sequence[str], tokenizer: str, lowercase: bool) -> list[list[str]]:
    """Split each line into tokens; raises SbmtError for an unknown tokeniser."""
    if tokenizer not in TOKENIZERS:
        raise SbmtError(f"unknown tokeniser {tokenizer!r} (known: {', '.join(sorted(TOKENIZERS))})")
    text = _SEPARATOR.join([line.replace("\n", " ") for line in lines])
    text = TOKENIZERS[tokenizer](f" {text} ")
    if lowercase:
        text = text.lower()
    return [line.split() for line in text.split("\n")] if lines else []
