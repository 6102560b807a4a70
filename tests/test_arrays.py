"""Array operations against plain Python."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sbmt.arrays import begins_run, ranges, starts


@given(st.lists(st.integers(0, 5)))
def test_runs_begin_where_the_ones_before_end(lengths: list[int]) -> None:
    expected = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    assert starts(lengths).tolist() == starts(np.array(lengths, np.int32)).tolist() == expected
    assert starts(lengths).dtype == np.int64


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5))))
def test_ranges_one_after_the_other(given_ranges: list[tuple[int, int]]) -> None:
    begin, length = np.array(given_ranges, np.int64).reshape(-1, 2).T
    assert ranges(begin, length).tolist() == [n for b, k in given_ranges for n in range(b, b + k)]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1))))
def test_a_run_begins_where_a_row_differs(rows: list[tuple[int, int]]) -> None:
    first, second = np.array(rows, np.int64).reshape(-1, 2).T
    expected = [True, *(a != b for a, b in pairwise(rows))][: len(rows)]
    assert begins_run(first, second).tolist() == expected
