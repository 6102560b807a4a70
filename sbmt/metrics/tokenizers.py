"""Tokenisers that metrics name in their signatures, applied to many lines at once.

`13a` are the rules of NIST's mteval-v13a.pl (the field's default through sacreBLEU); `nist` the same without
unescaping SGML entities, as Joshua's tuner normalises; `ptb` Penn Treebank tokens of each sentence of raw text; `none`
splits at white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from sbmt.text.lines import line_words

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


# Tokenisers whose rules apply within chunks between white space.
_CHUNK_RULES: dict[str, Callable[[str], str]] = {"13a": _13a, "nist": _nist}
TOKENIZERS = ("13a", "nist", "none", "ptb")


def tokenize(lines: Sequence[str], tokenizer: str, lowercase: bool) -> list[list[str]]:
    """Split each line into tokens by one of TOKENIZERS."""
    if tokenizer == "ptb":
        return [line_words(line, lowercase) for line in lines]
    chunks = [(line.lower() if lowercase else line).split() for line in lines]
    return chunks if tokenizer == "none" else _split_chunks(chunks, _CHUNK_RULES[tokenizer])


def _split_chunks(lines: list[list[str]], rules: Callable[[str], str]) -> list[list[str]]:
    """Apply rules to each distinct chunk once; hypotheses of one sentence share most of theirs."""
    distinct = [chunk for chunk in set(chain.from_iterable(lines)) if not chunk.isalnum()]
    texts = rules(" " + " \n ".join(distinct) + " ").split("\n")
    pieces = {chunk: text.split() for chunk, text in zip(distinct, texts, strict=False)}
    changed = {chunk: tokens for chunk, tokens in pieces.items() if tokens != [chunk]}
    return [
        line if changed.keys().isdisjoint(line) else [token for chunk in line for token in changed.get(chunk, (chunk,))]
        for line in lines
    ]
