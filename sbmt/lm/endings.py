"""How the n-grams of an ARPA file end: what states need to know of a model, and KenLM's Python module does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from sbmt.compressed import open_bytes
from sbmt.errors import ModelError
from sbmt.io import KENLM_BINARY
from sbmt.lm.arpa import LOWEST

_MAX_SCANNED = 200_000_000  # bytes of an ARPA file that are worth a scan
_SECTION = re.compile(rb"\\([1-9][0-9]*)-grams:")


@dataclass(frozen=True, slots=True)
class Endings:
    """Last words of n-grams: `known` of all of two words and more, `heavy` of some that matter as a context.

    An n-gram matters as a context if it has a back-off weight or if a longer one begins with it. As a rule its last
    words without the first do so, too. Of those where they do not, `heavy` has the last words.
    """

    known: frozenset[bytes]
    heavy: frozenset[bytes]


def read_endings(path: str | Path, order: int) -> Endings | None:
    """Those of an ARPA file whose longest n-grams have `order` words; None for a binary file or a very large one.

    Known are not the words of its bigrams alone: KenLM takes files in which the end of a longer n-gram is missing. It
    also takes -inf as a probability, with which no sentence that has the word could be decoded: raises ModelError,
    naming the line.
    """
    with open_bytes(path) as stream:
        if Path(path).stat().st_size > _MAX_SCANNED or stream.read(len(KENLM_BINARY)) == KENLM_BINARY:
            return None
    known: set[bytes] = set()
    doubtful: set[bytes] = set()
    weighty: list[set[bytes]] = [set() for _ in range(order)]  # n-grams with a weight, by their order - 1
    for k, fields, weight in _ngrams(path):
        if k > 1:
            known.add(fields[k])
        if weight and order > 2:
            ngram = b" ".join(fields[1 : k + 1])
            if k > 1 and ngram.partition(b" ")[2] not in weighty[k - 2]:
                doubtful.add(ngram)
            if k < order - 1:
                weighty[k - 1].add(ngram)
    return Endings(frozenset(known), _heavy(path, doubtful) if doubtful else frozenset())


def _heavy(path: str | Path, doubtful: Set[bytes]) -> frozenset[bytes]:
    """The last words of n-grams with a weight whose end has none, but for those of which a longer n-gram tells more.

    Where one begins with the end, that matters as a context by itself. So it does where one begins with the whole: as
    KenLM loads it, the end of that longer one is there.
    """
    ends = {ngram: ngram.partition(b" ")[2] for ngram in doubtful}
    wanted = {*ends, *ends.values()}
    contexts = {context for k, fields, _ in _ngrams(path) if (context := b" ".join(fields[1:k])) in wanted}
    return frozenset(ngram.rpartition(b" ")[2] for ngram, end in ends.items() if contexts.isdisjoint((ngram, end)))


def _ngrams(path: str | Path) -> Iterator[tuple[int, list[bytes], float]]:
    """The n-grams: their order, the fields of the line (the probability first, then the words), the back-off weight."""
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
            if not float(fields[0]) >= LOWEST or not abs(weight) <= -LOWEST:  # nor is NaN
                shown = line.decode(errors="replace").strip()
                problem = f"a number is not from {LOWEST:g} to {-LOWEST:g}: {shown!r}"
                raise ModelError(f"language model {path}, line {number}: {problem}")
            yield order, fields, weight
