"""A grammar of one's own joined by what was learnt elsewhere: as features of its rules, and as rules of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.filtering import Predicate
from sbmt.ppdb.learn.soundness import grammatical, shared_tags, sound
from sbmt.ppdb.rule import Rule, Sides

GIVEN = ("p(e|f)", "p(f|e)", "Lex(e|f)", "Lex(f|e)", "LogCount", "RarityPenalty")  # of a source, to the rules it joins
ALONE = "LearntOnly"  # 1 for rules that only learnt sources have


def with_learnt(
    own: Iterable[Rule], learnt: Mapping[str, Iterable[Rule]], evidence: Mapping[str, Iterable[Rule]]
) -> Iterator[Rule]:
    """The rules of `own`, joined by those of `learnt` and of `evidence`, grammars by their names.

    A rule of `own` gets the features of each source that has its two sides, whatever the label: `NAME:FEATURE` for
    those in GIVEN, and `In:NAME` = 1; those that it has already stay. Pairs of sides that are in `learnt` only follow,
    with LearntOnly = 1, but for those that are not `grammatical`; what is in `evidence` alone does not. Learnt rules
    have no labels, by which LabelClash sees where a form cannot stand; one word for another gets those that the
    dictionary has for both.

    `own` and `learnt` are held in memory, `evidence` is not. Raises SbmtError if there is a new pair in `learnt`, and
    lemminflect is not installed.
    """
    rules = list(own)
    own_sides = {rule.sides for rule in rules}
    found: dict[Sides, Rule] = {}
    for name, source in learnt.items():
        for rule in source:
            _add(found, name, rule)
    joining = found.keys() - own_sides
    known = own_sides | joining
    for name, source in evidence.items():
        for rule in source:
            if rule.sides in known:
                _add(found, name, rule)
    for rule in rules:
        same = found.get(rule.sides)
        if same:
            added = {name: value for name, value in same.features.items() if name not in rule.features}
            rule = dataclasses.replace(rule, features=ReadFeatures.of(rule.features).extended(added))
        yield rule
    for sides, rule in found.items():
        if sides in joining and grammatical(rule):
            alone = dataclasses.replace(rule, features={**rule.features, ALONE: 1.0})
            yield from (dataclasses.replace(alone, lhs=label) for label in shared_tags(rule) or (rule.lhs,))


def sound_of(name: str) -> Predicate:
    """Rules that are `sound`, and those that need not be: that `own` has, or that the source of this name has not."""
    marks = {ALONE, f"In:{name}"}
    return lambda rule: not marks <= rule.features.keys() or sound(rule, f"{name}:p(f|e)")


def _add(found: dict[Sides, Rule], name: str, rule: Rule) -> None:
    """Add what a source says of a pair; of two rules with the same sides the first counts."""
    if rule.source == rule.target:
        return
    known = found.get(rule.sides) or dataclasses.replace(rule, features={})
    given = {f"{name}:{feature}": rule.features[feature] for feature in GIVEN if feature in rule.features}
    features = {**given, f"In:{name}": 1.0, **known.features}
    found[rule.sides] = dataclasses.replace(known, features=features)
