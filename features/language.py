"""Language-model scores of the two sides (Xu et al. 2016, section 3.3), for any number of named models."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from sbmt.errors import ModelError
from sbmt.features.base import FeatureInfo, words
from sbmt.ppdb.rule import Rule

_LN10 = math.log(10)


class LanguageModelScores:
    """`SourceNAMELM`, `TargetNAMELM`, `NAMELMDiff`: ln probability of a side's words, not as a whole sentence."""

    def __init__(self, name: str, path: str | Path) -> None:
        """`name`: as in the authors' release, Giga or Simp. Raises ModelError for a file KenLM cannot load."""
        import kenlm

        try:
            self._model = kenlm.Model(str(path))
        except OSError as error:
            raise ModelError(f"language model {path}: {error}") from None
        sides = ((f"Source{name}LM", "source side"), (f"Target{name}LM", "target side"))
        self.info: Sequence[FeatureInfo] = (
            *(
                FeatureInfo(n, f"ln p of the {side} by {path}", "higher: likelier", "Xu et al. 2016, 3.3")
                for n, side in sides
            ),
            FeatureInfo(f"{name}LMDiff", "target minus source", "positive: likelier", "Xu et al. 2016, 3.3"),
        )
        self._scores: dict[tuple[str, ...], float] = {}

    def _score(self, side: tuple[str, ...]) -> float:
        known = self._scores.get(side)
        if known is None:
            if len(self._scores) > 1 << 17:
                self._scores.clear()
            known = self._scores[side] = self._model.score(" ".join(side), bos=False, eos=False) * _LN10
        return known

    def values(self, rule: Rule) -> Sequence[float]:
        """In the order of `info`; gaps are left out."""
        source, target = self._score(words(rule.source)), self._score(words(rule.target))
        return source, target, target - source
