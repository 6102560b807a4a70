"""The items in the gaps of cubes, by cube.

Thousands of labels make a hundred thousand cubes of a sentence, few of which are ever looked at: where very many come
at once they stand in arrays, and become tuples one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from sbmt.ppdb.columns import Ints

Tails = tuple[int, ...]  # the items in the gaps, left to right


class TailColumn:
    """Items in the `first` gap and in the `last`: the same where there is one, -1 without; `longer` has all of more."""

    __slots__ = ("_first", "_last", "_longer")

    def __init__(self) -> None:
        self._first, self._last = array("i"), array("i")
        self._longer: dict[int, Tails] = {}

    @classmethod
    def of(cls, first: Ints, last: Ints, longer: dict[int, Tails]) -> TailColumn:
        """A column of what is known already."""
        column = cls()
        column._first.frombytes(first.astype(np.int32).tobytes())
        column._last.frombytes(last.astype(np.int32).tobytes())
        column._longer = longer
        return column

    def part(self, start: int, stop: int) -> TailColumn:
        """Some of it, as a column of its own."""
        part = TailColumn()
        part._first, part._last = self._first[start:stop], self._last[start:stop]
        part._longer = {n - start: tails for n, tails in self._longer.items() if start <= n < stop}
        return part

    def append(self, tails: Tails) -> None:
        """One more cube."""
        if len(tails) > 2:
            self._longer[len(self._first)] = tails
        self._first.append(tails[0] if tails else -1)
        self._last.append(tails[-1] if tails else -1)

    def extend(self, other: TailColumn) -> None:
        """Those of another column."""
        self._longer.update({len(self._first) + n: tails for n, tails in other._longer.items()})
        self._first += other._first
        self._last += other._last

    def filled(self, cubes: range, filled: bytearray) -> list[int]:
        """Which of some cubes have nothing but items that are `filled` (1; else 0) in their gaps."""
        flags = np.frombuffer(filled, np.bool_)
        first, last = (
            np.frombuffer(column, np.int32)[cubes.start : cubes.stop] for column in (self._first, self._last)
        )
        found: list[int] = (np.flatnonzero(flags[first] & flags[last]) + cubes.start).tolist()
        if self._longer:
            found = [n for n in found if all(filled[item] for item in self._longer.get(n, ()))]
        return found

    def __getitem__(self, number: int) -> Tails:
        first, last = self._first[number], self._last[number]
        if self._longer and number in self._longer:
            return self._longer[number]
        return () if first < 0 else (first,) if first == last else (first, last)


def join_tails(parts: Sequence[Tails | TailColumn]) -> list[Tails] | TailColumn:
    """Cube by cube: a list, which is faster to read, unless there are columns among the parts."""
    alone = [part for part in parts if isinstance(part, tuple)]
    if len(alone) == len(parts):
        return alone
    column = TailColumn()
    for part in parts:
        if isinstance(part, TailColumn):
            column.extend(part)
        else:
            column.append(part)
    return column
