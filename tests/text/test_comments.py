"""Comments in lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.text.comments import read_entries, without_comment


@pytest.mark.parametrize(
    ("line", "entry"),
    [("  C#  # a language", "C#"), ("#tools", ""), ("a #1 tool", "a"), ("", ""), ("a = b\t# c # d", "a = b")],
)
def test_a_comment_begins_a_line_or_follows_white_space(line: str, entry: str) -> None:
    assert without_comment(line) == entry


def test_entries_have_the_numbers_of_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("\ufeff# all of it\r\n\r\n  one # first\r\ntwo\n", encoding="utf-8")
    assert list(read_entries(path)) == [(3, "one"), (4, "two")]
