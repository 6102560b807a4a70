"""From a sentence to its parse forest: bottom-up chart parsing over the grammars' source-side tries.

CYK+ (Chappelier & Rajman 1998), column by column: a *dot* is a trie node reached over words and finished items from
`start` to the column's end. Within a column spans are finished from the shortest to the longest, so that a finished
item extends the dots that end where it starts. Only dots that exist cost time: on grammars of phrases the work is
linear in the sentence's length.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sbmt.decoder.features import KEPT, PASSED
from sbmt.decoder.forest import Cell, Cube
from sbmt.decoder.view import GrammarView
from sbmt.ppdb.columns import ROOT


class Dot(NamedTuple):
    """A trie node reached from `start`; `tails` are the items in its gaps, `edges` its children by label."""

    view: GrammarView
    node: int
    start: int
    tails: tuple[int, ...]
    edges: Mapping[int, int]


class Chart:
    """Fills `cells` for one sentence; `tokens` has the sentence marks at both ends.

    `fixed` are the positions that stand for a constraint, with their labels: no rule's word may match them. The
    columns `grammar`, `rule` and `head` (item) and `cell` (position in `spans`) describe the applications, `spans` the
    cells.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        fixed: Mapping[int, Iterable[int]],
        views: Sequence[GrammarView],
        default_label: int,
        pass_only_unknown: bool,
    ) -> None:
        self.n = len(tokens)
        self.cells: list[Cell] = []
        self.spans: list[tuple[int, int]] = []
        self.grammar: list[int] = []
        self.rule: list[int] = []
        self.head: list[int] = []
        self.cell: list[int] = []
        self.labels: list[int] = []  # of each item
        self.top: dict[int, int] = {}  # {label: item} over the whole sentence
        self._views, self._number = views, {id(view): number for number, view in enumerate(views)}
        self._fixed, self._default, self._only_unknown = fixed, default_label, pass_only_unknown
        self._words = [[-1 if i in fixed else view.terminal(t) for i, t in enumerate(tokens)] for view in views]
        self._for_words: list[Dot] = []
        self._for_items: list[list[Dot]] = [[] for _ in range(self.n + 1)]
        self._column: dict[int, list[Dot]] = {}
        self._starts: list[int] = []  # heap of the column's starts, negated: the latest first

    def fill(self) -> None:
        """Parse the sentence."""
        for end in range(1, self.n + 1):
            self._read_word(end)
            while self._starts:
                start = -heapq.heappop(self._starts)
                self._finish(start, end, self._column.pop(start))

    def _read_word(self, end: int) -> None:
        """Open the column `end`: move all dots that wait for its word."""
        start, waiting = end - 1, self._for_words
        self._for_words = []
        self._column = {start: []}
        self._starts = [-start]
        for view, words in zip(self._views, self._words, strict=True):
            if words[start] >= 0 and view.allows(start, end):
                self._reach(view, view.child(ROOT, words[start]), start, ())
        for dot in waiting:
            word = self._words[self._number[id(dot.view)]][start]
            if word >= 0 and dot.view.allows(dot.start, end):
                self._reach(dot.view, dot.view.child(dot.node, word), dot.start, dot.tails)

    def _reach(self, view: GrammarView, node: int, start: int, tails: tuple[int, ...]) -> None:
        """A dot arrives in the column."""
        if node < 0:
            return
        dot = Dot(view, node, start, tails, view.edges(node))
        dots = self._column.get(start)
        if dots is None:
            self._column[start] = [dot]
            heapq.heappush(self._starts, -start)
        else:
            dots.append(dot)

    def _finish(self, start: int, end: int, dots: list[Dot]) -> None:
        """Build the cell over a span and let its items move on."""
        items: dict[int, int] = {}
        first = len(self.rule)
        for dot in dots:
            if not dot.tails:
                self._apply(dot.view, dot.view.rules(dot.node), items)
        if end == start + 1 and 0 < start < self.n - 1:
            self._pass_through(start, len(self.rule) > first, items)
        lexical = range(first, len(self.rule))
        cubes = []
        for dot in dots:
            if dot.tails and (rules := dot.view.rules(dot.node)):
                before = len(self.rule)
                self._apply(dot.view, rules, items)
                cubes.append(Cube(before, len(self.rule), dot.tails))
        for dot in dots:
            self._wait(dot, end)
        if items:
            unary = self._change_labels(start, end, items)
            self.cells.append(Cell(lexical, cubes, unary))
            self.spans.append((start, end))
            self._move_on(start, end, items)
            if end - start == self.n:
                self.top = items

    def _apply(self, view: GrammarView, rules: Iterable[int], items: dict[int, int]) -> None:
        """Add applications of rules to the cell that is being built."""
        number, cell = self._number[id(view)], len(self.cells)
        for rule in rules:
            self._add(number, rule, view.head(rule), cell, items)

    def _add(self, grammar: int, rule: int, label: int, cell: int, items: dict[int, int]) -> None:
        item = items.get(label)
        if item is None:
            item = items[label] = len(self.labels)
            self.labels.append(label)
        self.grammar.append(grammar)
        self.rule.append(rule)
        self.head.append(item)
        self.cell.append(cell)

    def _pass_through(self, position: int, has_rule: bool, items: dict[int, int]) -> None:
        """The word itself as its own translation, or what a constraint wants."""
        if position in self._fixed:
            for label in self._fixed[position]:
                self._add(-1, KEPT, label, len(self.cells), items)
        elif not (has_rule and self._only_unknown):
            self._add(-1, PASSED, self._default, len(self.cells), items)

    def _change_labels(self, start: int, end: int, items: dict[int, int]) -> list[Cube]:
        """Apply unary rules; each label is complete before a rule uses it, so a cycle is cut where it would close."""
        views = [view for view in self._views if view.unary and view.allows(start, end)]
        if not views:
            return []
        order: list[int] = []
        seen: set[int] = set()

        def visit(label: int) -> None:
            seen.add(label)
            for view in views:
                for rule in view.unary.get(label, ()):
                    if view.head(rule) not in seen:
                        visit(view.head(rule))
            order.append(label)

        for label in list(items):
            if label not in seen:
                visit(label)
        order.reverse()
        rank = {label: position for position, label in enumerate(order)}
        unary = []
        for label in order:
            for view in views:
                rules = [rule for rule in view.unary.get(label, ()) if rank[view.head(rule)] > rank[label]]
                if rules:
                    before = len(self.rule)
                    self._apply(view, rules, items)
                    unary.append(Cube(before, len(self.rule), (items[label],)))
        return unary

    def _wait(self, dot: Dot, end: int) -> None:
        """Keep a dot that words or items can move."""
        if dot.edges:
            self._for_items[end].append(dot)
        if dot.view.has_terminal_edges(dot.node):
            self._for_words.append(dot)

    def _move_on(self, start: int, end: int, items: dict[int, int]) -> None:
        """Extend the dots that end at `start` by the finished items, and begin new dots with them."""
        for view in self._views:
            if view.allows(start, end):
                edges = view.edges(ROOT)
                for label, item in items.items():
                    child = edges.get(label)
                    if child is not None:
                        self._wait(Dot(view, child, start, (item,), view.edges(child)), end)
        for dot in self._for_items[start]:
            if dot.view.allows(dot.start, end):
                few, many = (items, dot.edges) if len(items) < len(dot.edges) else (dot.edges, items)
                for label in few:
                    if label in many:
                        self._reach(dot.view, dot.edges[label], dot.start, (*dot.tails, items[label]))
