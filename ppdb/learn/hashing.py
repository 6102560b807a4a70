"""64-bit hashes of all spans of a text at once, so that rules can be counted without building their strings.

A span hashes to sum of w_i B^(i - start) modulo 2^64, w_i a pseudo-random number of the word, from differences of one
cumulated sum (Karp & Rabin 1987); B is odd, hence invertible. With 10^8 distinct rules the chance that any two share
both sides' hashes is negligible, that any two phrases share one is about 3 in 10,000.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Ints

Hashes = NDArray[np.uint64]
_BASE = 0x9E3779B97F4A7C15
_BASE_INVERSE = pow(_BASE, -1, 1 << 64)
GAPS = (0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)  # what stands for the first and the second nonterminal


def mix(values: Ints) -> Hashes:
    """A bijection that spreads every bit (splitmix64, Steele, Lea & Flood 2014)."""
    z = values.astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)), np.uint64)


class SpanHashes:
    """Hashes of the spans of a flat token array."""

    def __init__(self, tokens: Ints) -> None:
        """Of `tokens` [n], numbers of words."""
        powers = np.full(len(tokens) + 1, _BASE, np.uint64)
        inverses = np.full(len(tokens) + 1, _BASE_INVERSE, np.uint64)
        powers[0] = inverses[0] = 1
        self._inverses = np.cumprod(inverses, dtype=np.uint64)
        values = mix(tokens.astype(np.uint64) + np.uint64(1)) * np.cumprod(powers, dtype=np.uint64)[:-1]
        self._sums = np.concatenate([[np.uint64(0)], np.cumsum(values, dtype=np.uint64)])

    def __call__(self, start: Ints, length: Ints) -> Hashes:
        """The hash of each span; 0 for an empty one."""
        return np.asarray((self._sums[start + length] - self._sums[start]) * self._inverses[start], np.uint64)


def pattern_hash(pieces: list[Hashes], gaps: list[Hashes]) -> Hashes:
    """The hash of piece, gap, piece ..., where a gap is given by its symbol's hash."""
    value = mix(pieces[0])
    for piece, gap in zip(pieces[1:], gaps, strict=True):
        value = mix(mix(value + gap) + piece)
    return value
