"""Adding features to rules, and the catalogue of all features there are."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from sbmt.features.base import FeatureFamily, FeatureInfo
from sbmt.ppdb.rule import Rule

_DIGITS = 5


class Annotator:
    """Computes families of features for rules; a value that a rule brings with it stays unless `replace`."""

    def __init__(self, families: Sequence[FeatureFamily], replace: bool = False) -> None:
        self.families, self.replace = tuple(families), replace
        self._names = [tuple(info.name for info in family.info) for family in self.families]

    @property
    def info(self) -> list[FeatureInfo]:
        """The catalogue of what is added."""
        return [info for family in self.families for info in family.info]

    def annotate(self, rule: Rule) -> Rule:
        """The rule with its features added, zeros left out."""
        computed: dict[str, float] = {}
        for names, family in zip(self._names, self.families, strict=True):
            for name, value in zip(names, family.values(rule), strict=True):
                if value:
                    computed[name] = round(float(value), _DIGITS)
        features = {**rule.features, **computed} if self.replace else {**computed, **rule.features}
        return dataclasses.replace(rule, features=features)


def identity_rules(words: Iterable[str], lhs: str = "X") -> Iterator[Rule]:
    """Self-paraphrases, one a word: with them copying competes as a rule with features (the paper's second grammar)."""
    for word in words:
        yield Rule(lhs, (word,), (word,), {}, ((0, 0),))
