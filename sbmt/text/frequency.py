"""How common a word is: Zipf frequencies and the most common words of a language (from the wordfreq package)."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 18)
def zipf(word: str, language: str = "en") -> float:
    """log10 of occurrences in a billion words (van Heuven et al. 2014): 7 for "the", 0 for a word never seen."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, language))


@lru_cache
def common_words(count: int, language: str = "en") -> frozenset[str]:
    """The `count` most common words."""
    from wordfreq import top_n_list

    return frozenset(top_n_list(language, count))
