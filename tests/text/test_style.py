"""Whether lines are cased and tokenised."""

from __future__ import annotations

import re

import pytest

from sbmt.text.checks.style import Look, look, remark_on_raw, watched


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


@pytest.mark.parametrize(
    ("lines", "lowercase", "message"),
    [
        (
            ["He left.", "It rained."],
            True,
            "T has capitals and punctuation glued to words, unlike .*convert it with sbmt-text --l",
        ),
        (["He left."], False, "T has punctuation glued to words, unlike the text .*: convert it with sbmt-text$"),
        (["He left ."], True, "T has capitals, unlike the text .*: convert it with sbmt-text --lowercase$"),
        (["He left ."], False, ""),
        (["he left ."], True, ""),
    ],
)
def test_raw_text_is_remarked_on(
    caplog: pytest.LogCaptureFixture, lines: list[str], lowercase: bool, message: str
) -> None:
    remark_on_raw(lines, "T", lowercase)
    assert len(caplog.messages) == bool(message)
    assert re.search(message, "".join(caplog.messages))


def test_lines_that_are_watched_are_all_there(caplog: pytest.LogCaptureFixture) -> None:
    lines = ["It rained ."] * 1500
    assert list(watched(iter(lines), "T")) == lines
    assert len(caplog.messages) == 1
