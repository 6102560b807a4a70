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

_TEXTS = 1 << 16  # values of a feature whose text is kept
_PLANS = 1 << 12


def _written(name: str, value: float) -> str:
    """NAME=VALUE after a space; nothing for 0, which is left out."""
    return f" {format_features({name: value})}" if value else ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to do with rules that bring certain features with them.

    `steps`: of each family to compute, its values and their texts. `computed`: the features that these write, so that
    what the rule brought of them goes.
    """

    steps: tuple[tuple[Callable[[Rule], Sequence[float]], tuple[NumberTexts, ...]], ...]
    computed: frozenset[str]


class Annotator:
    """Computes families of features for rules; a value that a rule brings with it stays unless `replace`."""

    def __init__(self, families: Sequence[FeatureFamily], replace: bool = False) -> None:
        self.families, self.replace = tuple(families), replace
        self._parse = RuleParser().parse
        self._unwanted = NumberTexts(lambda value: "", _TEXTS)
        self._texts = {info.name: NumberTexts(partial(_written, info.name), _TEXTS) for info in self.info}
        self._plan: Callable[[tuple[str, ...]], _Plan] = lru_cache(maxsize=_PLANS)(self._planned)

    @property
    def info(self) -> list[FeatureInfo]:
        """The catalogue of what is added."""
        return [info for family in self.families for info in family.info]

    def annotate(self, rule: Rule) -> Rule:
        """The rule with its features added, zeros left out."""
        return self._parse(self.line(rule))

    def line(self, rule: Rule) -> str:
        """The annotated rule as a line of PPDB's format; features that it brought come first, written as they were."""
        given = ReadFeatures.of(rule.features)
        plan = self._plan(given.names)
        text = given.without(plan.computed)
        for values, texts in plan.steps:
            text += "".join(map(getitem, texts, values(rule)))
        return format_rule(rule, text.lstrip())

    def _planned(self, given: tuple[str, ...]) -> _Plan:
        known = frozenset() if self.replace else frozenset(given)
        steps = []
        for family in self.families:
            texts = [self._unwanted if info.name in known else self._texts[info.name] for info in family.info]
            if any(text is not self._unwanted for text in texts):
                steps.append((family.values, tuple(texts)))
        return _Plan(tuple(steps), frozenset(self._texts) - known)
