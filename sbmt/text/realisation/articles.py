"""The choice between "a" and "an" by the sound of the next word."""

from __future__ import annotations

import re
import unicodedata

_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)
# Words that begin with a vowel letter but a consonant sound ("you", "w").
_CONSONANT_SOUND = re.compile(
    r"eu(?!ler)|ew(?!a)|one(?!r)|once|ouija"
    r"|u(?:ni(?![nmd])|nidir|nary|nesco|nanim|efa|kr|bi|lysses|[cfgkrstv][aeiou])",
    re.IGNORECASE,
)
_LETTERS_LIKE_EM = frozenset("AEFHILMNORSX")
_NUMBERS = re.compile(r"8|11(?!\d)|18(?:\d\d)?(?!\d)")  # eight, eleven, eighteen, and years such as 1894
_LETTER = re.compile(r"[^\W\d_](?!['’]|[^\W\d_])")  # X-ray, U.S., F16, R&B, n; but L'Aquila
# Letters that cannot begin a word and whose names begin with a vowel sound: NCAA, NYPD, but not SCUBA.
_UNPRONOUNCEABLE = re.compile(r"(?!F[LR]|RH|S[CHKLMNPQTW])[FHLMNRSX][^AEIOUY]|NY")
_SPELT_OUT = frozenset("LAPD NAACP ROTC SPCA".split())  # though pronounceable
_READ_AS_WORDS = frozenset("HUD LAN MAC MOS RAM ROM SAC SAM SAR SIM SIP".split())  # though short


def article_for(word: str) -> str:
    """Return "a" or "an" for use before `word`, by its spelling; the first part of a compound decides (US-led).

    An abbreviation is taken as spelt out if it is short or unpronounceable (FBI, NCAA), else as read as a word (NASA);
    U sounds the same either way (UCLA, UNESCO).
    """
    if _NUMBERS.match(word):
        return "an"
    head = unicodedata.normalize("NFD", word[0])[0] + word[1:].partition("-")[0]  # an élite
    if _LETTER.match(head) or (head.isupper() and _is_spelt(head)):
        return "an" if head[0].upper() in _LETTERS_LIKE_EM else "a"
    return "an" if _VOWEL_SOUND.match(head) and not _CONSONANT_SOUND.match(head) else "a"


def _is_spelt(capitals: str) -> bool:
    """Whether the name of its first letter decides the article before an abbreviation."""
    if capitals[0] == "U" or capitals in _SPELT_OUT or _UNPRONOUNCEABLE.match(capitals):
        return True
    return (len(capitals) <= 3 and capitals not in _READ_AS_WORDS) or not re.search("[AEIOUY]", capitals)
