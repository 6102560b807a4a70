"""64-bit hashes of all spans of a text at once, so that rules can be counted without building their strings.

The hash of a span is the sum of w_i B^(i - start) modulo 2^64, w_i a pseudo-random number for each word, computed from
differences of one cumulative sum (Karp & Rabin 1987); B is odd, hence invertible. With 10^8 distinct rules, the
probability that any two have the same hashes on both sides is negligible; that any two phrases do, about 3 in 10,000.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Ints

Hashes = NDArray[np.uint64]
_BASE = 0x9E3779B97F4A7C15
_BASE_INVERSE = pow(_BASE, -1, 1 << 64)
SALTS = (0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)  # odd numbers that tell the two gaps, or sides, of a rule apart


def mix(values: Ints) -> Hashes:
    """Apply a bijection in which every bit affects all others (splitmix64, Steele, Lea & Flood 2014)."""
    z = values.astype(np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)), np.uint64)


class SpanHashes:
    """Hashes of the spans of a flat token array."""

    def __init__(self, tokens: Ints) -> None:
        """Take the numbers of words `tokens` [n]."""
        powers = np.full(len(tokens) + 1, _BASE, np.uint64)
        inverses = np.full(len(tokens) + 1, _BASE_INVERSE, np.uint64)
        powers[0] = inverses[0] = 1
        self._inverses = np.cumprod(inverses, dtype=np.uint64)
        values = mix(tokens.astype(np.uint64) + np.uint64(1)) * np.cumprod(powers, dtype=np.uint64)[:-1]
        self._sums = np.concatenate([[np.uint64(0)], np.cumsum(values, dtype=np.uint64)])

    def __call__(self, start: Ints, length: Ints) -> Hashes:
        """Return the hash of each span; 0 for an empty one."""
        return np.asarray((self._sums[start + length] - self._sums[start]) * self._inverses[start], np.uint64)


def pattern_hash(pieces: list[Hashes], gaps: list[Hashes]) -> Hashes:
    """Return the hash of piece, gap, piece ...; `gaps` are the hashes of their symbols."""
    value = mix(pieces[0])
    for piece, gap in zip(pieces[1:], gaps, strict=True):
        value = mix(mix(value + gap) + piece)
    return value
