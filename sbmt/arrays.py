"""Array types that the package uses, and array operations that numpy lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Ints = NDArray[np.integer[Any]]  # of any width
Bools = NDArray[np.bool_]


def starts(lengths: Ints | Sequence[int]) -> Int64s:
    """Return where consecutive runs of these lengths begin, and where the last ends: int64 [len(lengths) + 1]."""
    begin = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, dtype=np.int64, out=begin[1:])
    return begin


def ranges(begin: Ints, lengths: Ints) -> Ints:
    """Return the numbers begin[i] .. begin[i] + lengths[i] - 1 for every i, concatenated."""
    offsets: Ints = lengths.cumsum() - lengths
    numbers: Ints = np.arange(lengths.sum()) + (begin - offsets).repeat(lengths)
    return numbers


def begins_run(*keys: Ints) -> Bools:
    """Return which rows differ in any key from the row before; the first does. (Much faster than np.unique.)"""
    begins = np.ones(len(keys[0]), np.bool_)
    begins[1:] = False
    for key in keys:
        begins[1:] |= key[1:] != key[:-1]
    return begins
