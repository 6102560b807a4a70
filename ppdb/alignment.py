"""Word alignments as written in rules and by aligners: points such as `0-0 1-2`."""

from __future__ import annotations

from functools import lru_cache

from sbmt.ppdb.rule import LAST_ALIGNED
from sbmt.text.whitespace import split_words


def parse_point(text: str) -> tuple[int, int]:
    """Parse a point such as `1-2` (source and target position); raises ValueError for anything else."""
    left, dash, right = text.partition("-")
    if not (dash and text.isascii() and left.isdecimal() and right.isdecimal()):
        raise ValueError(f"{text!r} is not an alignment point like 0-1")
    return int(left), int(right)


@lru_cache(maxsize=1 << 12)
def parse_alignment(text: str, n_source: int, n_target: int) -> tuple[tuple[int, int], ...]:
    """Parse points such as `0-0 1-2`; raises ValueError for one outside the rule."""
    points = []
    for point in split_words(text):
        i, j = parse_point(point)
        if i >= n_source or j >= n_target:
            raise ValueError(f"alignment point {point} lies outside the rule ({n_source} and {n_target} symbols)")
        if max(i, j) > LAST_ALIGNED:
            raise ValueError(f"alignment point {point} lies beyond place {LAST_ALIGNED}, the last that a grammar holds")
        points.append((i, j))
    return tuple(points)


@lru_cache(maxsize=1 << 12)
def format_alignment(alignment: tuple[tuple[int, int], ...]) -> str:
    """Return the points of an alignment as they are written."""
    return " ".join([f"{i}-{j}" for i, j in alignment])
