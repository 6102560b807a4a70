"""PBMT-R (Wubben, van den Bosch & Krahmer 2012): phrase-based translation, re-ranked by dissimilarity from the input.

Takes, of the decoder's n best outputs (n = 10 in the paper), the one at the greatest word-level Levenshtein distance
from the input; of equally distant ones, the one with the best model score.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbmt.baselines.settings import PbmtSettings
from sbmt.decoder.forest import Forest
from sbmt.decoder.hypothesis import Constraint, Hypothesis
from sbmt.decoder.phrase import PhraseDecoder
from sbmt.decoder.result import Result
from sbmt.model import Model
from sbmt.translators import phrase_decoder


class Dissimilar:
    """A phrase-based decoder with a re-ranked n-best list. Tuning sees the list as the decoder ranks it."""

    def __init__(self, decoder: PhraseDecoder, candidates: int) -> None:
        """Re-rank the `candidates` best outputs of the decoder."""
        self.decoder, self._candidates = decoder, candidates

    @property
    def weights(self) -> dict[str, float]:
        """The decoder's weights; they may be replaced between searches."""
        return self.decoder.weights

    @weights.setter
    def weights(self, weights: dict[str, float]) -> None:
        self.decoder.weights = weights

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """See `PhraseDecoder`."""
        return self.decoder.parse(words, constraints)

    def feature_names(self, forest: Forest) -> tuple[str, ...]:
        """See `PhraseDecoder`."""
        return self.decoder.feature_names(forest)

    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> Result:
        """See `PhraseDecoder`."""
        return self.decoder.search(forest, nbest=nbest, narrow=narrow)

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """Return the candidates, the most dissimilar first, then, if more are requested, the decoder's next outputs."""
        from rapidfuzz.distance import Levenshtein

        hypotheses = self.decoder.translate(words, max(nbest, self._candidates), constraints)
        candidates, rest = hypotheses[: self._candidates], hypotheses[self._candidates :]
        candidates.sort(key=lambda hypothesis: (-Levenshtein.distance(words, hypothesis.words), -hypothesis.score))
        return (candidates + rest)[:nbest]


def pbmt_r(model: Model) -> Dissimilar:
    """Return the translator of a bundle of kind "pbmt-r"."""
    settings = model.settings(PbmtSettings)
    return Dissimilar(phrase_decoder(model, settings.search), settings.candidates)
