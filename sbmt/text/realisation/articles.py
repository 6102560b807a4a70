"""The choice between "a" and "an" by the sound of the next word."""

from __future__ import annotations

import re
import unicodedata

_VOWEL_SOUND = re.compile(r"[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)
# Written with a vowel, spoken with a consonant: "you" and "w" sounds.
_CONSONANT_SOUND = re.compile(
    r"eu(?!ler)|ew(?!a)|one(?!r)|once|ouija"
    r"|u(?:ni(?![nmd])|nidir|nary|nesco|nanim|efa|kr|bi|lysses|[cfgkrstv][aeiou])",
    re.IGNORECASE,
)
_LETTERS_LIKE_EM = frozenset("AEFHILMNORSX")
_NUMBERS = re.compile(r"8|11(?!\d)|18(?:\d\d)?(?!\d)")  # eight, eleven, eighteen, and years such as 1894
_LETTER = re.compile(r"[^\W\d_](?!['’]|[^\W\d_])")  # X-ray, U.S., F16, R&B, n; but L'Aquila
# Beginnings that no word has, of letters whose names sound like a vowel: NCAA, NYPD, but not SCUBA.
_NO_ONSET = re.compile(r"(?!F[LR]|RH|S[CHKLMNPQTW])[FHLMNRSX][^AEIOUY]|NY")
_SPELT = frozenset("LAPD NAACP ROTC SPCA".split())  # though they could be words
_READ = frozenset("HUD LAN MAC MOS RAM ROM SAC SAM SAR SIM SIP".split())  # though they are short


def article_for(word: str) -> str:
    """ "a" or "an" before `word`, by spelling; the first part of a compound decides (US-led).

    An abbreviation is spelt out letter by letter if it is short or no word could begin so (FBI, NCAA), else read as a
    word (NASA); what begins with U has the sound of that letter either way (UCLA, UNESCO).
    """
    if _NUMBERS.match(word):
        return "an"
    head = unicodedata.normalize("NFD", word[0])[0] + word[1:].partition("-")[0]  # an élite
    if _LETTER.match(head) or (head.isupper() and _is_spelt(head)):
        return "an" if head[0].upper() in _LETTERS_LIKE_EM else "a"
    return "an" if _VOWEL_SOUND.match(head) and not _CONSONANT_SOUND.match(head) else "a"


def _is_spelt(capitals: str) -> bool:
    """Whether the article before an abbreviation goes by the name of its first letter."""
    if capitals[0] == "U" or capitals in _SPELT or _NO_ONSET.match(capitals):
        return True
    return (len(capitals) <= 3 and capitals not in _READ) or not re.search("[AEIOUY]", capitals)
