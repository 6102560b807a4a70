"""From tokens to cells and cubes: bottom-up chart parsing over the grammars' source-side tries.

CYK+ (Chappelier & Rajman 1998), column by column: `Dots` says which source sides end in the column, and from where.
Within a column spans are finished from the shortest to the longest, so that a finished item extends the dots that end
where it starts. Only dots that exist cost time: on grammars of phrases the work is linear in the sentence's length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

import numpy as np

from sbmt.decoder.column import Block, Column, Ended, Used
from sbmt.decoder.dots import Dots
from sbmt.decoder.features import KEPT, PASSED
from sbmt.decoder.forest import Cell, Cubes
from sbmt.decoder.tails import TailColumn, Tails, join_tails
from sbmt.decoder.view import GrammarView


class Chart:
    """Fills `cells` and `cubes` for one sentence; `tokens` has the sentence marks at both ends.

    `bounds[b]` is the word of the sentence that boundary b between tokens stands before. `fixed` are the positions that
    stand for a constraint, with their labels: no rule's word may match them. Words pass through under `pass_labels`.
    `used` are the rules, in the order in which they enter the sentence's rule table; `own` are those that no grammar
    holds: (number in the table, position, label).
    """

    def __init__(
        self,
        tokens: Sequence[str],
        bounds: Sequence[int],
        fixed: Mapping[int, Sequence[int]],
        views: Sequence[GrammarView],
        pass_labels: Sequence[int],
        pass_only_unknown: bool,
    ) -> None:
        self.n, self._bounds = len(tokens), bounds
        self.cells: list[Cell] = []
        self.cubes = Cubes([], [], [], [], [])
        self.n_items = self.n_applications = 0
        self.top: dict[int, int] = {}  # {label: item} over the whole sentence
        self.used = Used()
        self.own: list[tuple[int, int, int]] = []
        self._fixed, self._passed, self._only_unknown = fixed, pass_labels, pass_only_unknown
        self._blocks: list[Block] = []  # by cube
        self._tails: list[Tails | TailColumn] = []
        self._unary_views = [view for view in views if view.unary]
        self._unary: dict[tuple[int, int], Block] = {}  # by grammar and rule
        self._dots: list[Dots] = []
        for view in views:
            words = [-1 if i in fixed else view.terminal(token) for i, token in enumerate(tokens)]
            self._dots.append(Dots(view, words, self.used))

    def fill(self) -> None:
        """Parse the sentence."""
        for end in range(1, self.n + 1):
            column = Column()
            column.at(end - 1)  # a word may pass through
            for dots in self._dots:
                dots.open(column, end)
            while column.starts:
                start, ended = column.pop()
                self._finish(start, end, ended)
        first, count = [block[0] for block in self._blocks], [block[1] for block in self._blocks]
        sizes = [cell.end - cell.lexical for cell in self.cells]
        cell = np.repeat(np.arange(len(sizes)), sizes).tolist()
        *application, self.n_applications = accumulate(count, initial=0)
        self.cubes = Cubes(first, count, join_tails(self._tails), cell, application)

    def _finish(self, start: int, end: int, ended: Ended) -> None:
        """Build the cell over a span and let its items move on."""
        if end == start + 1 and 0 < start < self.n - 1:
            ended.lexical += self._pass_through(start, bool(ended.lexical))
        items: dict[int, int] = {}
        lexical = len(self._blocks)
        derived = lexical + len(ended.lexical)
        self._add(ended.lexical, [()] * len(ended.lexical), items)
        if ended.derived:
            self._add(ended.derived, ended.tails, items)
        if items:
            unary = len(self._blocks)
            self._change_labels(start, end, items)
            span = (self._bounds[start], self._bounds[end])
            self.cells.append(Cell(span, lexical, derived, unary, len(self._blocks), items))
            for dots in self._dots:
                dots.extend(start, items)
            if end - start == self.n:
                self.top = items

    def _add(self, blocks: Sequence[Block], tails: Sequence[Tails | TailColumn], items: dict[int, int]) -> None:
        """Cubes enter the cell that is being built."""
        self._blocks += blocks
        self._tails += tails
        for label in dict.fromkeys(chain.from_iterable([heads for _, _, heads in blocks])):
            if label not in items:
                items[label] = self.n_items
                self.n_items += 1

    def _pass_through(self, position: int, has_rule: bool) -> list[Block]:
        """The word itself as its own translation, or what a constraint wants."""
        if position in self._fixed:
            return [self._own(KEPT, position, label) for label in dict.fromkeys(self._fixed[position])]
        if has_rule and self._only_unknown:
            return []
        return [self._own(PASSED, position, label) for label in self._passed]

    def _own(self, rule: int, position: int, label: int) -> Block:
        """A rule that no grammar holds."""
        self.own.append((self.used.n_rules, position, label))
        return self.used.add(-1, rule, 1, (label,))

    def _change_labels(self, start: int, end: int, items: dict[int, int]) -> None:
        """Apply unary rules; each label is complete before a rule uses it, so a cycle is cut where it would close."""
        views = [view for view in self._unary_views if view.allows(start, end)]
        if not views:
            return
        order: list[int] = []
        seen: set[int] = set()

        def visit(label: int) -> None:
            seen.add(label)
            for view in views:
                for _, head in view.unary.get(label, ()):
                    if head not in seen:
                        visit(head)
            order.append(label)

        for label in list(items):
            if label not in seen:
                visit(label)
        order.reverse()
        rank = {label: position for position, label in enumerate(order)}
        for label in order:
            for view in views:
                for rule, head in view.unary.get(label, ()):
                    if rank[head] > rank[label]:
                        self._add([self._unary_block(view.number, rule, head)], [(items[label],)], items)

    def _unary_block(self, grammar: int, rule: int, head: int) -> Block:
        found = self._unary.get((grammar, rule))
        if found is None:
            found = self._unary[grammar, rule] = self.used.add(grammar, rule, 1, (head,))
        return found
