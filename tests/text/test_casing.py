"""Sentences all in capitals or in title case."""

from __future__ import annotations

import pytest

from sbmt.text.casing import case_like, is_shouted, is_titled
from sbmt.text.tokens import penn_tokens


@pytest.mark.parametrize(
    ("text", "shouted"),
    [("STOP", True), ("NO WAY 7!", True), ("USA", False), ("NO Way", False), ("1234", False), ("東京東京", False)],
)
def test_shouts_have_four_letters_and_no_small_one(text: str, shouted: bool) -> None:
    assert is_shouted(penn_tokens(text)) is shouted


@pytest.mark.parametrize(
    ("text", "titled"),
    [
        ("Anna saw Rome", True),  # short words need no capital
        ("Anna From Rome", True),
        ("Anna from Rome", True),  # nor do function words
        ("Anna left Rome", False),
        ("Anna saw him", False),  # one long word alone
        ("1234 Anna", False),
    ],
)
def test_titles_have_capitals_in_their_long_words(text: str, titled: bool) -> None:
    assert is_titled(penn_tokens(text)) is titled


@pytest.mark.parametrize(
    ("word", "sources", "titled", "expected"),
    [
        ("used", "utilized", False, "used"),
        ("used", "Utilized", False, "Used"),
        ("used", "UTILIZED", False, "USED"),
        ("used", "Made Use of", False, "used"),  # not all have capitals
        ("about", "Concerning", False, "about"),  # function words have none
        ("about", "Concerning", True, "About"),  # but in titles, where they are long
        ("of", "Concerning", True, "of"),
        ("people", "the peo\u00adple", False, "peo\u00adple"),  # a word of the source is written as there
    ],
)
def test_new_words_take_the_case_of_those_they_replace(word: str, sources: str, titled: bool, expected: str) -> None:
    assert case_like(word, penn_tokens(sources), titled) == expected
