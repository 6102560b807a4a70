"""Language-model scores of the two sides (Xu et al. 2016, section 3.3), for any number of named models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sbmt.features.rule.base import XU_2016, FeatureInfo, rounded
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.rule import Rule, terminals


def describe(name: str, model: str) -> tuple[FeatureInfo, ...]:
    """The features of a language model of that name; `model` says which it is."""
    source, target = (
        FeatureInfo(f"{side.title()}{name}LM", f"ln p of the {side} side by {model}", "higher: likelier", XU_2016)
        for side in ("source", "target")
    )
    return source, target, FeatureInfo(f"{name}LMDiff", "target minus source of these", "positive: likelier", XU_2016)


class LanguageModelScores:
    """`SourceNAMELM`, `TargetNAMELM`, `NAMELMDiff`: ln probability of a side's words, not as a whole sentence."""

    def __init__(self, name: str, path: str | Path) -> None:
        """`name`: as in the authors' release, Giga or Simp. Raises ModelError for a file KenLM cannot load."""
        self._model = LanguageModel(path)
        self.info: Sequence[FeatureInfo] = describe(name, str(path))
        self._scores: dict[tuple[str, ...], float] = {}

    def _score(self, side: tuple[str, ...]) -> float:
        known = self._scores.get(side)
        if known is None:
            if len(self._scores) > 1 << 17:
                self._scores.clear()
            known = rounded(self._model.score(side, begin=False, end=False))
            self._scores[side] = known
        return known

    def values(self, rule: Rule) -> Sequence[float]:
        """In the order of `info`; gaps are left out."""
        source, target = self._score(terminals(rule.source)), self._score(terminals(rule.target))
        return source, target, rounded(target - source)
