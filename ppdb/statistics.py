"""Statistics of a grammar: rules by kind and label; ranges of features, and how many rules lack them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.filtering import kind
from sbmt.ppdb.rule import Rule


@dataclass(slots=True)
class FeatureRange:
    """Least and largest value of a feature, and how many rules have it (0 if it is only named with `NA`)."""

    least: float = math.inf
    most: float = -math.inf
    count: int = 0

    def add(self, value: float) -> None:
        """Count one more value."""
        self.least, self.most, self.count = min(self.least, value), max(self.most, value), self.count + 1


@dataclass(slots=True)
class Statistics:
    """Statistics of one grammar."""

    rules: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    features: defaultdict[str, FeatureRange] = field(default_factory=lambda: defaultdict(FeatureRange))

    def missing(self, name: str) -> int:
        """Return how many rules do not have a feature."""
        return self.rules - (self.features[name].count if name in self.features else 0)


def count(rules: Iterable[Rule]) -> Statistics:
    """Count rules, in one pass."""
    statistics = Statistics()
    for rule in rules:
        statistics.rules += 1
        statistics.kinds[kind(rule)] += 1
        statistics.labels[rule.lhs] += 1
        if isinstance(rule.features, ReadFeatures):
            for name in rule.features.unknown():
                statistics.features.setdefault(name, FeatureRange())
        for name, value in rule.features.items():
            statistics.features[name].add(value)
    return statistics
