"""What kept its order where words changed places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


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
