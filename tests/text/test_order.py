"""Longest increasing subsequences, against all subsequences; common prefixes and suffixes."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.text.order import longest_increasing, shared_ends


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


@given(*[st.lists(st.sampled_from(["a", "an", "b"]), max_size=5)] * 2)
def test_shared_ends_cannot_be_longer(one: list[str], other: list[str]) -> None:
    begin, end = shared_ends(one, other)
    left, right = one[begin : len(one) - end], other[begin : len(other) - end]
    assert [*one[:begin], *right, *one[len(one) - end :]] == other
    assert not left or not right or (left[0] != right[0] and left[-1] != right[-1])
