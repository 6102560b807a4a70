"""How common a word is: Zipf frequencies and the most common words of a language (from the wordfreq package)."""

from __future__ import annotations

import math
from functools import lru_cache

from sbmt.errors import SbmtError


@lru_cache(maxsize=1 << 18)
def zipf(word: str, language: str = "en") -> float:
    """log10 of occurrences in a billion words (van Heuven et al. 2014): 7 for "the", 0 for a word never seen.

    Raises SbmtError for a language without frequencies.
    """
    known = _frequencies(language).get(word)
    if known:
        return round(math.log10(known) + 9, 2)
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, language))  # may be a compound of known words


@lru_cache
def _frequencies(language: str) -> dict[str, float]:
    from wordfreq import available_languages, get_frequency_dict

    if language.partition("_")[0] not in available_languages():  # wordfreq would take another language
        raise SbmtError(f"no word frequencies for language {language!r}")
    return get_frequency_dict(language)


@lru_cache
def common_words(count: int, language: str = "en") -> frozenset[str]:
    """The `count` most common words."""
    from wordfreq import top_n_list

    return frozenset(top_n_list(language, count))
