"""Syllable counters: those of published grade levels, reproduced exactly, and `sbmt`'s own.

`joshua` is the counter behind Xu et al. 2016; `easse` the one behind EASSE's FKGL, which adds the corrections of
G. Fast's Lingua::EN::Syllable (1999) and drops every final e. Neither is accurate for English; both are reproducible.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from sbmt.text.words.syllables import count_syllables

_VOWELS = re.compile(r"[aeiouy]+")
_SILENT_E = re.compile(r"[^aeiou]e$")
_ONE_MORE = [
    re.compile(pattern)
    for pattern in (
        *("ia", "riet", "dien", "iu", "io", "ii", "[aeiouy]bl$", "mbl$", "[aeiou]{3}", "^mc", "ism$", "dnt$"),
        *(r"(.)(?!\1)([aeiouy])\2l$", "[^l]llien", "^coa[dglx].", r"(.)(?!\1)[gq]ua(.)(?!\2)[aeiou]"),
    )
]
_ONE_LESS = [re.compile(p) for p in ("cial", "tia", "cius", "cious", "gui", "ion", "iou", "sia$", ".ely$")]
# Abbreviations that are read out in full, and the one frequent word that loses its only vowel. EASSE lists more words,
# all rare; they change no figure of docs/metrics.md.
_EXCEPTIONS = {"the": 1, "mr": 2, "mrs": 2, "ms": 1, "dr": 2, "st": 1, "sr": 2, "jr": 2, "etc": 4}


@lru_cache(maxsize=100_000)
def joshua_syllables(word: str) -> int:
    """Count vowel groups, less one for a final e after a consonant, at least 1; hyphens separate words."""
    parts = word.lower().rstrip("-").split("-")
    return sum(max(len(_VOWELS.findall(part)) - bool(_SILENT_E.search(part)), 1) for part in parts)


@lru_cache(maxsize=100_000)
def easse_syllables(word: str) -> int:
    """Count vowel groups without final e's, then add or subtract one for each matching pattern.

    0 for punctuation, digits, "be".
    """
    word = word.lower()
    if word in _EXCEPTIONS:
        return _EXCEPTIONS[word]
    stem = word.rstrip("e")
    corrections = sum(bool(p.search(stem)) for p in _ONE_MORE) - sum(bool(p.search(stem)) for p in _ONE_LESS)
    return len(_VOWELS.findall(stem)) + corrections


SYLLABLES: dict[str, Callable[[str], int]] = {
    "joshua": joshua_syllables,
    "easse": easse_syllables,
    "sbmt": count_syllables,
}
