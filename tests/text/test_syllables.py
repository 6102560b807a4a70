"""Syllables of common words; scripts/measure_syllables.py compares with the CMU dictionary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.errors import SbmtError
from sbmt.text.words.syllables import count_syllables

COUNTED = {
    1: "cat made asked horse names league queen play tea can't , 7 the be strengths crème née",
    2: "table wanted churches boss's didn't being create something happy chaos lion poet café cafe\u0301 naïve Brontë",
    3: "media radio area idea influence everything happier museum résumé fiancés",
    4: "society usually biology community",
    5: "university appreciated",
}


@pytest.mark.parametrize(("word", "count"), [(w, n) for n, words in COUNTED.items() for w in words.split()])
def test_known_words(word: str, count: int) -> None:
    assert count_syllables(word) == count


@given(st.text(max_size=12))
def test_every_token_has_one_at_least(word: str) -> None:
    assert count_syllables(word) >= 1


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8), st.text("aeioubcdrst", min_size=1, max_size=8))
def test_compounds_add_up(left: str, right: str) -> None:
    assert count_syllables(f"{left}-{right}") == count_syllables(left) + count_syllables(right)


def test_other_languages_hyphenate() -> None:
    assert count_syllables("Wörterbuch", "de_DE") == 3
    with pytest.raises(SbmtError, match="no syllables for language 'xx'"):
        count_syllables("word", "xx")
