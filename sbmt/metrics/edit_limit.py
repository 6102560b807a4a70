"""How much of two texts edit distances compare: all of it, unless that would take minutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Units = TypeVar("Units", str, Sequence[str])

MAX_COMPARED = 100_000  # characters or words of each side; two texts of this length take up to 3 s


def compared(a: Units, b: Units) -> tuple[Units, Units]:
    """Return both texts or, where the product of their lengths exceeds 10^10, the first 100,000 units of each."""
    if len(a) * len(b) > MAX_COMPARED**2:
        return a[:MAX_COMPARED], b[:MAX_COMPARED]
    return a, b
