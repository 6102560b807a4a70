"""What protection and realisation of text know of a language: all of English, little of others."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import lru_cache

from sbmt.errors import SbmtError
from sbmt.text.words.english import FUNCTION_WORDS, NUMERALS
from sbmt.text.words.frequency import common_words, has_frequencies

_log = logging.getLogger(__name__)

_CODE = re.compile(r"[a-z]{2}")
_COMMONEST = 40  # words of a language, nearly all of which are function words; of the next sixty some are names


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its ISO 639-1 code, with sets of words in lower case.

    `function_words` are never names; `numerals` are numbers; the capital of `always_capital` is no evidence of a name.
    """

    code: str
    function_words: frozenset[str] = frozenset()
    numerals: frozenset[str] = frozenset()
    always_capital: frozenset[str] = frozenset()


ENGLISH = Language("en", FUNCTION_WORDS, NUMERALS, frozenset(("i", "i'm")))


@lru_cache
def language_of(code: str) -> Language:
    """Return a language; the function words of another than English are its commonest words in wordfreq.

    Warns of a language without any there, and raises SbmtError for what is no code.
    """
    if code == ENGLISH.code:
        return ENGLISH
    if not _CODE.fullmatch(code):
        raise SbmtError(f"language {code!r} is no ISO 639 code of two small letters, such as en or es, without country")
    if has_frequencies(code):
        return Language(code, common_words(_COMMONEST, code))
    _log.warning("no words of language %r are known: at the start of a sentence any may be taken for a name", code)
    return Language(code)
