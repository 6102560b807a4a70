"""Joining grammars: one rule for each label and pair of sides, with the features of all."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from sbmt.ppdb.rule import Rule


def merge(grammars: Iterable[Iterable[Rule]]) -> Iterator[Rule]:
    """The rules in the order of first sight; of a feature that two grammars give a rule, the earlier value stays.

    Holds all rules in memory.
    """
    merged: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Rule] = {}
    for rules in grammars:
        for rule in rules:
            key = (rule.lhs, rule.source, rule.target)
            known = merged.get(key)
            if known is None:
                merged[key] = rule
            else:
                merged[key] = dataclasses.replace(
                    known,
                    features={**rule.features, **known.features},
                    alignment=known.alignment or rule.alignment,
                    entailment=known.entailment or rule.entailment,
                )
    yield from merged.values()
