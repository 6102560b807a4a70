"""The last words of an ARPA file's n-grams, which states need to know and KenLM's Python module does not offer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np

from sbmt.compressed import open_bytes
from sbmt.errors import ModelError
from sbmt.io import KENLM_BINARY
from sbmt.lm.arpa import LOWEST

_MAX_SCANNED = 200_000_000  # bytes of an ARPA file; larger ones take too long
_BLOCK = 1 << 20  # bytes read at once
_SECTION = re.compile(rb"\\([1-9][0-9]*)-grams:")


@dataclass(frozen=True, slots=True)
class Endings:
    """Last words of n-grams: `last_words` of all with two words or more, `heavy` of some that matter as a context.

    An n-gram matters as a context if it has a back-off weight or if a longer one begins with it. As a rule the n-gram
    without its first word does, too. `heavy` has the last words of those n-grams for which it does not.
    """

    last_words: frozenset[bytes]
    heavy: frozenset[bytes]


def read_endings(path: str | Path, order: int) -> Endings | None:
    """Return the endings of an ARPA file of the given order; None for a binary file or a very large one.

    The bigrams alone would not do: KenLM takes files in which the end of a longer n-gram is missing. It also takes -inf
    as a probability, with which no sentence that has the word could be decoded: raises ModelError, naming the line.
    """
    with open_bytes(path) as stream:
        if Path(path).stat().st_size > _MAX_SCANNED or stream.read(len(KENLM_BINARY)) == KENLM_BINARY:
            return None
    last_words: set[bytes] = set()
    contexts = _Contexts(order)
    for k, rows in _ngrams(path):
        if k > 1:
            last_words.update([fields[k] for fields in rows])
        contexts.add(k, rows)
    return Endings(frozenset(last_words), contexts.heavy())


class _Contexts:
    """N-grams that matter as contexts. Rows must come by order, ascending.

    If a longer n-gram begins with the end of a weighted one, the end matters as a context by itself. So it does if one
    begins with the weighted one: when KenLM has loaded the file, the end of that longer n-gram is there.
    """

    def __init__(self, order: int) -> None:
        self._order = order
        self._weighted: list[set[bytes]] = [set() for _ in range(order)]  # by order: n-grams with a weight
        self._unweighted: set[bytes] = set()  # first words of longer n-grams, without a weight
        self._candidates: set[bytes] = set()  # n-grams with a weight whose end has none, and that begin no longer one

    def add(self, k: int, rows: Sequence[list[bytes]]) -> None:
        """Add n-grams of order k, as fields."""
        if self._order < 3:  # then only single words have weights, and they have no end
            return
        if k > 1:
            begun = {b" ".join(fields[1:k]) for fields in rows}
            self._candidates -= begun
            if k < self._order:  # ends of candidates are shorter than what the longest n-grams begin with
                self._unweighted |= begun - self._weighted[k - 1]
        if k < self._order:
            weighted = {b" ".join(fields[1 : k + 1]) for fields in rows if len(fields) > k + 1 and float(fields[-1])}
            if k < self._order - 1:
                self._weighted[k] |= weighted
            if k > 1:
                ends = self._weighted[k - 1]
                self._candidates.update([ngram for ngram in weighted if ngram.partition(b" ")[2] not in ends])

    def heavy(self) -> frozenset[bytes]:
        """Return the last words of n-grams that matter as contexts though their ends do not."""
        heavy = [ngram for ngram in self._candidates if ngram.partition(b" ")[2] not in self._unweighted]
        return frozenset([ngram.rpartition(b" ")[2] for ngram in heavy])


def _ngrams(path: str | Path) -> Iterator[tuple[int, list[list[bytes]]]]:
    """Yield n-grams of one order, many at once: the order, and the fields of each line.

    Fields are the probability, the words and, if the line has one, the back-off weight.
    """
    order, n_read = 0, 0
    with open_bytes(path) as stream:
        while block := stream.readlines(_BLOCK):
            titles = [place for place, line in enumerate(block) if line.startswith(b"\\")]
            for title, end in pairwise([-1, *titles, len(block)]):  # at first the section goes on without a title
                if title >= 0:
                    section = _SECTION.match(block[title])
                    order = int(section[1]) if section else 0
                lines = block[title + 1 : end]
                if order:
                    rows = [fields for line in lines if len(fields := line.split(maxsplit=order + 1)) > order]
                    if not _in_range(rows, order):
                        _refuse_number(path, n_read + title + 2, lines, order)
                    yield order, rows
            n_read += len(block)


def _in_range(rows: Sequence[list[bytes]], order: int) -> bool:
    """Whether all probabilities and weights are numbers that KenLM can hold."""
    probabilities = np.array([float(fields[0]) for fields in rows])
    weights = np.array([float(fields[-1]) for fields in rows if len(fields) > order + 1])
    return bool((probabilities >= LOWEST).all() and (abs(weights) <= -LOWEST).all())  # NaN fails both


def _refuse_number(path: str | Path, number: int, lines: Sequence[bytes], order: int) -> NoReturn:
    """Raise ModelError for the first line, counted from `number`, with a number out of range."""
    split_lines = [line.split(maxsplit=order + 1) for line in lines]
    first = next(i for i, fields in enumerate(split_lines) if len(fields) > order and not _in_range([fields], order))
    shown = lines[first].decode(errors="replace").strip()
    problem = f"a number is not from {LOWEST:g} to {-LOWEST:g}: {shown!r}"
    raise ModelError(f"language model {path}, line {number + first}: {problem}")
