"""Ranks of words by frequency: against the list's order, and compounds."""

from __future__ import annotations

from math import log

import pytest

from sbmt.errors import SbmtError
from sbmt.text.words.frequency import common_words, log_rank, zipf


def test_what_is_rarer_ranks_higher_and_what_is_not_listed_highest() -> None:
    assert log_rank("time") < log_rank("river") < log_rank("estuary") < log_rank("zzgrqx") > log(300_000)
    assert log_rank("") == log_rank("zzgrqx")


def test_a_compound_that_is_not_listed_ranks_as_its_rarest_part() -> None:
    assert log_rank("time-estuary") == log_rank("estuary-time") == log_rank("estuary")


def test_ranks_are_positions_in_the_list_of_common_words() -> None:
    from wordfreq import top_n_list

    words = top_n_list("en", 50_000)
    for rank in (10, 100, 1000, 10_000):  # up to words of the same frequency
        assert log_rank(words[rank - 1]) == pytest.approx(log(1 + rank), abs=0.05)


def test_a_country_does_not_matter(caplog: pytest.LogCaptureFixture) -> None:
    assert zipf("haus", "de_DE") == zipf("haus", "de") > 4
    assert common_words(10, "de_DE") == common_words(10, "de")
    assert caplog.messages == []


def test_a_language_without_frequencies_is_named() -> None:
    """One that has syllables, and so gets this far."""
    with pytest.raises(SbmtError, match="no word frequencies for language 'af_ZA'"):
        zipf("huis", "af_ZA")
