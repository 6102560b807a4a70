"""British spellings of American words, by pattern and by table; a variant counts if people write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sbmt.text.words.frequency import zipf

_MIN_ZIPF = 1.5  # a pattern's result that is rarer is taken for no word: "downsise"
_OUR = (
    "ardor armor behavior candor clamor color demeanor endeavor favor fervor flavor glamor harbor honor humor labor "
    "misdemeanor neighbor odor parlor rancor rigor rumor savior savor splendor succor tumor valor vapor vigor"
)
_RE = "caliber center fiber liter luster maneuver meager meter ocher saber scepter somber specter theater"
_BEGINNINGS = {
    "archeolog": "archaeolog",
    "artifact": "artefact",
    "dispatch": "despatch",
    "encyclopedi": "encyclopaedi",
    "enrollment": "enrolment",
    "gynecolog": "gynaecolog",
    "hemorrhag": "haemorrhag",
    "installment": "instalment",
    "jewelry": "jewellery",
    "orthopedic": "orthopaedic",
    "pediatric": "paediatric",
    "skeptic": "sceptic",
    "skillful": "skilful",
    "tranquility": "tranquillity",
    "willful": "wilful",
}
_OUR_STEMS, _RE_STEMS = ("|".join(word[:-2] for word in words.split()) for words in (_OUR, _RE))
_PATTERNS = (
    (re.compile(r"(\w{3,})iz(e|es|ed|er|ers|ing|able|ation|ations|ational)"), r"\1is\2"),
    (re.compile(r"(\w{2,})yz(e|ed|er|ers|ing)"), r"\1ys\2"),  # "analyses" is a noun too
    (re.compile(rf"((?:dis|mis|un)?(?:{_OUR_STEMS}))or(|s|ed|er|ers|ing|able|ably|hood|less|ly|y)"), r"\1our\2"),
    (re.compile(rf"(\w*(?:{_RE_STEMS}))er(|s|d)"), r"\1re\2"),
    (re.compile(r"(\w{2,}[aeiou])l(ed|ing|or|ors|er|ers)"), r"\1ll\2"),
)


@cache
def british(word: str) -> str:
    """The British spelling of a word, or the word itself."""
    return next((variant for variant in _variants(word) if zipf(variant) >= _MIN_ZIPF), word)


def _variants(word: str) -> Iterator[str]:
    for beginning, spelling in _BEGINNINGS.items():
        if word.startswith(beginning):
            yield spelling + word.removeprefix(beginning)
    if word in ("enroll", "enrolls", "fulfill", "fulfills"):  # "enrolled" is both
        yield word.replace("ll", "l")
    for pattern, replacement in _PATTERNS:
        if pattern.fullmatch(word):
            yield pattern.sub(replacement, word)
