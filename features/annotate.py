"""Adding features to rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import getitem

from sbmt.features.base import FeatureFamily, FeatureInfo
from sbmt.ppdb.feature_text import MISSING, ReadFeatures, format_features
from sbmt.ppdb.formats import RuleParser, format_rule
from sbmt.ppdb.rule import Rule
from sbmt.text.whitespace import split_words

_TEXTS = 1 << 16  # values of a feature whose text is kept
_PLANS = 1 << 12


class _Texts(dict[float, str]):
    """NAME=VALUE of one feature after a space, by its value; nothing for 0, which is left out."""

    def __init__(self, name: str, wanted: bool = True) -> None:
        """A feature that is not wanted has no text."""
        self.name, self.wanted = name, wanted

    def __missing__(self, value: float) -> str:
        text = f" {format_features({self.name: value})}" if value and self.wanted else ""
        if len(self) < _TEXTS:
            self[value] = text
        return text


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to do with rules that bring certain features with them.

    `steps`: of each family to compute, its values and their texts. `dropped`: the features whose text goes, because
    they are computed again; `unknown`: NAME=NA of all that are computed.
    """

    steps: tuple[tuple[Callable[[Rule], Sequence[float]], tuple[_Texts, ...]], ...]
    dropped: frozenset[str]
    unknown: frozenset[str]


class Annotator:
    """Computes families of features for rules; a value that a rule brings with it stays unless `replace`."""

    def __init__(self, families: Sequence[FeatureFamily], replace: bool = False) -> None:
        self.families, self.replace = tuple(families), replace
        self._unwanted = _Texts("", wanted=False)
        self._texts = {info.name: _Texts(info.name) for info in self.info}
        self._plan: Callable[[tuple[str, ...]], _Plan] = lru_cache(maxsize=_PLANS)(self._planned)

    @property
    def info(self) -> list[FeatureInfo]:
        """The catalogue of what is added."""
        return [info for family in self.families for info in family.info]

    def annotate(self, rule: Rule) -> Rule:
        """The rule with its features added, zeros left out."""
        return RuleParser().parse(self.line(rule))

    def line(self, rule: Rule) -> str:
        """The annotated rule as a line of PPDB's format; features that it brought come first, written as they were."""
        given = ReadFeatures.of(rule.features)
        plan = self._plan(given.names)
        text = self._kept(given.text, plan)
        for values, texts in plan.steps:
            text += "".join(map(getitem, texts, values(rule)))
        return format_rule(rule, text.lstrip())

    def _planned(self, given: tuple[str, ...]) -> _Plan:
        known = frozenset() if self.replace else frozenset(given)
        steps = []
        for family in self.families:
            texts = [self._unwanted if info.name in known else self._texts[info.name] for info in family.info]
            if any(text.wanted for text in texts):
                steps.append((family.values, tuple(texts)))
        computed = frozenset(self._texts) - known
        return _Plan(tuple(steps), computed.intersection(given), frozenset(name + MISSING for name in computed))

    @staticmethod
    def _kept(text: str, plan: _Plan) -> str:
        """What stays of the text of the features that a rule brought."""
        if not plan.dropped and MISSING not in text:
            return text
        return " ".join(
            field
            for field in split_words(text)
            if field not in plan.unknown and field.rpartition("=")[0] not in plan.dropped
        )
