"""Adding features to rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import getitem

from sbmt.features.rule.base import FeatureFamily, FeatureInfo
from sbmt.ppdb.feature_text import NumberTexts, ReadFeatures, format_features
from sbmt.ppdb.formats import RuleParser, format_rule
from sbmt.ppdb.rule import Rule

_MAX_TEXTS = 1 << 16  # cached per feature
_MAX_PLANS = 1 << 12  # cached


def _format_value(name: str, value: float) -> str:
    """Return NAME=VALUE after a space, or nothing for 0."""
    return f" {format_features({name: value})}" if value else ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to annotate rules that already have certain features.

    `steps`: for each family to compute, its `values` and the texts of its features. `computed`: the features that these
    write, which replace those that a rule has.
    """

    steps: tuple[tuple[Callable[[Rule], Sequence[float]], tuple[NumberTexts, ...]], ...]
    computed: frozenset[str]


class Annotator:
    """Families of features to add to rules; a value that a rule already has stays unless `replace`."""

    def __init__(self, families: Sequence[FeatureFamily], replace: bool = False) -> None:
        self.families, self.replace = tuple(families), replace
        self._parse = RuleParser().parse
        self._omitted = NumberTexts(lambda value: "", _MAX_TEXTS)
        self._texts = {info.name: NumberTexts(partial(_format_value, info.name), _MAX_TEXTS) for info in self.info}
        self._plan_for: Callable[[tuple[str, ...]], _Plan] = lru_cache(maxsize=_MAX_PLANS)(self._make_plan)

    @property
    def info(self) -> list[FeatureInfo]:
        """The catalogue entries of the added features."""
        return [info for family in self.families for info in family.info]

    def annotate(self, rule: Rule) -> Rule:
        """Return the rule with its features added, without zeros."""
        return self._parse(self.line(rule))

    def line(self, rule: Rule) -> str:
        """Return the annotated rule as a line of PPDB's format; its own features come first, written as they were."""
        features = ReadFeatures.of(rule.features)
        plan = self._plan_for(features.names)
        text = features.without(plan.computed)
        for values, texts in plan.steps:
            text += "".join(map(getitem, texts, values(rule)))
        return format_rule(rule, text.lstrip())

    def _make_plan(self, names: tuple[str, ...]) -> _Plan:
        kept = frozenset() if self.replace else frozenset(names)
        steps = []
        for family in self.families:
            texts = [self._omitted if info.name in kept else self._texts[info.name] for info in family.info]
            if any(text is not self._omitted for text in texts):
                steps.append((family.values, tuple(texts)))
        return _Plan(tuple(steps), frozenset(self._texts) - kept)
