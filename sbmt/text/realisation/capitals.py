"""The capital of a first word belongs to its place: when another word takes that place, the capital moves there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sbmt.text.casing import ALWAYS_CAPITAL, capitalise, has_capital
from sbmt.text.pipeline import Sentence
from sbmt.text.protection.starts import starts
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.words.english import FUNCTION_WORDS


def places_of_starts(sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str]) -> dict[int, int]:
    """The output word that begins what a first word of the source begins: the sentence, or what follows that mark."""
    places: dict[int, int] = {}
    at = {item.copied: t for t, item in enumerate(output)}
    first = _first_word([token.text for token in sentence.tokens])
    for source in starts(sentence.tokens):
        target = _first_word(forms) if source == first else at.get(source - 1, len(forms)) + 1
        if 0 <= target < len(forms) and forms[target][:1].isalnum():
            places[source] = target
    return places


def with_capitals(
    sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str], places: Mapping[int, int]
) -> list[str]:
    """The forms, with the capital of each first word moved to the word in its place; `places`: `places_of_starts`."""
    made = list(forms)
    for source, target in places.items():
        if not sentence.tokens[source].text[0].isupper() or output[target].copied == source:
            continue
        for t, item in enumerate(output):
            if item.copied == source and not _keeps_capital(sentence, source, item.label):
                made[t] = made[t].lower()
        if not has_capital(made[target]):
            made[target] = capitalise(made[target])
    return made


def _first_word(forms: Sequence[str]) -> int:
    return next((i for i, form in enumerate(forms) if form[:1].isalnum()), -1)


def _keeps_capital(sentence: Sentence, i: int, label: str) -> bool:
    """Whether a first word has a capital of its own."""
    token = sentence.tokens[i]
    if (
        token.word in ALWAYS_CAPITAL
        or has_capital(token.text[1:])
        or any(span.i <= i < span.j for span in sentence.protected)
    ):
        return True
    if token.word in FUNCTION_WORDS:
        return False
    return not label or label.startswith("NNP")
