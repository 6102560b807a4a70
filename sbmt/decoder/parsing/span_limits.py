"""Span limits: which spans of a sentence the rules of one grammar may cover."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


class SpanLimits:
    """The span limit of a grammar, applied to one sentence.

    `places[b]` is the number of source words before boundary b between tokens, sentence marks included. A token that
    stands for a constraint counts as many words as it keeps. `first_start[end]` is the leftmost boundary from
    which a rule may cover up to boundary `end`. A negative `limit` allows any length, but only from the start of the
    sentence (glue).
    """

    __slots__ = ("_glue", "first_start")

    def __init__(self, limit: int, places: Sequence[int]) -> None:
        self._glue = limit < 0
        self.first_start = [0 if limit < 0 else bisect_left(places, place - limit) for place in places]

    def allows(self, start: int, end: int) -> bool:
        """Whether a rule may cover a span of tokens."""
        return start == 0 if self._glue else start >= self.first_start[end]
