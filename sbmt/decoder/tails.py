"""The items in the gaps of cubes, by cube.

Thousands of labels make a hundred thousand cubes of a sentence, few of which are ever looked at: where very many come
at once they stand in an array, and become tuples one by one.
"""

from __future__ import annotations

import numpy as np

from sbmt.ppdb.columns import Ints

Tails = tuple[int, ...]  # the items in the gaps, left to right


class TailColumn:
    """`items`, int [cubes, most gaps]: those in the gaps, left to right, then -1."""

    __slots__ = ("_items",)

    def __init__(self, items: Ints) -> None:
        self._items = items

    def filled(self, cubes: range, filled: bytearray) -> list[int]:
        """Which of some cubes have nothing but items that are `filled` (1; else 0) in their gaps."""
        flags = np.append(np.frombuffer(filled, np.bool_), True)  # the last stands for -1, no gap
        good = flags[self._items[cubes.start : cubes.stop]].all(axis=1)
        found: list[int] = (np.flatnonzero(good) + cubes.start).tolist()
        return found

    def __getitem__(self, number: int) -> Tails:
        return tuple([item for item in self._items[number].tolist() if item >= 0])
