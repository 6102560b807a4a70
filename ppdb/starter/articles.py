"""The indefinite article before a word: a replacement may turn "an" into "a", or the other way round."""

from __future__ import annotations

import re

_CONSONANT_SOUND = re.compile(r"eu|ewe|one|once|u(?:nanim|ni(?!n|m|d|ss)|[bst][aeiou]|ranium|krain|topia)|usu")
_VOWEL_SOUND = re.compile(r"[aeiou]|heir|hono[u]?r|honest|hour")


def article(word: str) -> str:
    """ "a" or "an", by the first sound of a lower-case English word."""
    return "an" if _VOWEL_SOUND.match(word) and not _CONSONANT_SOUND.match(word) else "a"
