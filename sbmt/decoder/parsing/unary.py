"""Unary rules: those whose source side is a single gap, of all grammars, in an order that needs no repetition.

Every label is complete before a rule uses it. Where the rules form a cycle, the back edges of a depth-first walk are
left out, so that every derivation is finite and no label that can be reached is missed. Walks start at labels that only
rules make, so that in a cycle the rules that make labels of words passed through are the ones kept: those are the
labels that glue takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sbmt.decoder.parsing.grammar_view import GrammarView


class UnaryRule(NamedTuple):
    """A rule of one gap: its grammar, its number there, the label of its gap and its left-hand side."""

    view: GrammarView
    rule: int
    label: int
    head: int


class UnaryRules:
    """`leading_back` is a rule that closes a cycle, if there is one."""

    def __init__(self, views: Sequence[GrammarView], passed: Sequence[int]) -> None:
        """`passed` are the labels of words passed through."""
        self._passed = passed
        self._rules: dict[int, list[UnaryRule]] = {}  # by the label of the gap
        for view in views:
            for label, rules in view.unary.items():
                found = (UnaryRule(view, rule, label, head) for rule, head in rules)
                self._rules.setdefault(label, []).extend(found)
        _, left_out = _ordered(self._rules, lambda label: self._rules.get(label, []))
        self.leading_back = left_out[0] if left_out else None

    def of(self, labels: Iterable[int], allowed: Callable[[GrammarView], bool]) -> list[UnaryRule]:
        """The rules that lead on from labels, of the grammars that are allowed."""
        begin = [label for label in labels if label in self._rules] if self._rules else []
        if not begin:
            return []
        rules, _ = _ordered(
            sorted(begin, key=lambda label: (label in self._passed, label)),
            lambda label: [rule for rule in self._rules.get(label, ()) if allowed(rule.view)],
        )
        return rules


def _ordered(
    labels: Iterable[int], rules: Callable[[int], Sequence[UnaryRule]]
) -> tuple[list[UnaryRule], list[UnaryRule]]:
    """All rules that lead on from labels, in order, and those that lead back (depth first, without recursion)."""
    ended: list[int] = []  # each label after all that it leads to
    seen: set[int] = set()
    for first in labels:
        stack = [] if first in seen else [(first, iter(rules(first)))]
        seen.add(first)
        while stack:
            label, rest = stack[-1]
            head = next((rule.head for rule in rest if rule.head not in seen), None)
            if head is None:
                ended.append(label)
                stack.pop()
            else:
                seen.add(head)
                stack.append((head, iter(rules(head))))
    rank = {label: place for place, label in enumerate(reversed(ended))}
    found: tuple[list[UnaryRule], list[UnaryRule]] = [], []
    for label in rank:
        for rule in rules(label):
            found[rank[rule.head] <= rank[label]].append(rule)
    return found
