"""A rule at one place of a sentence, as features that look at the sentence see it, and what they say of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from sbmt.lm.symbols import Symbol

CONSTRAINT_OWNER = "constraint"  # the owner of what a constraint fixes
PASS_THROUGH_OWNER = "oov"  # the owner of words passed through
PASSED, KEPT = -1, -2  # rule ids of what no grammar holds: a word passed through, a span fixed by a constraint

Value = tuple[int, str, float]  # index of an application, feature name, value


class Application(NamedTuple):
    """One rule at one place.

    `grammar` is its number in the decoder, -1 for a word passed through or kept by a constraint, which `rule_id` tells
    apart (-1, -2). `span` is half-open in the sentence's own words: the sentence marks are outside. `gaps` are the
    spans in its gaps, by their numbers.
    """

    grammar: int
    rule_id: int
    owner: str
    label: str
    span: tuple[int, int]
    target: tuple[Symbol, ...]
    arity: int
    gaps: tuple[tuple[int, int], ...] = ()


class StatelessFeature(Protocol):
    """Values of rule applications that depend on the rule and on the source sentence only.

    An attribute `names` may announce the feature names, so that a sentence without any of them causes no warning about
    their weights.
    """

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """Non-zero values, by index into `applications`; called once for each sentence."""
