"""Aligned columns."""

from __future__ import annotations

from sbmt.layout import aligned


def test_columns_are_aligned() -> None:
    rows = [["system", "a", "bc"], ["x", "1.5", ""], ["yy", "10", "2"]]
    assert list(aligned(rows)) == [
        "system    a  bc",
        "x       1.5",
        "yy       10   2",
    ]
    assert list(aligned(rows, str.ljust)) == [
        "system  a    bc",
        "x       1.5",
        "yy      10   2",
    ]
