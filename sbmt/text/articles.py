"""The choice between "a" and "an" by the sound of the next word."""

from __future__ import annotations

import re

_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)
# Written with a vowel, spoken with a consonant: "you" and "w" sounds.
_CONSONANT_SOUND = re.compile(
    r"eu|ew(?!a)|one(?!r)|once|u(?:ni(?![nmd])|nanim|kr|[bcfgkrstv][aeiou])|ouija", re.IGNORECASE
)
_LETTERS_LIKE_EM = frozenset("AEFHILMNORSX")
_NUMBERS = re.compile(r"8|11(?!\d)|18(?!\d)|11,|18,")


def article_for(word: str) -> str:
    """ "a" or "an" before `word`, by spelling; a short abbreviation is spelt out letter by letter."""
    if _NUMBERS.match(word):
        return "an"
    if word.isupper() and (1 < len(word) <= 3 or not re.search(r"[AEIOUY]", word)):
        return "an" if word[0] in _LETTERS_LIKE_EM else "a"
    return "an" if _VOWEL_SOUND.match(word) and not _CONSONANT_SOUND.match(word) else "a"
