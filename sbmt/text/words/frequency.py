"""Word frequencies: Zipf frequencies, ranks and the most common words of a language (from the wordfreq package)."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from sbmt.errors import SbmtError


@lru_cache(maxsize=1 << 18)
def zipf(word: str, language: str = "en") -> float:
    """Return log10 of occurrences in a billion words (van Heuven et al. 2014): 7 for "the", 0 for an unknown word.

    Raises SbmtError for a language without frequencies.
    """
    frequency = _frequencies(language).get(word)
    if frequency:
        return round(math.log10(frequency) + 9, 2)
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, _without_region(language)))  # may be a compound of known words


@lru_cache
def _frequencies(language: str) -> dict[str, float]:
    from wordfreq import get_frequency_dict

    if not has_frequencies(language):  # wordfreq would choose another language
        raise SbmtError(f"no word frequencies for language {language!r}")
    return get_frequency_dict(_without_region(language))


def has_frequencies(language: str) -> bool:
    """Whether there are frequencies of a language, such as `de` or `de_DE`."""
    from wordfreq import available_languages

    return _without_region(language) in available_languages()


def _without_region(language: str) -> str:
    """Return a code of a language in a country, such as de_DE, without the country: wordfreq knows languages alone."""
    return language.partition("_")[0]


@lru_cache
def common_words(count: int, language: str = "en") -> frozenset[str]:
    """Return the `count` most common words."""
    from wordfreq import top_n_list

    return frozenset(top_n_list(_without_region(language), count))


@lru_cache(maxsize=1 << 16)
def log_rank(word: str) -> float:
    """Return ln(1 + rank of an English word by frequency); words of equal frequency share the highest of their ranks.

    An unlisted compound has the rank of its rarest part; any other unlisted word ranks after all listed ones.
    """
    ranks, unseen = _ranks()
    if word not in ranks and (parts := re.findall(r"\w+", word)) != [word]:
        return max(map(log_rank, parts), default=math.log(1 + unseen))
    return math.log(1 + ranks.get(word, unseen))


@lru_cache
def _ranks() -> tuple[dict[str, int], int]:
    """Return the rank of each listed word, and their number."""
    from wordfreq import get_frequency_list

    ranks: dict[str, int] = {}
    for words in get_frequency_list("en", "best"):  # [i]: words of frequency 10 ** (-i / 100)
        ranks.update(dict.fromkeys(words, len(ranks) + len(words)))
    return ranks, len(ranks)
