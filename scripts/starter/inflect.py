"""Every inflected form of a phrase, by Penn tag (`sbmt.text.words.inflection`).

The forms of "be" that differ in person are in the order singular, plural, so that two phrases led by "be" can be paired
person by person.
"""

from __future__ import annotations

from sbmt.text.words.inflection import word_forms
from starter.lists import Phrase

BASE = {"VERB": "VB", "NOUN": "NN", "ADJ": "JJ", "ADV": "RB"}
INFLECTING = {"VERB": 0, "NOUN": -1, "ADJ": -1, "ADV": -1}


def inflect(phrase: Phrase, pos: str) -> dict[str, tuple[str, ...]]:
    """All forms of a phrase as {tag: (form, ...)}; empty if the dictionary does not know the inflecting word."""
    at = phrase.marked if phrase.marked is not None else INFLECTING[pos] % len(phrase.words)
    if pos == "ADV" or (pos == "ADJ" and len(phrase.words) > 1):
        return {BASE[pos]: (str(phrase),)}
    before, after = phrase.words[:at], phrase.words[at + 1 :]
    return {
        tag: tuple(" ".join((*before, form, *after)) for form in forms)
        for tag, forms in word_forms(phrase.words[at], pos).items()
    }
