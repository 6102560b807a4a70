"""Features of how simple the two sides are (Xu et al. 2016, section 3.3): syllables, word length, common words.

Each property stands for the source side, the target side, and as the difference target minus source. Names as in the
authors' release where those are public. "MaxDiffWord" features compare the largest of the words that the two sides
do not share; the paper does not spell that out, so it is our reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from sbmt.features.base import FeatureInfo, words
from sbmt.ppdb.rule import Rule
from sbmt.text.frequency import common_words, zipf
from sbmt.text.syllables import count_syllables

_PAPER = "Xu et al. 2016, 3.3"
COMMON = 3000  # words that count as common unless a list is given
Side = tuple[str, ...]

# Properties of a side: feature names contain the key; "{}" stands for Source, Target or nothing (with Diff).
_PROPERTIES = (
    ("Syl", "syllables"),
    ("MaxWordSyl", "syllables of its longest word in syllables"),
    ("MaxWordLen", "characters of its longest word"),
    ("HardWord", "words outside the common-word list"),
    ("CommonWords", "fraction of its words that are common"),
    ("Zipf", "mean Zipf frequency of its words"),
    ("MinZipf", "Zipf frequency of its rarest word"),
)


def _catalogue() -> tuple[FeatureInfo, ...]:
    rows = []
    for key, meaning in _PROPERTIES:
        simpler = "positive" if "Zipf" in key or key == "CommonWords" else "negative"
        rows.append(FeatureInfo(f"Source{key}", f"{meaning}, source side", "amount", _PAPER))
        rows.append(FeatureInfo(f"Target{key}", f"{meaning}, target side", "amount", _PAPER))
        rows.append(FeatureInfo(f"{key}Diff", f"{meaning}, target minus source", f"{simpler}: simpler", _PAPER))
    for key, meaning in (("Syl", "syllables"), ("Len", "characters")):
        rows.append(
            FeatureInfo(
                f"MaxDiffWord{key}Diff",
                f"{meaning} of the largest word only the target has, minus that only the source has",
                "negative: simpler",
                _PAPER,
            )
        )
    return tuple(rows)


class Simplicity:
    """Syllables, lengths and frequencies of the words of both sides."""

    info: Sequence[FeatureInfo] = _catalogue()

    def __init__(self, common: frozenset[str] | None = None) -> None:
        """`common`: the words that are not hard (default: the 3,000 most common of English)."""
        self.common = common_words(COMMON) if common is None else common
        self._measure: Callable[[Side], tuple[float, ...]] = lru_cache(maxsize=1 << 16)(self._properties)

    def _properties(self, side: Side) -> tuple[float, ...]:
        """In the order of _PROPERTIES."""
        if not side:
            return (0.0,) * len(_PROPERTIES)
        syllables = [count_syllables(word) for word in side]
        frequencies = [zipf(word) for word in side]
        hard = sum(word not in self.common and word.isalpha() for word in side)
        return (
            sum(syllables),
            max(syllables),
            max(map(len, side)),
            hard,
            1 - hard / len(side),
            sum(frequencies) / len(side),
            min(frequencies),
        )

    def values(self, rule: Rule) -> Sequence[float]:
        """In the order of `info`."""
        source, target = words(rule.source), words(rule.target)
        values: list[float] = []
        for left, right in zip(self._measure(source), self._measure(target), strict=True):
            values += (left, right, right - left)
        only_source = [word for word in source if word not in target]
        only_target = [word for word in target if word not in source]
        for size in (count_syllables, len):
            values.append(max(map(size, only_target), default=0) - max(map(size, only_source), default=0))
        return values
