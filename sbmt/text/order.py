"""Longest increasing subsequences and common prefixes and suffixes of sequences."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence

from rapidfuzz.distance import Postfix, Prefix


def longest_increasing(values: Sequence[int]) -> list[int]:
    """Return the places, ascending, of a longest strictly increasing subsequence; in O(n log n)."""
    tails: list[int] = []  # by length: the place of the smallest last value of such a subsequence
    predecessors: list[int] = []  # the previous place in the subsequence that ends at each place, or -1
    for place, value in enumerate(values):
        length = bisect_left(tails, value, key=values.__getitem__)
        predecessors.append(tails[length - 1] if length else -1)
        tails[length : length + 1] = [place]
    places = tails[-1:]
    while places and predecessors[places[-1]] >= 0:
        places.append(predecessors[places[-1]])
    return places[::-1]


def shared_ends(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[int, int]:
    """Return the length of the common prefix, and of the common suffix of the rest."""
    begin = Prefix.similarity(a, b)
    return begin, Postfix.similarity(a[begin:], b[begin:])
