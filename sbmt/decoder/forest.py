"""The parse forest of one sentence: every way the rules cover it, independent of language models and weights.

An *item* is (span, label). A *cube* is one source side at one place: rules `first .. first + count - 1` of the
sentence's rule table, which share their *tails*, the items in the gaps. One rule of one cube is an *application*;
applications are numbered through all cubes. Cells are in bottom-up order: the tails of a cell's
cubes are complete when the cell's turn comes.

A forest is plain data: it pickles, and stays valid for any weights.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np

from sbmt.arrays import Floats, Ints
from sbmt.decoder.features import RuleTable
from sbmt.decoder.tails import TailColumn, Tails
from sbmt.features.sentence.application import CONSTRAINT_OWNER, KEPT, Application
from sbmt.lm.symbols import Symbol
from sbmt.ppdb.columns import Entries

NO_ITEM = -1


class Cell(NamedTuple):
    """Everything built over one span, counted in words of the sentence.

    Cubes `lexical` .. `derived` - 1 have no tails, `derived` .. `unary` - 1 have tails, `unary` .. `end` - 1 are of
    unary rules, in an order in which each need be applied only once. `items` are the cell's items by label; their
    numbers are consecutive and in this order.
    """

    span: tuple[int, int]
    lexical: int
    derived: int
    unary: int
    end: int
    items: dict[int, int]

    @property
    def numbers(self) -> range:
        """The numbers of the items (at least one)."""
        first = next(iter(self.items.values()))
        return range(first, first + len(self.items))


@dataclass(slots=True)
class Cubes:
    """Columns by cube: first rule, number of rules, tails, cell, and the number of its first application."""

    first: array[int]
    count: array[int]
    tails: list[Tails] | TailColumn
    cell: array[int]
    application: array[int]


class Lexical(NamedTuple):
    """Columns by application without gaps: rule, number of the application, item."""

    rule: Ints
    application: Ints
    item: Ints


@dataclass(slots=True, eq=False, weakref_slot=True)
class Forest:
    """`sentence` is the source without marks; `goal` the item to reach, or NO_ITEM; `goal_label` its label's number.

    Feature values are sparse: `rule_entries` are (rule, index into `feature_names`, value), `application_entries`
    (application, index, value). `owners` names grammars by number. `shown` maps internal spellings of words to the real
    ones (a source word "<s>" must not look like the mark).
    """

    sentence: tuple[str, ...]
    cells: list[Cell]
    cubes: Cubes
    rules: RuleTable
    lexical: Lexical
    n_items: int
    n_applications: int
    goal: int
    goal_label: int
    feature_names: tuple[str, ...]
    rule_entries: Entries
    application_entries: Entries
    owners: tuple[str, ...]
    shown: dict[str, str]

    @property
    def applications(self) -> Applications:
        """All applications, created on access."""
        return Applications(self)

    def rule_scores(self, weights: dict[str, float]) -> Floats:
        """Return the weighted sum of each rule's own features."""
        return _sums(self.rule_entries, self._vector(weights), len(self.rules.rule_id))

    def application_scores(self, weights: dict[str, float]) -> list[float] | None:
        """Return the weighted sum of each application's own features; None if no application has any."""
        if not len(self.application_entries[0]):
            return None
        scores: list[float] = _sums(self.application_entries, self._vector(weights), self.n_applications).tolist()
        return scores

    def scores(self, weights: dict[str, float], applications: Ints | None = None) -> list[float]:
        """Return the weighted sums of the given applications, or of all, without stateful features."""
        numbers = np.arange(self.n_applications) if applications is None else applications
        rule_scores = self.rule_scores(weights)[self.rule_of(numbers)]
        extra = self.application_scores(weights)
        scores: list[float] = (rule_scores if extra is None else rule_scores + np.array(extra)[numbers]).tolist()
        return scores

    def values(self) -> list[dict[str, float]]:
        """Return the feature values of each application, by name."""
        rule_values: list[dict[str, float]] = [{} for _ in self.rules.rule_id]
        self._add_named(rule_values, self.rule_entries)
        values = [rule_values[rule].copy() for rule in self.rule_of(np.arange(self.n_applications)).tolist()]
        self._add_named(values, self.application_entries)
        return values

    def _add_named(self, values: list[dict[str, float]], entries: Entries) -> None:
        for row, feature, value in zip(*(column.tolist() for column in entries), strict=True):
            name = self.feature_names[feature]
            values[row][name] = values[row].get(name, 0.0) + value

    def rule_of(self, applications: Ints) -> Ints:
        """Return the rule (number in `rules`) of each application."""
        if len(applications) > self.n_applications:  # many occur more than once
            return self.rule_of(np.arange(self.n_applications))[applications]
        begin, first = np.asarray(self.cubes.application), np.asarray(self.cubes.first)  # views
        cube = begin.searchsorted(applications.astype(np.int32), "right") - 1  # of one type, or `begin` is copied
        rules: Ints = first[cube] + applications - begin[cube]
        return rules

    def target(self, application: int) -> tuple[Symbol, ...]:
        """Return the target side of an application."""
        cube = self.cube_of(application)
        return self.rules.target[self.cubes.first[cube] + application - self.cubes.application[cube]]

    def cube_of(self, application: int) -> int:
        """Return the cube that an application belongs to."""
        return bisect_right(self.cubes.application, application) - 1

    def _vector(self, weights: dict[str, float]) -> Floats:
        return np.array([weights.get(name, 0.0) for name in self.feature_names], np.float64)


class Applications(Sequence[Application]):
    """The applications of a forest as a sequence."""

    def __init__(self, forest: Forest) -> None:
        self._forest = forest

    def __len__(self) -> int:
        return self._forest.n_applications

    @overload
    def __getitem__(self, number: int) -> Application: ...
    @overload
    def __getitem__(self, number: slice) -> list[Application]: ...
    def __getitem__(self, number: int | slice) -> Application | list[Application]:
        if isinstance(number, slice):
            return [self[index] for index in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        cube = self._forest.cube_of(number)
        return self._make(cube, number - self._forest.cubes.application[cube])

    def __iter__(self) -> Iterator[Application]:
        for cube, count in enumerate(self._forest.cubes.count):
            for offset in range(count):
                yield self._make(cube, offset)

    def _make(self, cube: int, offset: int) -> Application:
        forest, rules = self._forest, self._forest.rules
        rule = forest.cubes.first[cube] + offset
        is_kept = rules.rule_id[rule] == KEPT
        return Application(
            rules.grammar[rule],
            rules.rule_id[rule],
            CONSTRAINT_OWNER if is_kept else forest.owners[rules.grammar[rule]],
            rules.labels[rules.head[rule]],
            forest.cells[forest.cubes.cell[cube]].span,
            rules.target[rule],
            rules.arity[rule],
            tuple([self._spans[item] for item in forest.cubes.tails[cube]]) if rules.arity[rule] else (),
        )

    @cached_property
    def _spans(self) -> dict[int, tuple[int, int]]:
        """The spans of items."""
        return {item: cell.span for cell in self._forest.cells for item in cell.items.values()}


def _sums(entries: Entries, weights: Floats, length: int) -> Floats:
    row, feature, value = entries
    return np.bincount(row, value * weights[feature], length).astype(np.float64)
