"""Articles before new words, markup and code between them included."""

from __future__ import annotations

import pytest

from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.realisation.realise import realise

PIPELINE = Pipeline(TextOptions())


@pytest.mark.parametrize(
    ("text", "article"),
    [
        *((f"an {mark}enormous{mark} tool", "a") for mark in ("_", "*", "**", "~~", "==")),
        ("an (enormous) tool", "a"),
        ("an [enormous](https://a.org) tool", "a"),
        ("an <b>enormous</b> tool", "a"),
        ("an <a href='x'><b>enormous</b></a> tool", "a"),
        ("an&nbsp;enormous tool", "a"),
        ("an &#8203;&ldquo;enormous&rdquo; tool", "a"),
        ("an &quot;enormous&quot; tool", "a"),
        ("an&amp;enormous tool", "an"),
        ("an <b>X</b> enormous tool", "an"),
        ("an <code>x</code> enormous tool", "an"),
    ],
)
def test_an_article_agrees_with_a_word_in_markup(text: str, article: str) -> None:
    (sentence,) = PIPELINE.sentences(text)
    output = [
        OutputWord("huge", None, (i,)) if word == "enormous" else OutputWord(word, i, (i,))
        for i, word in enumerate(sentence.words)
    ]
    assert realise(sentence, output).text == article + text.removeprefix("an").replace("enormous", "huge")


def test_an_article_before_code_stays() -> None:
    (sentence,) = PIPELINE.sentences("an enormous `use`")
    output = [OutputWord(word, i, (i,)) for i, word in enumerate(sentence.words) if i != 1]
    assert realise(sentence, output).text == "an `use`"
