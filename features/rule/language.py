"""Language-model scores of the two sides (Xu et al. 2016, section 3.3), for any number of named models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sbmt.features.rule.base import XU_2016, FeatureInfo, rounded
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.rule import Rule, terminals

_MAX_CACHED_SCORES = 1 << 17


def describe(name: str, model: str) -> tuple[FeatureInfo, ...]:
    """Return the features of the language model with this name; `model` describes it."""
    source, target = (
        FeatureInfo(f"{side.title()}{name}LM", f"ln p of the {side} side by {model}", "higher: likelier", XU_2016)
        for side in ("source", "target")
    )
    return source, target, FeatureInfo(f"{name}LMDiff", "target minus source of these", "positive: likelier", XU_2016)


class LanguageModelScores:
    """`SourceNAMELM`, `TargetNAMELM`, `NAMELMDiff`: ln probability of a side's words, without sentence marks."""

    def __init__(self, name: str, path: str | Path) -> None:
        """`name`: Giga or Simp in the authors' release. Raises ModelError for a file that KenLM cannot load."""
        self._model = LanguageModel(path)
        self.info: Sequence[FeatureInfo] = describe(name, str(path))
        self._scores: dict[tuple[str, ...], float] = {}

    def _score(self, side: tuple[str, ...]) -> float:
        score = self._scores.get(side)
        if score is None:
            if len(self._scores) > _MAX_CACHED_SCORES:
                self._scores.clear()
            score = rounded(self._model.score(side, begin=False, end=False))
            self._scores[side] = score
        return score

    def values(self, rule: Rule) -> Sequence[float]:
        """Return the features in the order of `info`; gaps are ignored."""
        source, target = self._score(terminals(rule.source)), self._score(terminals(rule.target))
        return source, target, rounded(target - source)
