"""Features of how simple the two sides are (Xu et al. 2016, section 3.3): syllables, word length, common words.

Each property has a feature for the source side, one for the target side, and one for the difference (target minus
source). Names are those of the authors' release where they are public. "MaxDiffWord" features compare the largest of
the words that the two sides do not share; the paper does not spell that out, so it is our reading.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from operator import sub

from sbmt.features.rule.base import XU_2016, FeatureInfo, rounded
from sbmt.ppdb.rule import Rule, Side, terminals
from sbmt.text.words.frequency import common_words, zipf
from sbmt.text.words.syllables import count_syllables

COMMON = 3000  # most frequent words, which are common unless a list is given

# Properties of a side; a feature's name is Source or Target before the key, or Diff after it.
_PROPERTIES = (
    ("Syl", "syllables"),
    ("MaxWordSyl", "syllables of its word with most syllables"),
    ("MaxWordLen", "characters of its longest word"),
    ("HardWord", "words of letters that are not on the common-word list"),
    ("CommonWords", "fraction of its words that are not hard"),
    ("Zipf", "mean Zipf frequency of its words"),
    ("MinZipf", "Zipf frequency of its rarest word"),
)
_N_COUNTS = 4  # properties that are whole numbers; they come first


def _catalogue() -> tuple[FeatureInfo, ...]:
    rows = []
    for side in ("source", "target"):
        meaning = f"characters of the {side} side, spaces included, as CharCountDiff has them"
        rows.append(FeatureInfo(f"{side.title()}CharCount", meaning, "amount", XU_2016))
        rows += [
            FeatureInfo(f"{side.title()}{key}", f"{meaning}, {side} side", "amount", XU_2016)
            for key, meaning in _PROPERTIES
        ]
    for number, (key, meaning) in enumerate(_PROPERTIES):
        sign = f"{'negative' if number < _N_COUNTS else 'positive'}: simpler"
        rows.append(FeatureInfo(f"{key}Diff", f"{meaning}, target minus source", sign, XU_2016))
    for key, meaning in (("Syl", "syllables"), ("Len", "characters")):
        meaning = f"{meaning} of the largest word only the target has, minus that only the source has"
        rows.append(FeatureInfo(f"MaxDiffWord{key}Diff", meaning, "negative: simpler", XU_2016))
    return tuple(rows)


# Length of a side in characters, then the properties in the order of _PROPERTIES; and its words.
_SideMeasures = tuple[tuple[float, ...], Side]


class Simplicity:
    """Features of syllables, lengths and frequencies of the words of both sides."""

    info: Sequence[FeatureInfo] = _catalogue()

    def __init__(self, common: frozenset[str] | None = None, language: str = "en") -> None:
        """Take the words that are not hard (default: the 3,000 most frequent of the language).

        Raises SbmtError for a language without syllables or frequencies.
        """
        count_syllables("a", language)  # this and the next raise errors early
        zipf("a", language)
        self.common = common_words(COMMON, language) if common is None else common
        self.language = language
        self._properties: Callable[[str], tuple[int, int, bool, float]] = lru_cache(maxsize=1 << 18)(self._look_up_word)
        self._measure: Callable[[Side], _SideMeasures] = lru_cache(maxsize=1 << 10)(self._measure_side)

    def _look_up_word(self, word: str) -> tuple[int, int, bool, float]:
        """Return syllables, length, whether the word is hard, and Zipf frequency."""
        hard = word.lower() not in self.common and word.isalpha()
        return count_syllables(word, self.language), len(word), hard, zipf(word, self.language)

    def _measure_side(self, side: Side) -> _SideMeasures:
        words, spaces = terminals(side), max(len(side) - 1, 0)
        if not words:
            return (spaces, *(0,) * len(_PROPERTIES)), ()
        syllables = characters = most_syllables = longest = n_hard = 0
        frequency, rarest = 0.0, math.inf
        for count, length, hard, zipf_frequency in map(self._properties, words):  # half the time of sum and max
            syllables += count
            characters += length
            n_hard += hard
            frequency += zipf_frequency
            most_syllables = count if count > most_syllables else most_syllables
            longest = length if length > longest else longest
            rarest = zipf_frequency if zipf_frequency < rarest else rarest
        common, mean = rounded(1 - n_hard / len(words)), rounded(frequency / len(words))
        return (characters + spaces, syllables, most_syllables, longest, n_hard, common, mean, rarest), words

    def values(self, rule: Rule) -> Sequence[float]:
        """Return the features in the order of `info`."""
        source, words_of_source = self._measure(rule.source)
        target, words_of_target = self._measure(rule.target)
        _, *counts, common, mean, rarest = map(sub, target, source)
        fractions = rounded(common), rounded(mean), rounded(rarest)
        only_source = set(words_of_source)
        if only_source.isdisjoint(words_of_target):  # the largest word of each side is one that only it has
            _, most_syllables, longest, _ = counts
            return *source, *target, *counts, *fractions, most_syllables, longest
        only_target = set(words_of_target) - only_source
        only_source.difference_update(words_of_target)
        largest = map(sub, self._largest(only_target), self._largest(only_source))
        return *source, *target, *counts, *fractions, *largest

    def _largest(self, words: Collection[str]) -> tuple[int, int]:
        """Return the most syllables and letters of any of the words; 0 if there are none."""
        syllables, lengths, _, _ = zip(*map(self._properties, words), strict=True) if words else ((0,),) * 4
        return max(syllables), max(lengths)
