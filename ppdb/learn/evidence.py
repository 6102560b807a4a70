"""Joining learnt grammars to a grammar, as features of its rules and as new rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.filtering import Predicate
from sbmt.ppdb.learn.soundness import grammatical, shared_tags, sound
from sbmt.ppdb.rule import Rule, Sides

_SOURCE_FEATURES = ("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)", "LogCount", "RarityPenalty")  # taken over from a source
_LEARNT_ONLY = "LearntOnly"  # 1 for rules that are in learnt sources only


def with_learnt(
    own: Iterable[Rule], learnt: Mapping[str, Iterable[Rule]], evidence: Mapping[str, Iterable[Rule]]
) -> Iterator[Rule]:
    """Yield the rules of `own`, joined with those of `learnt` and `evidence`, grammars by their names.

    A rule of `own` gets features of each source that has its two sides, whatever the label: `NAME:FEATURE` for
    FEATURE in _SOURCE_FEATURES, and `In:NAME` = 1; features that it already has stay. Pairs of sides that are only in
    `learnt` follow, with LearntOnly = 1, if they are `grammatical`; those only in `evidence` do not. Learnt rules have
    no labels, which LabelClash needs; a rule of one word for another gets those that the dictionary has for both.

    `own` and `learnt` are held in memory, `evidence` is not. Raises SbmtError if `learnt` has a new pair and
    lemminflect is not installed.
    """
    rules = list(own)
    own_sides = {rule.sides for rule in rules}
    source_rules: dict[Sides, Rule] = {}  # with the features that they add
    for name, source in learnt.items():
        for rule in source:
            _add_features(source_rules, name, rule)
    new_sides = source_rules.keys() - own_sides
    all_sides = own_sides | new_sides
    for name, source in evidence.items():
        for rule in source:
            if rule.sides in all_sides:
                _add_features(source_rules, name, rule)
    for rule in rules:
        source_rule = source_rules.get(rule.sides)
        if source_rule:
            added = {name: value for name, value in source_rule.features.items() if name not in rule.features}
            rule = dataclasses.replace(rule, features=ReadFeatures.of(rule.features).extended(added))
        yield rule
    for sides, rule in source_rules.items():
        if sides in new_sides and grammatical(rule):
            new_rule = dataclasses.replace(rule, features={**rule.features, _LEARNT_ONLY: 1.0})
            yield from (dataclasses.replace(new_rule, lhs=label) for label in shared_tags(rule) or (rule.lhs,))


def sound_of(name: str) -> Predicate:
    """Return a test for rules that are `sound`, were not new, or are not in the learnt source of this name."""
    marks = {_LEARNT_ONLY, f"In:{name}"}
    return lambda rule: not marks <= rule.features.keys() or sound(rule, f"{name}:p(f|e)")


def _add_features(source_rules: dict[Sides, Rule], name: str, rule: Rule) -> None:
    """Add the features that a source has for two sides; of several rules with the same sides the first counts."""
    if rule.source == rule.target:
        return
    earlier = source_rules.get(rule.sides) or dataclasses.replace(rule, features={})
    added = {f"{name}:{feature}": rule.features[feature] for feature in _SOURCE_FEATURES if feature in rule.features}
    features = {**added, f"In:{name}": 1.0, **earlier.features}
    source_rules[rule.sides] = dataclasses.replace(earlier, features=features)
