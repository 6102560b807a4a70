"""Adding features to rules, and the catalogue of all features there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sbmt.features.base import FeatureFamily, FeatureInfo
from sbmt.ppdb.formats import ReadFeatures
from sbmt.ppdb.rule import Rule


class Annotator:
    """Computes families of features for rules; a value that a rule brings with it stays unless `replace`."""

    def __init__(self, families: Sequence[FeatureFamily], replace: bool = False) -> None:
        self.families, self.replace = tuple(families), replace
        # Keys of a dictionary: in order, and comparable with a rule's feature names without a loop.
        self._names = [dict.fromkeys(info.name for info in family.info).keys() for family in self.families]

    @property
    def info(self) -> list[FeatureInfo]:
        """The catalogue of what is added."""
        return [info for family in self.families for info in family.info]

    def annotate(self, rule: Rule) -> Rule:
        """The rule with its features added, zeros left out."""
        given = rule.features
        if self.replace:
            kept = {name: value for name, value in given.items() if not any(name in names for names in self._names)}
            features: Mapping[str, float] = {**kept, **self._computed(rule, {})}
        elif isinstance(given, ReadFeatures):
            features = given.extended(self._computed(rule, given))
        else:
            features = {**given, **self._computed(rule, given)}
        return Rule(rule.lhs, rule.source, rule.target, features, rule.alignment, rule.entailment)

    def _computed(self, rule: Rule, given: Mapping[str, float]) -> dict[str, float]:
        """Values other than 0 of the features that are not given."""
        computed: dict[str, float] = {}
        known = given.keys()
        for names, family in zip(self._names, self.families, strict=True):
            if known >= names:
                continue
            values = {name: value for name, value in zip(names, family.values(rule), strict=True) if value}
            if not known.isdisjoint(names):
                values = {name: value for name, value in values.items() if name not in known}
            computed.update(values)
        return computed


def identity_rules(words: Iterable[str], lhs: str = "X") -> Iterator[Rule]:
    """Self-paraphrases, one a word: with them copying competes as a rule with features (the paper's second grammar)."""
    for word in words:
        yield Rule(lhs, (word,), (word,), {}, ((0, 0),))
