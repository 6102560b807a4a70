"""The runs of up to WINDOW words in a text, as sorted 64-bit hashes: some 50 bytes for each of its tokens."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import begins_run

WINDOW = 5
_FACTORS = tuple(pow(0x9E3779B97F4A7C15, k, 1 << 64) for k in range(1, WINDOW + 1))  # odd, one for each position
_MASK = (1 << 64) - 1
_BLOCK = 1 << 18  # words hashed at once


class Windows:
    """All runs of up to WINDOW words within the sentences of a text.

    The hash of a run is the sum of Python's hashes of its words times the factors of their positions, modulo 2^64. A
    collision, which may find a run that the text does not have, is as rare as of any 64 bits.
    """

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self._hashes = array("Q")
        for block in _blocks(sentences):
            self._hashes.frombytes(_hashes(block).tobytes())
        np.frombuffer(self._hashes, np.uint64).sort()  # in place, without a copy

    def __contains__(self, run: Sequence[str]) -> bool:
        """Whether a run of at most WINDOW words occurs."""
        value = sum(hash(word) * factor for word, factor in zip(run, _FACTORS, strict=False)) & _MASK
        place = bisect_left(self._hashes, value)
        return place < len(self._hashes) and self._hashes[place] == value


def _blocks(sentences: Iterable[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    block, words = [], 0
    for sentence in sentences:
        block.append(sentence)
        words += len(sentence)
        if words >= _BLOCK:
            yield block
            block, words = [], 0
    if block:
        yield block


def _hashes(sentences: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
    """Return the hashes of all runs of these sentences, each once."""
    words = np.fromiter(map(hash, chain.from_iterable(sentences)), np.int64).view(np.uint64)
    sentence = np.repeat(np.arange(len(sentences)), list(map(len, sentences)))
    runs, hashes = np.zeros_like(words), []
    for k, factor in enumerate(_FACTORS):
        last = words[k:]  # of the runs of k + 1 words
        runs = runs[: len(last)] + last * np.uint64(factor)
        hashes.append(runs[sentence[: len(last)] == sentence[k:]])
    ordered = np.sort(np.concatenate(hashes))
    return ordered[begins_run(ordered)]
