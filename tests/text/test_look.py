"""Whether lines are cased and tokenised."""

from __future__ import annotations

import pytest

from sbmt.text.look import Look, look


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["He left , then .", "Why ?", ""], Look(True, True)),
        (["He left, then.", "Why?", "\n"], Look(True, False)),
        (["he left , then .", "no mark"], Look(False, True)),
        (["he left", "-lrb- no mark"], Look(False, None)),
        ([".", "!"], Look(False, None)),  # nothing before the mark tells
        ([*["it rained ."] * 99, "It rained."], Look(False, True)),  # a stray line in a hundred
        ([], Look(False, None)),
    ],
)
def test_lines_are_judged_together(lines: list[str], expected: Look) -> None:
    assert look(lines) == expected
