"""Counting the n-grams of a text, all orders at once, in numpy.

The k-gram that ends at a position is the (k-1)-gram that ends one position before, plus a word; so each order is one
sort of (row in the order below, word) over all positions. Memory is about 60 bytes per token and 20 bytes per distinct
n-gram: 24 million words at order 5 need about 4 GB.
"""

from __future__ import annotations

import logging
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from sbmt.arguments import check_least, refuse_text
from sbmt.arrays import Int32s, begins_run
from sbmt.errors import HALVED, SbmtError, counted
from sbmt.lm.ngrams import BEGIN_ID, END_ID, SPECIAL_WORDS, Trie, ngram_columns, ngram_key
from sbmt.lm.symbols import MARKS
from sbmt.progress import progress

_log = logging.getLogger(__name__)

UNNAMED = "the text for the language model"
_BEGIN, _END = (mark.encode() for mark in MARKS)
_SPECIAL = frozenset(word.encode() for word in SPECIAL_WORDS)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often each n-gram occurs in a text with <s> and </s> around each line; `raw` has one array per order."""

    words: list[str]
    trie: Trie
    raw: list[Int32s]


def count_text(lines: Iterable[str], order: int, name: str = UNNAMED) -> Counts:
    """Count the n-grams up to `order` of tokenised lines, split at ASCII white space; blank lines are skipped.

    Tokens that are <s>, </s> or <unk> are left out (`sentences`). Words are numbered by first occurrence, as in lmplz.
    Raises SbmtError for an order below 1 and, with its `name`, for a text without words; also what `encoded` does.
    """
    check_least(1, order=order)
    words, tokens = _number(lines, name)
    columns, row = list[tuple[Int32s, Int32s]](), tokens
    raw, suffixes = [np.bincount(tokens, minlength=len(words)).astype(np.int32)], [np.zeros(len(words), np.int32)]
    for _ in range(2, order + 1):
        column, times, suffix, row = _extend(row, tokens, len(words))
        columns.append(column)
        raw.append(times)
        suffixes.append(suffix)
    return Counts(words, Trie(len(words), columns, suffixes), raw)


def _extend(row: Int32s, tokens: Int32s, vocabulary_size: int) -> tuple[tuple[Int32s, Int32s], Int32s, Int32s, Int32s]:
    """Go from one order to the next; `row` is that of the n-gram that ends at each position (-1: there is none).

    Returns (context, word), number of occurrences and suffix of the n-grams one word longer, and their `row`.
    """
    before = np.concatenate([np.array([-1], np.int32), row[:-1]])
    inside = np.flatnonzero((before >= 0) & (tokens != BEGIN_ID))
    keys = ngram_key(before[inside], tokens[inside], vocabulary_size)
    by_key = np.argsort(keys)
    keys = keys[by_key]
    first = np.flatnonzero(begins_run(keys))
    keys = keys[first]
    times = np.diff(first, append=len(by_key)).astype(np.int32)
    longer = np.full(len(tokens), -1, np.int32)
    longer[inside[by_key]] = np.repeat(np.arange(len(first), dtype=np.int32), times)
    return ngram_columns(keys, vocabulary_size), times, row[inside[by_key[first]]], longer


def encoded(lines: Iterable[str], name: str) -> Iterator[bytes]:
    """Yield the lines in UTF-8, as KenLM reads them.

    Raises TypeError unless they are lines and SbmtError, with the text's `name`, for half of a surrogate pair.
    """
    refuse_text(lines, "a text is a list of lines", "split it")
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise TypeError(f"{name}, line {number}: {line!r} is not a text")
        try:
            yield line.encode()
        except UnicodeEncodeError:
            raise SbmtError(f"{name}, line {number}: {HALVED}") from None


def sentences(lines: Iterable[str], name: str, title: str) -> Iterator[list[bytes]]:
    """Yield the words of each line that is not blank, without <s>, </s> and <unk>; `title` is shown as progress.

    Warns at the end if there were any but <s> at the start of a line and </s> at its end, where they change nothing.
    Raises what `encoded` does.
    """
    n_left_out = 0
    for line in progress(encoded(lines, name), title, "lines"):
        tokens = line.split()
        words = [word for word in tokens if word not in _SPECIAL]
        if len(words) < len(tokens):
            n_left_out += len(tokens) - len(words) - (tokens[0] == _BEGIN) - (tokens[-1] == _END)
        if words:
            yield words
    if n_left_out:
        left_out = f"{counted(n_left_out, 'token')} <s>, </s> or <unk> inside lines"
        _log.warning("%s: left out %s: what stands around them is counted as adjacent", name, left_out)


def _number(lines: Iterable[str], name: str) -> tuple[list[str], Int32s]:
    """Return the vocabulary and the text as word numbers, each sentence between <s> and </s>."""
    numbers = {word.encode(): i for i, word in enumerate(SPECIAL_WORDS)}
    tokens = array("i")
    for sentence in sentences(lines, name, "reading text"):
        tokens.append(BEGIN_ID)
        tokens.extend([numbers.setdefault(word, len(numbers)) for word in sentence])
        tokens.append(END_ID)
    if not tokens:
        raise SbmtError(f"{name} has no words")
    return [word.decode() for word in numbers], np.frombuffer(tokens, np.int32)
