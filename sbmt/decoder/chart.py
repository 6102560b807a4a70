"""From tokens to cells and cubes: bottom-up chart parsing over the grammars' source-side tries.

CYK+ (Chappelier & Rajman 1998), column by column: a *dot* is a trie node reached over words and finished items from
`start` to the column's end. Within a column spans are finished from the shortest to the longest, so that a finished
item extends the dots that end where it starts. Only dots that exist cost time: on grammars of phrases the work is
linear in the sentence's length.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

from sbmt.decoder.features import KEPT, PASSED
from sbmt.decoder.forest import Cell, Cubes
from sbmt.decoder.view import GrammarView, Node

# A trie node reached from a start, and the items in its gaps.
Dot = tuple[Node, int, tuple[int, ...]]


class Chart:
    """Fills `cells` and `cubes` for one sentence; `tokens` has the sentence marks at both ends.

    `bounds[b]` is the word of the sentence that boundary b between tokens stands before. `fixed` are the positions that
    stand for a constraint, with their labels: no rule's word may match them. `blocks` are the trie nodes whose rules
    were used, in the order in which they enter the sentence's rule table, and `arities` how many gaps they have.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        bounds: Sequence[int],
        fixed: Mapping[int, Sequence[int]],
        views: Sequence[GrammarView],
        default_label: int,
        pass_only_unknown: bool,
    ) -> None:
        self.n, self._bounds = len(tokens), bounds
        self.cells: list[Cell] = []
        self.cubes = Cubes([], [], [], [], [])
        self.blocks: list[Node] = []
        self.arities: list[int] = []
        self.n_items = self.n_applications = self.n_rules = 0
        self.top: dict[int, int] = {}  # {label: item} over the whole sentence
        self._views, self._fixed, self._tokens = views, fixed, tokens
        self._default, self._only_unknown = default_label, pass_only_unknown
        self._words = [[-1 if i in fixed else view.terminal(t) for i, t in enumerate(tokens)] for view in views]
        self._first_rule: dict[Node, int] = {}
        self._for_words: list[Dot] = []
        # By end: dots that wait for items, by grammar and start.
        self._for_items: list[dict[tuple[int, int], list[Dot]]] = [{} for _ in range(self.n + 1)]
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
        for view in self._views:
            self._step((view.root, start, ()), end)
        for dot in waiting:
            self._step(dot, end)

    def _step(self, dot: Dot, end: int) -> None:
        """Move a dot over the word before `end`, if the trie has it there."""
        node, start, tails = dot
        view = node.view
        word = self._words[view.number][end - 1]
        if word >= 0 and view.allows(start, end) and (child := node.child(word)) is not None:
            self._reach(start, [(child, start, tails)])

    def _reach(self, start: int, reached: list[Dot]) -> None:
        """Dots arrive in the column."""
        dots = self._column.get(start)
        if dots is None:
            self._column[start] = reached
            heapq.heappush(self._starts, -start)
        else:
            dots += reached

    def _finish(self, start: int, end: int, dots: list[Dot]) -> None:
        """Build the cell over a span and let its items move on."""
        items: dict[int, int] = {}
        lexical = len(self.cubes.first)
        for node, _, tails in dots:
            if node.count and not tails:
                self._add(node, tails, items)
        if end == start + 1 and 0 < start < self.n - 1:
            self._pass_through(start, len(self.cubes.first) > lexical, items)
        derived = len(self.cubes.first)
        for dot in dots:
            node, _, tails = dot
            if node.count and tails:
                self._add(node, tails, items)
            if node.edges:
                self._waiting(node.view, start, end).append(dot)
            if node.has_words:
                self._for_words.append(dot)
        if items:
            unary = len(self.cubes.first)
            self._change_labels(start, end, items)
            span = (self._bounds[start], self._bounds[end])
            self.cells.append(Cell(span, lexical, derived, unary, len(self.cubes.first), items))
            self._move_on(start, end, items)
            if end - start == self.n:
                self.top = items

    def _add(self, node: Node, tails: tuple[int, ...], items: dict[int, int]) -> None:
        """A cube enters the cell that is being built."""
        first = self._first_rule.get(node)
        if first is None:
            first = self._first_rule[node] = self.n_rules
            self.blocks.append(node)
            self.arities.append(len(tails))
            self.n_rules += node.count
        cubes = self.cubes
        cubes.first.append(first)
        cubes.count.append(node.count)
        cubes.tails.append(tails)
        cubes.cell.append(len(self.cells))
        cubes.application.append(self.n_applications)
        self.n_applications += node.count
        for label in node.heads:
            if label not in items:
                items[label] = self.n_items
                self.n_items += 1

    def _pass_through(self, position: int, has_rule: bool, items: dict[int, int]) -> None:
        """The word itself as its own translation, or what a constraint wants."""
        if position in self._fixed:
            for label in dict.fromkeys(self._fixed[position]):
                self._add(Node.single(KEPT, position, label), (), items)
        elif not (has_rule and self._only_unknown):
            self._add(Node.single(PASSED, position, self._default), (), items)

    def _change_labels(self, start: int, end: int, items: dict[int, int]) -> None:
        """Apply unary rules; each label is complete before a rule uses it, so a cycle is cut where it would close."""
        views = [view for view in self._views if view.unary and view.allows(start, end)]
        if not views:
            return
        order: list[int] = []
        seen: set[int] = set()

        def visit(label: int) -> None:
            seen.add(label)
            for view in views:
                for node in view.unary.get(label, ()):
                    if node.heads[0] not in seen:
                        visit(node.heads[0])
            order.append(label)

        for label in list(items):
            if label not in seen:
                visit(label)
        order.reverse()
        rank = {label: position for position, label in enumerate(order)}
        for label in order:
            for view in views:
                for node in view.unary.get(label, ()):
                    if rank[node.heads[0]] > rank[label]:
                        self._add(node, (items[label],), items)

    def _move_on(self, start: int, end: int, items: dict[int, int]) -> None:
        """Extend the dots that end at `start` by the finished items, and begin new dots with them."""
        for view in self._views:
            edges = view.root.edges
            if view.allows(start, end):
                waiting = self._waiting(view, start, end)
                for label in edges.keys() & items.keys():
                    child = view.node(edges[label])
                    dot = (child, start, (items[label],))
                    if child.edges:
                        waiting.append(dot)
                    if child.has_words:
                        self._for_words.append(dot)
        for (number, begin), dots in self._for_items[start].items():
            view = self._views[number]
            if view.allows(begin, end):
                node_of, reached = view.node, []
                for node, _, tails in dots:
                    edges = node.edges
                    if len(edges) == 1:
                        reached += [
                            (node_of(child), begin, (*tails, items[label]))
                            for label, child in edges.items()
                            if label in items
                        ]
                    else:
                        reached += [
                            (node_of(edges[label]), begin, (*tails, items[label]))
                            for label in edges.keys() & items.keys()
                        ]
                if reached:
                    self._reach(begin, reached)

    def _waiting(self, view: GrammarView, start: int, end: int) -> list[Dot]:
        """The dots of a grammar over a span that wait for items."""
        return self._for_items[end].setdefault((view.number, start), [])
