"""Support: of the words that an output adds, the share that some reference adds too (0-100).

A word is added as many times as it occurs in the output more often than in the source; it is supported as often as the
reference that adds it most often. Unlike SARI's addition part this is a plain precision: it measures whether people
chose the new words too, not whether there are enough of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from sbmt.arrays import Floats
from sbmt.metrics.base import ratio
from sbmt.metrics.counted import TokenMetric

SupportPrepared = tuple[Counter[str], Counter[str]]  # words of the source; how often, at most, a reference adds each


class Support(TokenMetric[SupportPrepared]):
    """Statistics are words added and supported, words added."""

    name = "support"
    label = "SUPPORT"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {"added": {"tok": "13a", "case": "lc"}}

    def prepare_text(self, source: list[str], references: Sequence[list[str]]) -> SupportPrepared:
        """Count the source's words and the references' new ones."""
        words, added = Counter(source), Counter[str]()
        for reference in references:
            added |= Counter(reference) - words
        return words, added

    def count(self, prepared: SupportPrepared, hypotheses: Sequence[list[str]]) -> Floats:
        """Count added words and supported ones."""
        words, allowed = prepared
        added = [Counter(hypothesis) - words for hypothesis in hypotheses]
        return np.array([[(new & allowed).total(), new.total()] for new in added], dtype=np.float64).reshape(-1, 2)

    def score(self, statistics: Floats) -> Floats:
        """Divide; 0 where nothing is added."""
        return 100 * ratio(statistics[..., 0], statistics[..., 1])

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return the number of words added."""
        return {"added": statistics[..., 1]}
