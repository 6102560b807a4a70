"""The last words of an ARPA file's n-grams, which states need to know and KenLM's Python module does not offer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from sbmt.compressed import open_bytes
from sbmt.errors import ModelError
from sbmt.io import KENLM_BINARY
from sbmt.lm.arpa import LOWEST

_MAX_SCANNED = 200_000_000  # bytes of an ARPA file; larger ones take too long
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
    candidates: set[bytes] = set()  # n-grams with a weight whose end has none
    weighted: list[set[bytes]] = [set() for _ in range(order)]  # n-grams with a weight, by their order - 1
    for k, fields, weight in _ngrams(path):
        if k > 1:
            last_words.add(fields[k])
        if weight and order > 2:
            ngram = b" ".join(fields[1 : k + 1])
            if k > 1 and ngram.partition(b" ")[2] not in weighted[k - 2]:
                candidates.add(ngram)
            if k < order - 1:
                weighted[k - 1].add(ngram)
    return Endings(frozenset(last_words), _heavy(path, candidates) if candidates else frozenset())


def _heavy(path: str | Path, candidates: Set[bytes]) -> frozenset[bytes]:
    """Return the last words of the candidates, n-grams with a weight whose end has none, that are heavy.

    If a longer n-gram begins with the end, the end matters as a context by itself. So it does if one begins with the
    candidate: when KenLM has loaded the file, the end of that longer n-gram is there.
    """
    ends = {ngram: ngram.partition(b" ")[2] for ngram in candidates}
    relevant = {*ends, *ends.values()}
    contexts = {context for k, fields, _ in _ngrams(path) if (context := b" ".join(fields[1:k])) in relevant}
    return frozenset(ngram.rpartition(b" ")[2] for ngram, end in ends.items() if contexts.isdisjoint((ngram, end)))


def _ngrams(path: str | Path) -> Iterator[tuple[int, list[bytes], float]]:
    """Yield the n-grams: order, fields of the line (the probability first, then the words), back-off weight."""
    order = 0
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, 1):
            if line.startswith(b"\\"):
                section = _SECTION.match(line)
                order = int(section[1]) if section else 0
                continue
            fields = line.split(maxsplit=order + 1)  # at ASCII white space only
            if not 0 < order < len(fields):
                continue
            weight = float(fields[-1]) if len(fields) > order + 1 else 0.0
            if not float(fields[0]) >= LOWEST or not abs(weight) <= -LOWEST:  # true for NaN
                shown = line.decode(errors="replace").strip()
                problem = f"a number is not from {LOWEST:g} to {-LOWEST:g}: {shown!r}"
                raise ModelError(f"language model {path}, line {number}: {problem}")
            yield order, fields, weight
