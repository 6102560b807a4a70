"""Glue rules, which join the parts of a sentence from left to right; a separate grammar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbmt.lm.symbols import BEGIN, END
from sbmt.ppdb.rule import Rule

GLUE = "glue"  # the owner of the glue grammar


def glue_rules(labels: Iterable[str], goal: str) -> Iterator[Rule]:
    """Yield rules with the label `goal` that concatenate items of these labels between the sentence marks."""
    yield Rule(goal, (BEGIN,), (BEGIN,))
    for item in (*(f"[{label},2]" for label in labels), END):
        sides = (f"[{goal},1]", item)
        yield Rule(goal, sides, sides)
