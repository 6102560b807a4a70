"""Label changes: the rules whose source side is a single gap, of all grammars, in an order that needs no repetition.

Every label is complete before a rule uses it. Where the rules form a cycle, the back edges of a depth-first walk are
left out, so that every derivation is finite and no label that can be reached is missed. Walks start at labels that only
rules make, so that in a cycle the changes *to* labels of words passed through are the ones kept: those are the labels
that glue takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from sbmt.decoder.parsing.grammar_view import GrammarView


class Change(NamedTuple):
    """A rule of one gap: its grammar, its number there, the label of its gap and its left-hand side."""

    view: GrammarView
    rule: int
    label: int
    head: int


class LabelChanges:
    """`leading_back` is a change that closes a cycle, if there is one."""

    def __init__(self, views: Sequence[GrammarView], passed: Sequence[int]) -> None:
        """`passed` are the labels of words passed through."""
        self._passed = passed
        self._changes: dict[int, list[Change]] = {}
        for view in views:
            for label, rules in view.unary.items():
                changes = (Change(view, rule, label, head) for rule, head in rules)
                self._changes.setdefault(label, []).extend(changes)
        _, left_out = _ordered(self._changes, lambda label: self._changes.get(label, []))
        self.leading_back = left_out[0] if left_out else None

    def of(self, labels: Iterable[int], allowed: Callable[[GrammarView], bool]) -> list[Change]:
        """The changes that lead on from labels, by the grammars that are allowed."""
        begin = [label for label in labels if label in self._changes] if self._changes else []
        if not begin:
            return []
        changes, _ = _ordered(
            sorted(begin, key=lambda label: (label in self._passed, label)),
            lambda label: [change for change in self._changes.get(label, ()) if allowed(change.view)],
        )
        return changes


def _ordered(labels: Iterable[int], changes: Callable[[int], Sequence[Change]]) -> tuple[list[Change], list[Change]]:
    """All changes that lead on from labels, in order, and those that lead back (depth first, without recursion)."""
    ended: list[int] = []  # each label after all that it leads to
    seen: set[int] = set()
    for first in labels:
        stack = [] if first in seen else [(first, iter(changes(first)))]
        seen.add(first)
        while stack:
            label, rest = stack[-1]
            head = next((change.head for change in rest if change.head not in seen), None)
            if head is None:
                ended.append(label)
                stack.pop()
            else:
                seen.add(head)
                stack.append((head, iter(changes(head))))
    rank = {label: place for place, label in enumerate(reversed(ended))}
    found: tuple[list[Change], list[Change]] = [], []
    for label in rank:
        for change in changes(label):
            found[rank[change.head] <= rank[label]].append(change)
    return found
