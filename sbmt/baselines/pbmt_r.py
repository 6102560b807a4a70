"""PBMT-R (Wubben, van den Bosch & Krahmer 2012): phrase-based translation, re-ranked by dissimilarity from the input.

Of the decoder's n best outputs (n = 10 in the paper) the one at the greatest word-level Levenshtein distance from the
input is taken; among equally distant ones, that with the better model score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sbmt.decoder.hypothesis import Constraint, Hypothesis
from sbmt.errors import ModelError
from sbmt.model import DecoderConfig, Model, Translator


@dataclass(frozen=True, slots=True)
class PbmtSettings:
    """Length of the n-best list that is re-ranked, and the settings of the phrase-based search (kind "phrase")."""

    candidates: int = 10
    search: Mapping[str, Any] = field(default_factory=dict)


def levenshtein(left: Sequence[str], right: Sequence[str]) -> int:
    """The least number of words to insert, delete or replace to make one side the other."""
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b)))
        previous = row
    return previous[-1]


class Dissimilar:
    """Any translator, its n-best list re-ranked."""

    def __init__(self, translator: Translator, candidates: int) -> None:
        """`candidates` is the n of the n-best list."""
        self._translator, self._candidates = translator, candidates

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """The `nbest` most dissimilar of the candidates (of the `nbest` best, where those are more)."""
        found = self._translator.translate(list(words), max(nbest, self._candidates), constraints)
        return sorted(found, key=lambda hypothesis: (-levenshtein(words, hypothesis.words), -hypothesis.score))[:nbest]


def pbmt_r(model: Model) -> Dissimilar:
    """The translator of a bundle of kind "pbmt-r"; raises ModelError for a list of no candidates."""
    settings = model.settings(PbmtSettings)
    if settings.candidates < 1:
        raise ModelError(f"decoder.settings.candidates must be at least 1, not {settings.candidates}")
    search = model.replace(decoder=DecoderConfig("phrase", settings.search))
    return Dissimilar(search.translator(), settings.candidates)
