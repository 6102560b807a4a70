"""Built-in features of rules: the penalties of Joshua, and how many rules change something."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from sbmt.arrays import Floats
from sbmt.decoder.features import RuleTable
from sbmt.features.sentence.application import KEPT, PASSED
from sbmt.ppdb.grammar import Grammar

# Names of features; those of PhrasePenalty end in the owner.
WORD_PENALTY, OOV_PENALTY, PHRASE_PENALTY = "WordPenalty", "OOVPenalty", "PhrasePenalty"
CHANGES = "Changes"  # what --strength weighs
_MAX_CACHED = 10_000  # rules; larger caches are hardly faster


class WordPenalty:
    """WordPenalty: -log10(e) for each target word, sentence marks included, as Joshua has it."""

    VALUE = -math.log10(math.e)

    def rule_values(self, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Sequence[float] | Floats]:
        """Return values proportional to the number of words on the target side."""
        return WORD_PENALTY, (self.VALUE * rules.words).astype(np.float64)


class OovPenalty:
    """OOVPenalty: `value` for each word passed through (1, or Joshua 6's -100), or that of its label in `by_label`."""

    def __init__(self, value: float = 1.0, by_label: Mapping[str, float] | None = None) -> None:
        self.value, self.by_label = value, by_label or {}

    def rule_values(self, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Sequence[float] | Floats]:
        """Return the penalty of each word passed through, 0 for other rules."""
        values = {head: self.by_label.get(label, self.value) for head, label in rules.labels.items()}
        column = np.zeros(len(rules.rule_id))
        for rule in np.flatnonzero(np.array(rules.rule_id) == PASSED).tolist():
            column[rule] = values[rules.head[rule]]
        return OOV_PENALTY, column


def phrase_penalty(owner: str) -> str:
    """Return the name of the PhrasePenalty of an owner's rules."""
    return f"{PHRASE_PENALTY}_{owner}"


class PhrasePenalty:
    """PhrasePenalty_OWNER, or `name`: 1 for each rule of an owner; of "oov" these are the words passed through."""

    def __init__(self, owner: str, name: str | None = None) -> None:
        self.owner, self.name = owner, name or phrase_penalty(owner)

    def rule_values(self, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Sequence[float] | Floats]:
        """Return 1 for each rule of the owner, 0 for others."""
        rule_numbers = zip(rules.grammar, rules.rule_id, strict=True)
        return self.name, [float(owners[grammar] == self.owner and number != KEPT) for grammar, number in rule_numbers]


class Changes:
    """Changes: 1 for each rule whose target side differs from its source side."""

    def __init__(self, grammars: Sequence[Grammar]) -> None:
        self._is_copy = lru_cache(_MAX_CACHED)(lambda grammar, number: grammars[grammar].is_copy(number))

    def rule_values(self, rules: RuleTable, owners: Sequence[str]) -> tuple[str, Sequence[float]]:
        """Return 1 for each rule that is no copy, 0 for others."""
        rule_numbers = zip(rules.grammar, rules.rule_id, strict=True)
        return CHANGES, [float(number >= 0 and not self._is_copy(grammar, number)) for grammar, number in rule_numbers]
