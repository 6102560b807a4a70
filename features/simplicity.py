"""Features of how simple the two sides are (Xu et al. 2016, section 3.3): syllables, word length, common words.

Each property stands for the source side, the target side, and as the difference target minus source. Names as in the
authors' release where those are public. "MaxDiffWord" features compare the largest of the words that the two sides
do not share; the paper does not spell that out, so it is our reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import sub
from typing import NamedTuple

from sbmt.features.base import DIGITS, FeatureInfo, words
from sbmt.ppdb.rule import Rule
from sbmt.text.frequency import common_words, zipf
from sbmt.text.syllables import count_syllables

_PAPER = "Xu et al. 2016, 3.3"
COMMON = 3000  # words that count as common unless a list is given
Side = tuple[str, ...]

# Properties of a side; a feature's name is Source or Target before the key, or Diff behind it.
_PROPERTIES = (
    ("Syl", "syllables"),
    ("MaxWordSyl", "syllables of its word with most syllables"),
    ("MaxWordLen", "characters of its longest word"),
    ("HardWord", "words outside the common-word list"),
    ("CommonWords", "fraction of its words that are common"),
    ("Zipf", "mean Zipf frequency of its words"),
    ("MinZipf", "Zipf frequency of its rarest word"),
)
_COUNTS = 4  # so many of them are whole numbers


def _catalogue() -> tuple[FeatureInfo, ...]:
    rows = []
    for side in ("source", "target"):
        meaning = f"characters of the {side} side, spaces included, as CharCountDiff has them"
        rows.append(FeatureInfo(f"{side.title()}CharCount", meaning, "amount", _PAPER))
        rows += [
            FeatureInfo(f"{side.title()}{key}", f"{meaning}, {side} side", "amount", _PAPER)
            for key, meaning in _PROPERTIES
        ]
    for number, (key, meaning) in enumerate(_PROPERTIES):
        sign = f"{'negative' if number < _COUNTS else 'positive'}: simpler"
        rows.append(FeatureInfo(f"{key}Diff", f"{meaning}, target minus source", sign, _PAPER))
    for key, meaning in (("Syl", "syllables"), ("Len", "characters")):
        meaning = f"{meaning} of the largest word only the target has, minus that only the source has"
        rows.append(FeatureInfo(f"MaxDiffWord{key}Diff", meaning, "negative: simpler", _PAPER))
    return tuple(rows)


class _Measured(NamedTuple):
    """Of one side: its length in characters, the properties in the order of _PROPERTIES, and its words."""

    characters: int
    properties: tuple[float, ...]
    words: frozenset[str]


class Simplicity:
    """Syllables, lengths and frequencies of the words of both sides."""

    info: Sequence[FeatureInfo] = _catalogue()

    def __init__(self, common: frozenset[str] | None = None, language: str = "en") -> None:
        """`common`: the words that are not hard (default: the 3,000 most common of the language).

        Raises SbmtError for a language without syllables or frequencies.
        """
        count_syllables("a", language), zipf("a", language)  # these complain before any work is done
        self.common = common_words(COMMON, language) if common is None else common
        self.language = language
        self._word: Callable[[str], tuple[int, int, bool, float]] = lru_cache(maxsize=1 << 18)(self._looked_up)
        self._measure: Callable[[Side], _Measured] = lru_cache(maxsize=1 << 16)(self._measured)

    def _looked_up(self, word: str) -> tuple[int, int, bool, float]:
        """Syllables, length, whether it is hard, and Zipf frequency."""
        hard = word.lower() not in self.common and word.isalpha()
        return count_syllables(word, self.language), len(word), hard, zipf(word, self.language)

    def _measured(self, side: Side) -> _Measured:
        terminals, spaces = words(side), max(len(side) - 1, 0)
        if not terminals:
            return _Measured(spaces, (0,) * len(_PROPERTIES), frozenset())
        syllables, lengths, hard, frequencies = zip(*map(self._word, terminals), strict=True)
        properties = (
            sum(syllables),
            max(syllables),
            max(lengths),
            sum(hard),
            round(1 - sum(hard) / len(terminals), DIGITS),
            round(sum(frequencies) / len(terminals), DIGITS),
            min(frequencies),
        )
        return _Measured(sum(lengths) + spaces, properties, frozenset(terminals))

    def values(self, rule: Rule) -> Sequence[float]:
        """In the order of `info`."""
        n_source, source, words_of_source = self._measure(rule.source)
        n_target, target, words_of_target = self._measure(rule.target)
        differences = [*map(sub, target, source)]
        for place in range(_COUNTS, len(differences)):
            differences[place] = round(differences[place], DIGITS)
        if words_of_source.isdisjoint(words_of_target):
            return n_source, *source, n_target, *target, *differences, differences[1], differences[2]
        only_source = [self._word(word) for word in words_of_source - words_of_target]
        only_target = [self._word(word) for word in words_of_target - words_of_source]
        largest = [
            max((word[place] for word in only_target), default=0)
            - max((word[place] for word in only_source), default=0)
            for place in (0, 1)  # syllables, length
        ]
        return n_source, *source, n_target, *target, *differences, *largest
