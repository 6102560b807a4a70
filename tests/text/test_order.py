"""The longest increasing subsequence, against all subsequences."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.text.order import longest_increasing


def increases(values: tuple[int, ...]) -> bool:
    return all(one < other for one, other in pairwise(values))


@given(st.lists(st.integers(0, 9), max_size=9))
def test_none_is_longer(values: list[int]) -> None:
    places = longest_increasing(values)
    assert places == sorted(set(places))
    assert increases(tuple(values[place] for place in places))
    assert not any(increases(longer) for longer in combinations(values, len(places) + 1))


@pytest.mark.parametrize(
    ("values", "places"),
    [([], []), ([4], [0]), ([2, 2], [1]), ([3, 0, 1, 2], [1, 2, 3]), ([0, 5, 6, 1, 7], [0, 1, 2, 4])],
)
def test_by_hand(values: list[int], places: list[int]) -> None:
    assert longest_increasing(values) == places
