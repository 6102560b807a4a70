"""Agreement of "a" and "an" with the word that follows in the output."""

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
    """Return the forms with "a" and "an" corrected before words that did not follow them in the source.

    Protected articles stay, and so do those before a code span. `starts` are the places of first words, where "A" is
    not the name of a letter. In sentences all in capitals, words are not taken for abbreviations.
    """
    is_all_caps = is_shouted(sentence.tokens)
    protected = {i for span in sentence.protected for i in range(span.i, span.j)}
    skipped = opening(sentence, output)
    agreed = list(forms)
    for t, article in enumerate(output):
        if article.word not in ("a", "an") or article.copied in protected:
            continue
        following = next((k for k in range(t + 1, len(output)) if k not in skipped), len(output))
        if following == len(output) or not forms[following][:1].isalnum():
            continue
        if forms[following - 1].startswith("`") and output[following - 1].copied in protected:
            continue
        if article.copied is not None and output[following].copied == article.copied + following - t:
            continue
        if forms[t] == "A" and t not in starts and not forms[following].isupper():
            continue  # the letter, as in "vitamin A"
        correct = article_for(forms[following].lower() if is_all_caps else forms[following])
        if correct != forms[t].lower():
            in_capitals = is_all_caps or (forms[t].isupper() and forms[following].isupper())
            agreed[t] = correct.upper() if in_capitals else capitalise(correct) if has_capital(forms[t]) else correct
    return agreed


def opening(sentence: Sentence, output: Sequence[OutputWord]) -> set[int]:
    """Return the places of opening marks, tags and white space, which may stand between an article and its word."""
    tags = set[int]()
    for span in sentence.protected:
        if is_tag([token.text for token in sentence.tokens[span.i : span.j]]):
            tags.update(range(span.i, span.j))
    return {t for t, item in enumerate(output) if _opens(item.word) or item.copied in tags}


def _opens(word: str) -> bool:
    return word in _OPENING_MARKS or mark_of(word) in _OPENING_ENTITIES
