"""Glue: the rules that put a sentence together from left to right, a grammar of its own beside the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbmt.lm.symbols import BEGIN, END
from sbmt.ppdb.rule import Rule

GLUE = "glue"  # the owner of such a grammar


def glue_rules(labels: Iterable[str], goal: str) -> Iterator[Rule]:
    """Rules of the label `goal` that string items of these labels together, between the marks of a sentence."""
    yield Rule(goal, (BEGIN,), (BEGIN,))
    for item in (*(f"[{label},2]" for label in labels), END):
        sides = (f"[{goal},1]", item)
        yield Rule(goal, sides, sides)
