"""The items in the gaps of cubes, by cube.

Thousands of labels make a hundred thousand cubes of a sentence, few of which are ever looked at: where very many come
at once they are in an array, and become tuples one by one.
"""

from __future__ import annotations

from array import array

import numpy as np

from sbmt.arrays import Floats, Ints

Tails = tuple[int, ...]  # the items in the gaps, left to right


class TailColumn:
    """`items`, int [cubes, most gaps]: those in the gaps, left to right, then -1."""

    __slots__ = ("_items", "_made")

    def __init__(self, items: Ints) -> None:
        self._items = items
        self._made: dict[int, Tails] = {}  # those that were looked at

    def sums(self, cubes: range, values: array[float]) -> Floats:
        """Sum of `values[item]` over the items in each cube's gaps: [len(cubes)]. `values` ends with a 0, for -1."""
        by_item, found = np.frombuffer(values), np.zeros(len(cubes))
        for column in self._items[cubes.start : cubes.stop].T:  # much faster than a sum over each row
            found += by_item[column]
        return found

    def __getitem__(self, number: int) -> Tails:
        found = self._made.get(number)
        if found is None:
            found = self._made[number] = tuple([item for item in self._items[number].tolist() if item >= 0])
        return found
