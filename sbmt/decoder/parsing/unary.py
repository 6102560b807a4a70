"""Unary rules: those whose source side is a single gap, of all grammars, in an order in which each is applied once.

Every label is complete before a rule uses it. If the rules form a cycle, the back edges of a depth-first walk are left
out, so that every derivation is finite and no reachable label is missed. Walks start at labels that only rules make, so
that in a cycle the rules that make labels of words passed through are kept: those are the labels that glue takes.
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
    """The unary rules of all grammars; `back_edge` is a rule that closes a cycle, or None."""

    def __init__(self, views: Sequence[GrammarView], passed: Sequence[int]) -> None:
        """Collect the rules; `passed` are the labels of words passed through."""
        self._passed = passed
        self._rules: dict[int, list[UnaryRule]] = {}  # by the label of the gap
        for view in views:
            for label, rules in view.unary.items():
                unary_rules = (UnaryRule(view, rule, label, head) for rule, head in rules)
                self._rules.setdefault(label, []).extend(unary_rules)
        _, back_edges = _ordered(self._rules, lambda label: self._rules.get(label, []))
        self.back_edge = back_edges[0] if back_edges else None

    def of(self, labels: Iterable[int], allowed: Callable[[GrammarView], bool]) -> list[UnaryRule]:
        """Return, in order, the rules reachable from labels, of the allowed grammars."""
        roots = [label for label in labels if label in self._rules] if self._rules else []
        if not roots:
            return []
        rules, _ = _ordered(
            sorted(roots, key=lambda label: (label in self._passed, label)),
            lambda label: [rule for rule in self._rules.get(label, ()) if allowed(rule.view)],
        )
        return rules


def _ordered(
    labels: Iterable[int], rules: Callable[[int], Sequence[UnaryRule]]
) -> tuple[list[UnaryRule], list[UnaryRule]]:
    """Return the rules reachable from labels, in order, and the back edges (depth first, without recursion)."""
    finished: list[int] = []  # each label after all that are reachable from it
    visited: set[int] = set()
    for first in labels:
        stack = [] if first in visited else [(first, iter(rules(first)))]
        visited.add(first)
        while stack:
            label, remaining_rules = stack[-1]
            head = next((rule.head for rule in remaining_rules if rule.head not in visited), None)
            if head is None:
                finished.append(label)
                stack.pop()
            else:
                visited.add(head)
                stack.append((head, iter(rules(head))))
    rank = {label: place for place, label in enumerate(reversed(finished))}
    ordered, back_edges = list[UnaryRule](), list[UnaryRule]()
    for label in rank:
        for rule in rules(label):
            (ordered if rank[rule.head] > rank[label] else back_edges).append(rule)
    return ordered, back_edges
