"""From tokens to cells and cubes: bottom-up chart parsing over the grammars' source-side tries.

CYK+ (Chappelier & Rajman 1998), column by column: `Dots` says which source sides end in the column, and from where.
Within a column spans are finished from the shortest to the longest, so that a finished item extends the dots that end
where it starts. Only dots that exist cost time: on grammars of phrases the work is linear in the sentence's length.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from sbmt.arrays import Int32s
from sbmt.decoder.forest import Cell, Cubes
from sbmt.decoder.parsing.column import Block, Bundle, Column, Completed, UsedRules
from sbmt.decoder.parsing.dot_arrays import DotArrays
from sbmt.decoder.parsing.dots import Dots
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.decoder.parsing.span_limits import SpanLimits
from sbmt.decoder.parsing.unary import UnaryRules
from sbmt.decoder.tails import TailColumn, Tails
from sbmt.features.sentence.application import KEPT, PASSED


class Chart:
    """Fills `cells` and `cubes` for one sentence; `tokens` has the sentence marks at both ends.

    `bounds[b]` is the word of the sentence that follows boundary b between tokens. `fixed` holds the positions that
    stand for a constraint, with their labels: no rule's word may match them. `unary` are the unary rules of all
    `views`. Words pass through under `pass_labels`. `used` are the rules, in the order in which they enter the
    sentence's rule table; `own_rules` those that no grammar has: (number in the table, position, label).
    """

    def __init__(
        self,
        tokens: Sequence[str],
        bounds: Sequence[int],
        fixed: Mapping[int, Sequence[int]],
        views: Sequence[GrammarView],
        unary: UnaryRules,
        pass_labels: Sequence[int],
        pass_only_unknown: bool,
    ) -> None:
        self.n, self._bounds = len(tokens), bounds
        self.cells: list[Cell] = []
        self.cubes = Cubes(array("i"), array("i"), [], array("i"), array("i"))
        self.n_items = self.n_applications = 0
        self.top: dict[int, int] = {}  # {label: item} over the whole sentence
        self.used = UsedRules()
        self.own_rules: list[tuple[int, int, int]] = []
        self._fixed, self._passed, self._only_unknown = fixed, pass_labels, pass_only_unknown
        self._blocks: list[Block] = []  # by cube
        self._tails: list[Tails] = []
        self._bundles: list[tuple[int, Bundle]] = []  # with the number of its first cube
        self._n_cubes = 0
        self._unary = unary
        self._unary_blocks: dict[tuple[int, int], Block] = {}  # by grammar and rule
        self._dots: list[Dots | DotArrays] = []
        make = DotArrays if any(view.many_labels for view in views) else Dots
        # Words before each boundary, including the sentence marks, which `bounds` do not count.
        places = [0, *(bound + 1 for bound in bounds[1:-1]), bounds[-1] + 2]
        for view in views:
            words = [-1 if i in fixed else view.grammar.terminal(token) for i, token in enumerate(tokens)]
            self._dots.append(make(view, SpanLimits(view.grammar.span_limit, places), words, self.used))

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
        self.cubes = self._columns()

    def _columns(self) -> Cubes:
        """Return the cubes of all cells by column."""
        first = np.array([block[0] for block in self._blocks], np.int32)
        count = np.array([block[1] for block in self._blocks], np.int32)
        tails: list[Tails] | TailColumn = self._tails
        if self._bundles:
            first, count, tails = self._with_bundles(first, count)
        self.n_applications = int(count.sum())
        sizes = [cell.end - cell.lexical for cell in self.cells]
        cell = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        application = np.cumsum(count, dtype=np.int32) - count
        return Cubes(_column(first), _column(count), tails, _column(cell), _column(application))

    def _with_bundles(self, first: Int32s, count: Int32s) -> tuple[Int32s, Int32s, TailColumn]:
        """Return first rules, rule counts and tails of all cubes, with those of bundles at their places."""
        blocks = {dots: dots.enter_rules() for dots in dict.fromkeys(bundle.dots for _, bundle in self._bundles)}
        width = max([*(bundle.tails.shape[1] for _, bundle in self._bundles), *map(len, self._tails)])
        is_single = np.ones(self._n_cubes, np.bool_)
        firsts, counts = np.zeros((2, self._n_cubes), np.int32)
        tails = np.full((self._n_cubes, width), -1, np.int32)
        for begin, bundle in self._bundles:
            rows = slice(begin, begin + len(bundle.node))
            is_single[rows] = False
            first_by_node, count_by_node = blocks[bundle.dots]
            firsts[rows], counts[rows] = first_by_node[bundle.node], count_by_node[bundle.node]
            tails[rows, : bundle.tails.shape[1]] = bundle.tails
        firsts[is_single], counts[is_single] = first, count
        for row, items in zip(is_single.nonzero()[0].tolist(), self._tails, strict=True):
            tails[row, : len(items)] = items
        return firsts, counts, TailColumn(tails)

    def _finish(self, start: int, end: int, ended: Completed) -> None:
        """Build the cell over a span and move dots over its items."""
        if end == start + 1 and 0 < start < self.n - 1:
            ended.lexical += self._pass_through(start, bool(ended.lexical or ended.lexical_bundles))
        items: dict[int, int] = {}
        lexical = self._n_cubes
        self._add(ended.lexical, [()] * len(ended.lexical), items)
        if ended.lexical_bundles:
            self._add_bundles(ended.lexical_bundles, items)
        derived = self._n_cubes
        self._add(ended.derived, ended.tails, items)
        if ended.derived_bundles:
            self._add_bundles(ended.derived_bundles, items)
        if items:
            unary = self._n_cubes
            self._apply_unary(start, end, items)
            span = (self._bounds[start], self._bounds[end])
            self.cells.append(Cell(span, lexical, derived, unary, self._n_cubes, items))
            for dots in self._dots:
                dots.extend(start, items)
            if end - start == self.n:
                self.top = items

    def _add(self, blocks: Sequence[Block], tails: Sequence[Tails], items: dict[int, int]) -> None:
        """Add cubes to the cell that is being built."""
        if blocks:
            self._blocks += blocks
            self._tails += tails
            self._n_cubes += len(blocks)
            self._number(dict.fromkeys(chain.from_iterable([heads for _, _, heads in blocks])), items)

    def _add_bundles(self, bundles: list[Bundle], items: dict[int, int]) -> None:
        """Add very many cubes to the cell that is being built."""
        for bundle in Bundle.merged(bundles):
            self._bundles.append((self._n_cubes, bundle))
            self._n_cubes += len(bundle.node)
            self._number(bundle.dots.heads(bundle.node), items)

    def _number(self, labels: Iterable[int], items: dict[int, int]) -> None:
        """Number the items of those labels (all different) that are new."""
        new_labels = [label for label in labels if label not in items]
        items.update(zip(new_labels, range(self.n_items, self.n_items + len(new_labels)), strict=True))
        self.n_items += len(new_labels)

    def _pass_through(self, position: int, has_rule: bool) -> list[Block]:
        """Return the rules that translate a word as itself, or as a constraint says."""
        if position in self._fixed:
            return [self._add_own_rule(KEPT, position, label) for label in dict.fromkeys(self._fixed[position])]
        if has_rule and self._only_unknown:
            return []
        return [self._add_own_rule(PASSED, position, label) for label in self._passed]

    def _add_own_rule(self, rule: int, position: int, label: int) -> Block:
        """Add a rule that no grammar has."""
        self.own_rules.append((self.used.n_rules, position, label))
        return self.used.add(-1, rule, 1, (label,))

    def _apply_unary(self, start: int, end: int, items: dict[int, int]) -> None:
        """Apply the unary rules whose gaps the items fill, and those that follow from them."""
        rules = self._unary.of(items, lambda view: self._dots[view.number].span_limits.allows(start, end))
        for view, rule, label, head in rules:
            self._add([self._unary_block(view.number, rule, head)], [(items[label],)], items)

    def _unary_block(self, grammar: int, rule: int, head: int) -> Block:
        block = self._unary_blocks.get((grammar, rule))
        if block is None:
            block = self._unary_blocks[grammar, rule] = self.used.add(grammar, rule, 1, (head,))
        return block


def _column(numbers: Int32s) -> array[int]:
    """Return the numbers as an array that is fast to read one by one."""
    column = array("i")
    column.frombytes(numbers.data.cast("B"))
    return column
