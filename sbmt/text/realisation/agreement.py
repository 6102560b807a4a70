"""The article of a new word: "a" or "an" before what follows it now."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sbmt.text.casing import capitalise, has_capital, is_shouted
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.pipeline import Sentence
from sbmt.text.protection.elements import is_tag
from sbmt.text.protection.entities import mark_of
from sbmt.text.realisation.articles import article_for
from sbmt.text.realisation.output_word import OutputWord

_OPENING_MARKS = frozenset(CLOSING_MARKS) | frozenset("*_~=") | {"-lrb-", "-lsb-"}
_OPENING_ENTITIES = frozenset(CLOSING_MARKS) | {"", '"'}


def with_articles(
    sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str], starts: Collection[int]
) -> list[str]:
    """The forms, with "a" and "an" right before a word that did not follow it in the source.

    Protected ones stay, and so do those before a code span. `starts` are the places of first words, where "A" is no
    letter's name; where all is in capitals, they tell nothing of abbreviations.
    """
    shouted = is_shouted(sentence.tokens)
    protected = {i for span in sentence.protected for i in range(span.i, span.j)}
    passed_over = opening(sentence, output)
    made = list(forms)
    for t, article in enumerate(output):
        if article.word not in ("a", "an") or article.copied in protected:
            continue
        after = next((k for k in range(t + 1, len(output)) if k not in passed_over), len(output))
        if after == len(output) or not forms[after][:1].isalnum():
            continue
        if forms[after - 1].startswith("`") and output[after - 1].copied in protected:
            continue
        if article.copied is not None and output[after].copied == article.copied + after - t:
            continue
        if forms[t] == "A" and t not in starts and not forms[after].isupper():
            continue  # the letter, as in "vitamin A"
        wanted = article_for(forms[after].lower() if shouted else forms[after])
        if wanted != forms[t].lower():
            in_capitals = shouted or (forms[t].isupper() and forms[after].isupper())
            made[t] = wanted.upper() if in_capitals else capitalise(wanted) if has_capital(forms[t]) else wanted
    return made


def opening(sentence: Sentence, output: Sequence[OutputWord]) -> set[int]:
    """The places of what may stand between an article and its word: opening marks, tags, white space."""
    tags = set[int]()
    for span in sentence.protected:
        if is_tag([token.text for token in sentence.tokens[span.i : span.j]]):
            tags.update(range(span.i, span.j))
    return {t for t, item in enumerate(output) if _opens(item.word) or item.copied in tags}


def _opens(word: str) -> bool:
    return word in _OPENING_MARKS or mark_of(word) in _OPENING_ENTITIES
