"""Counting what a grammar holds: rules by kind and label, features with their range and how many rules lack them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from sbmt.ppdb.filtering import kind
from sbmt.ppdb.rule import Rule


@dataclass(slots=True)
class FeatureRange:
    """Least and largest value, and how many rules have the feature."""

    least: float
    most: float
    count: int = 1

    def add(self, value: float) -> None:
        """Count one more value."""
        self.least, self.most, self.count = min(self.least, value), max(self.most, value), self.count + 1


@dataclass(slots=True)
class Statistics:
    """What one grammar holds."""

    rules: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    features: dict[str, FeatureRange] = field(default_factory=dict)

    def missing(self, name: str) -> int:
        """How many rules do not have a feature."""
        return self.rules - self.features[name].count


def count(rules: Iterable[Rule]) -> Statistics:
    """Go through the rules once."""
    statistics = Statistics()
    for rule in rules:
        statistics.rules += 1
        statistics.kinds[kind(rule)] += 1
        statistics.labels[rule.lhs] += 1
        for name, value in rule.features.items():
            known = statistics.features.get(name)
            if known is None:
                statistics.features[name] = FeatureRange(value, value)
            else:
                known.add(value)
    return statistics
