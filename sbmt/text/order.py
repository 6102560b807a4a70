"""What kept its order where words changed places, and what stayed at both ends where those between changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence

from rapidfuzz.distance import Postfix, Prefix


def longest_increasing(values: Sequence[int]) -> list[int]:
    """Places, ascending, of a longest strictly increasing subsequence; in O(n log n)."""
    tails: list[int] = []  # of the subsequences of each length the place where the one with the least end ends
    before: list[int] = []  # the place that comes before each place in its subsequence, or -1
    for place, value in enumerate(values):
        length = bisect_left(tails, value, key=values.__getitem__)
        before.append(tails[length - 1] if length else -1)
        tails[length : length + 1] = [place]
    found = tails[-1:]
    while found and before[found[-1]] >= 0:
        found.append(before[found[-1]])
    return found[::-1]


def shared_ends(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[int, int]:
    """How many items both begin with, and how many of the rest both end with."""
    begin = Prefix.similarity(one, other)
    return begin, Postfix.similarity(one[begin:], other[begin:])
