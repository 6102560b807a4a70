"""Counting the n-grams of a text, all orders at once, in numpy.

The k-gram that ends at a position is the (k-1)-gram that ends one position before, plus a word; so each order is one
sort of (row in the order below, word) over all positions. Memory is near 60 bytes a token and 20 bytes a different
n-gram: 24 million words at order 5 need about 4 GB.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sbmt.errors import SbmtError
from sbmt.lm.ngrams import BEGIN_ID, END_ID, SPECIAL_WORDS, Ints, Trie, first_of_each
from sbmt.progress import progress


@dataclass
class Counts:
    """How often each n-gram occurs in a text with <s> and </s> around each line; `raw` is int32, one array an order."""

    words: list[str]
    trie: Trie
    raw: list[Ints]


def count_text(lines: Iterable[str], order: int) -> Counts:
    """Count the n-grams up to `order` of tokenised lines, split at ASCII white space; blank lines are skipped.

    Tokens that are <s>, </s> or <unk> are left out. Word numbers follow the first occurrence, as in lmplz.
    """
    words, tokens = _number(lines)
    row = tokens
    trie, raw = Trie(len(words)), [np.bincount(tokens, minlength=len(words)).astype(np.int32)]
    columns, suffixes = list[tuple[Ints, Ints]](), [np.zeros(len(words), np.int32)]
    for _ in range(2, order + 1):
        before = np.concatenate([np.array([-1], np.int32), row[:-1]])
        inside = np.flatnonzero((before >= 0) & (tokens != BEGIN_ID))
        keys = trie.key(before[inside], tokens[inside])
        by_key = np.argsort(keys)
        keys = keys[by_key]
        first = np.flatnonzero(first_of_each(keys))
        keys = keys[first]
        raw.append(np.diff(first, append=len(by_key)).astype(np.int32))
        suffixes.append(row[inside[by_key[first]]])
        columns.append(((keys // len(words)).astype(np.int32), (keys % len(words)).astype(np.int32)))
        row = np.full(len(tokens), -1, np.int32)
        row[inside[by_key]] = np.repeat(np.arange(len(first), dtype=np.int32), raw[-1])
    trie = Trie(len(words), columns)
    trie.set_suffixes(suffixes)
    return Counts(words, trie, raw)


def _number(lines: Iterable[str]) -> tuple[list[str], Ints]:
    """The vocabulary and the text as word numbers, each sentence between <s> and </s>."""
    numbers = {word.encode(): i for i, word in enumerate(SPECIAL_WORDS)}
    special = frozenset(numbers)
    tokens = array("i")
    for line in progress(lines, "reading text", "lines"):
        sentence = [word for word in line.encode().split() if word not in special]
        if sentence:
            tokens.append(BEGIN_ID)
            tokens.extend([numbers.setdefault(word, len(numbers)) for word in sentence])
            tokens.append(END_ID)
    if not tokens:
        raise SbmtError("the text for the language model has no words")
    return [word.decode() for word in numbers], np.frombuffer(tokens, np.int32)
