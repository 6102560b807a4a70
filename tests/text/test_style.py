"""Whether lines are cased and tokenised."""

from __future__ import annotations

import re

import pytest

from sbmt.text.checks.style import TextStyle, remark_on_raw, style_of, watched


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["He left , then .", "Why ?", ""], TextStyle(True, True)),
        (["He left, then.", "Why?", "\n"], TextStyle(True, False)),
        (["he left , then .", "no mark"], TextStyle(False, True)),
        (["he left", "-lrb- no mark"], TextStyle(False, None)),
        ([".", "!"], TextStyle(False, None)),  # nothing before the mark tells
        ([*["it rained ."] * 99, "It rained."], TextStyle(False, True)),  # a stray line in a hundred
        ([], TextStyle(False, None)),
    ],
)
def test_lines_are_judged_together(lines: list[str], expected: TextStyle) -> None:
    assert style_of(lines) == expected


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
