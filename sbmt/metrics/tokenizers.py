"""Tokenisers that metrics name in their signatures, applied to many lines at once.

`13a` are the rules of NIST's mteval-v13a.pl (the field's default through sacreBLEU); `nist` the same without its
unescaping of SGML entities, as Joshua's tuner normalises; `none` trusts the text's white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from sbmt.errors import SbmtError

_PUNCTUATION = str.maketrans({mark: f" {mark} " for mark in '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'})
_NUMERIC_RULES = (
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # period and comma, unless a digit comes before
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),  # period and comma, unless a digit follows
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # dash after a digit
)
_ENTITIES = (("<skipped>", ""), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _nist(text: str) -> str:
    text = text.translate(_PUNCTUATION)
    for pattern, replacement in _NUMERIC_RULES:
        text = pattern.sub(replacement, text)
    return text


def _13a(text: str) -> str:
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return _nist(text)


# What a tokeniser does to text in which white space already separates chunks; none looks beyond a chunk.
TOKENIZERS: dict[str, Callable[[str], str]] = {"none": str, "13a": _13a, "nist": _nist}


def tokenize(lines: Sequence[str], tokenizer: str, lowercase: bool) -> list[list[str]]:
    """Split each line into tokens; raises SbmtError for an unknown tokeniser."""
    if tokenizer not in TOKENIZERS:
        raise SbmtError(f"unknown tokeniser {tokenizer!r} (known: {', '.join(sorted(TOKENIZERS))})")
    chunks = [(line.lower() if lowercase else line).split() for line in lines]
    # The rules see each distinct chunk once: lines of one text, and hypotheses of one sentence, share most of them.
    distinct = [chunk for chunk in set(chain.from_iterable(chunks)) if not chunk.isalnum()]
    tokens = TOKENIZERS[tokenizer](" " + " \n ".join(distinct) + " ").split("\n")
    changed = {
        chunk: split for chunk, text in zip(distinct, tokens, strict=False) if (split := text.split()) != [chunk]
    }
    if not changed:
        return chunks
    return [
        [token for chunk in line for token in changed.get(chunk, (chunk,))]
        if not changed.keys().isdisjoint(line)
        else line
        for line in chunks
    ]
