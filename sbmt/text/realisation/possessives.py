"""The possessive of a new word: "individuals'" becomes "people's"."""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.text.pipeline import Sentence
from sbmt.text.protection.quotations import closing_marks
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.words.english import is_plural_form


def with_possessives(sentence: Sentence, output: Sequence[OutputWord], forms: Sequence[str]) -> list[str]:
    """The forms, with the copied clitic after a new word as the number of that word has it."""
    tokens, closing = sentence.tokens, closing_marks(sentence.tokens)
    made = list(forms)
    for t, clitic in enumerate(output):
        i = clitic.copied
        if i in closing or not t or not i or output[t - 1].copied is not None or output[t - 1].span[1] != i:
            continue
        owner, mark = tokens[i - 1], forms[t][:1]
        if owner.end != tokens[i].start or not forms[t - 1][-1:].isalpha():
            continue
        ends_in_s = forms[t - 1].lower().endswith("s")
        if clitic.word == "'" and owner.text.lower().endswith("s") and not ends_in_s:
            made[t] = mark + ("S" if forms[t - 1].isupper() else "s")
        elif clitic.word == "'s" and not owner.text.lower().endswith("s") and is_plural_form(forms[t - 1].lower()):
            made[t] = mark
    return made
