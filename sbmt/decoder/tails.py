"""The items in the gaps of cubes, by cube.

Grammars with thousands of labels make a hundred thousand cubes per sentence, few of which search ever reaches: where
there are very many at once, their tails are kept in an array, and become tuples one by one.
"""

from __future__ import annotations

from array import array

import numpy as np

from sbmt.arrays import Floats, Ints

Tails = tuple[int, ...]  # the items in the gaps, left to right


class TailColumn:
    """Tails in an array: `items`, int [cubes, most gaps], holds the items in the gaps, left to right, then -1."""

    __slots__ = ("_items", "_tuples")

    def __init__(self, items: Ints) -> None:
        self._items = items
        self._tuples: dict[int, Tails] = {}  # of the cubes accessed so far

    def sums(self, cubes: range, values: array[float]) -> Floats:
        """Return the sum of `values[item]` over the items in each cube's gaps; `values` ends with a 0, for -1."""
        by_item, totals = np.frombuffer(values), np.zeros(len(cubes))
        for column in self._items[cubes.start : cubes.stop].T:  # much faster than a sum over each row
            totals += by_item.take(column)
        return totals

    def __getitem__(self, number: int) -> Tails:
        tails = self._tuples.get(number)
        if tails is None:
            tails = self._tuples[number] = tuple([item for item in self._items[number].tolist() if item >= 0])
        return tails
