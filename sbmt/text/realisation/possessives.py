"""Possessives of new words: "individuals'" becomes "people's"."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.pipeline import Sentence
from sbmt.text.protection.quotations import closing_marks
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.words.english import is_plural_form


def with_possessives(sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str]) -> list[str]:
    """Return the forms with the copied clitic after each new word adapted to its number."""
    tokens, closing = sentence.tokens, closing_marks(sentence.tokens)
    possessive_forms = list(forms)
    for t, clitic in enumerate(output):
        i = clitic.copied
        if i in closing or not t or not i or output[t - 1].copied is not None or output[t - 1].span[1] != i:
            continue
        owner = tokens[i - 1]
        if owner.end != tokens[i].start or not forms[t - 1][-1:].isalpha():
            continue
        ends_in_s = forms[t - 1].lower().endswith("s")
        if clitic.word == "'" and owner.text.lower().endswith("s") and not ends_in_s:
            possessive_forms[t] += "S" if forms[t - 1].isupper() else "s"
        elif clitic.word == "'s" and not owner.text.lower().endswith("s") and is_plural_form(forms[t - 1].lower()):
            possessive_forms[t] = forms[t][:-1]
    return possessive_forms
