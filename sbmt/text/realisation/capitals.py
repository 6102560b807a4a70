"""Capitals of first words, which move to the word that takes the first place in the output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sbmt.text.casing import capitalise, has_capital
from sbmt.text.pipeline import Sentence
from sbmt.text.protection.starts import starts
from sbmt.text.realisation.output_word import OutputWord


def places_of_starts(sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str]) -> dict[int, int]:
    """Map each first word of the source (of a sentence, or after a mark) to the output word in its place."""
    places: dict[int, int] = {}
    output_place = {item.copied: t for t, item in enumerate(output)}
    first_source = _first_word([token.text for token in sentence.tokens])
    for source in starts(sentence.tokens):
        target = _first_word(forms) if source == first_source else output_place.get(source - 1, len(forms)) + 1
        if 0 <= target < len(forms) and forms[target][:1].isalnum():
            places[source] = target
    return places


def with_capitals(
    sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str], places: Mapping[int, int]
) -> list[str]:
    """Return the forms with the capital of each first word moved to the word in its place (`places_of_starts`)."""
    cased_forms = list(forms)
    for source, target in places.items():
        if not sentence.tokens[source].text[0].isupper() or output[target].copied == source:
            continue
        for t, item in enumerate(output):
            if item.copied == source and not _keeps_capital(sentence, source, item.label):
                cased_forms[t] = cased_forms[t].lower()
        if not has_capital(cased_forms[target]):
            cased_forms[target] = capitalise(cased_forms[target])
    return cased_forms


def _first_word(forms: Sequence[str]) -> int:
    return next((i for i, form in enumerate(forms) if form[:1].isalnum()), -1)


def _keeps_capital(sentence: Sentence, i: int, label: str) -> bool:
    """Whether a first word is capitalised in any place."""
    token = sentence.tokens[i]
    if (
        token.word in sentence.language.always_capital
        or has_capital(token.text[1:])
        or any(span.i <= i < span.j for span in sentence.protected)
    ):
        return True
    if token.word in sentence.language.function_words:
        return False
    return not label or label.startswith("NNP")
