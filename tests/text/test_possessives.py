"""Possessives of new words agree with their number."""

from __future__ import annotations

import pytest

from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.realisation.realise import realise

PIPELINE = Pipeline(TextOptions())


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("the individuals' rights", "people", "the people's rights"),
        ("the individuals\u2019 rights", "people", "the people\u2019s rights"),
        ("the individuals' rights", "persons", "the persons' rights"),
        ("the individual's rights", "person", "the person's rights"),
        ("the individual's rights", "persons", "the persons' rights"),
        ("the individual's rights", "boss", "the boss's rights"),
        ("THE INDIVIDUALS' RIGHTS", "people", "THE PEOPLE'S RIGHTS"),
        ("the individuals&rsquo; rights", "people", "the people&rsquo;s rights"),
        ("the individual&#39;s rights", "persons", "the persons&#39; rights"),
        ("of &lsquo;the individuals&rsquo; he", "people", "of &lsquo;the people&rsquo; he"),
        ("of 'the individuals' he", "people", "of 'the people' he"),
        ("'so' individuals' rights", "people", "'so' people's rights"),
        ("of individuals ' rights", "people", "of people ' rights"),
        ("‘The individuals’ rights are,’ he said", "people", "‘The people’s rights are,’ he said"),
        ("'The individuals' rights and dogs' homes,' he", "people", "'The people's rights and dogs' homes,' he"),
        ("'The individuals' met in the '90s ('80s).", "people", "'The people' met in the '90s ('80s)."),
        ("'The individuals' and the dogs' homes are", "people", "'The people' and the dogs' homes are"),
        ("'The individuals' met; 'so,' he said", "people", "'The people' met; 'so,' he said"),
        ("'The individuals', not 'rights'", "people", "'The people', not 'rights'"),
    ],
)
def test_the_possessive_is_that_of_the_new_word(text: str, new: str, expected: str) -> None:
    (sentence,) = PIPELINE.sentences(text)
    output = [
        OutputWord(new, None, (i,), span=(i, i + 1)) if word.startswith("individual") else OutputWord(word, i, (i,))
        for i, word in enumerate(sentence.words)
    ]
    assert realise(sentence, output).text == expected
