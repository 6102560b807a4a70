"""The parser: from a sentence to a forest, before weights and language models play a part."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain

import numpy as np

from sbmt.arrays import ranges
from sbmt.decoder.feature_checks import application_entries, rule_column
from sbmt.decoder.features import FeatureFunction, RuleFeature, RuleTable
from sbmt.decoder.forest import NO_ITEM, Forest, Lexical
from sbmt.decoder.hypothesis import Constraint, check_constraints
from sbmt.decoder.parsing.chart import Chart
from sbmt.decoder.parsing.grammar_view import GrammarView
from sbmt.decoder.parsing.unary import UnaryRules
from sbmt.decoder.settings import Settings
from sbmt.features.sentence.application import PASS_THROUGH_OWNER
from sbmt.lm.symbols import BEGIN, END, MARKS, Symbol
from sbmt.ppdb.columns import Entries
from sbmt.ppdb.grammar import Grammar

_MAX_SHOWN = 8  # words of a sentence in a warning
_ESCAPE = "\1"  # before a source word that is spelt like a sentence mark
_log = logging.getLogger(__name__)


class Parser:
    """Everything of a decoder that does not depend on weights."""

    def __init__(
        self, grammars: Sequence[Grammar], settings: Settings, feature_functions: Sequence[FeatureFunction]
    ) -> None:
        self._settings = settings
        self._rule_features = [function for function in feature_functions if isinstance(function, RuleFeature)]
        self._stateless = [function for function in feature_functions if not isinstance(function, RuleFeature)]
        labels: dict[str, int] = {}
        self._goal = labels.setdefault(settings.goal, len(labels))
        self._default = labels.setdefault(settings.default_label, len(labels))
        self._suffix = "_OOV" if settings.mark_oovs else ""
        passed = dict.fromkeys(settings.pass_labels or (settings.default_label,))
        self._passed = [labels.setdefault(label, len(labels)) for label in passed]
        self._views = [GrammarView(grammar, number, labels) for number, grammar in enumerate(grammars)]
        self._owners = (*(grammar.owner for grammar in grammars), PASS_THROUGH_OWNER)  # its number, -1, is the last
        self._labels, self._numbers = list(labels), labels
        self._unary = UnaryRules(self._views, self._passed)
        self._warn_of_cycle()
        self.feature_names = list(dict.fromkeys(name for grammar in grammars for name in grammar.feature_names))
        number = {name: index for index, name in enumerate(self.feature_names)}
        self._columns = [np.array([number[name] for name in g.feature_names], np.int64) for g in grammars]

    def _warn_of_cycle(self) -> None:
        """Warn if unary rules form a cycle."""
        back = self._unary.back_edge
        if back is not None:
            rule = f"[{self._labels[back.head]}] -> [{self._labels[back.label]},1]"
            owner = self._owners[back.view.number]
            _log.warning("unary rules form a cycle, which is cut where one leads back, as %s (%s) may", rule, owner)

    def with_feature(self, function: FeatureFunction) -> Parser:
        """Return this parser with one more feature."""
        parser = copy(self)
        if isinstance(function, RuleFeature):
            parser._rule_features = [*self._rule_features, function]
        else:
            parser._stateless = [*self._stateless, function]
        return parser

    def unfilled(self) -> list[str]:
        """Return the labels of gaps that no rule and no word passed through fills. (A constraint may.)"""
        heads = {self._default, *self._passed}.union(*(view.head_labels() for view in self._views))
        return sorted({self._labels[label] for view in self._views for label in view.unfilled(heads)})

    def instead_of_goal(self) -> list[str] | None:
        """Return the heads of rules (of glue, if there is any) if none is the goal; None if one is."""
        heads = [view.head_labels() for view in self._views]
        if self._goal in {self._default, *self._passed}.union(*heads):
            return None
        glue = [labels for labels, view in zip(heads, self._views, strict=True) if view.grammar.span_limit < 0]
        return sorted(self._labels[label] for label in set().union(*(glue or heads)))

    def misplaced(self) -> list[str]:
        """Return the owners of grammars with glue's span limit that neither use the begin mark nor make the goal."""
        glue = [view for view in self._views if view.grammar.span_limit < 0 and view.grammar.terminal(BEGIN) < 0]
        grammars = (view.grammar for view in glue if self._goal not in view.head_labels())
        return [grammar.owner for grammar in grammars if len(grammar.columns.rule_lhs)]

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """Return the forest of a sentence; raises SbmtError for constraints that overlap or lie outside it."""
        limit = self._settings.max_words
        constraints = check_constraints(constraints, len(words))
        if limit is not None and len(words) > limit:
            message = "a sentence of %d words is cut to %d (max_words; in a Joshua configuration maxlen): %s ..."
            _log.warning(message, len(words), limit, " ".join(words[:_MAX_SHOWN]))
            words = words[:limit]
            constraints = [replace(c, j=min(c.j, limit)) for c in constraints if c.i < limit]
        tokens, bounds, kept = _tokens(words, constraints)
        fixed = {place: (self._default, self._numbers.get(c.label, self._default)) for place, c in kept.items()}
        chart = Chart(tokens, bounds, fixed, self._views, self._unary, self._passed, self._settings.pass_only_unknown)
        chart.fill()
        rules, entries = self._rule_table(chart, tokens, kept)
        forest = Forest(
            sentence=tuple(words),
            cells=chart.cells,
            cubes=chart.cubes,
            rules=rules,
            lexical=_lexical(chart, rules.head),
            n_items=chart.n_items,
            n_applications=chart.n_applications,
            goal=chart.top.get(self._goal, NO_ITEM),
            goal_label=self._goal,
            feature_names=tuple(self.feature_names),
            rule_entries=entries,
            application_entries=_no_entries(),
            owners=self._owners,
            shown=self._shown([*words, *chain.from_iterable(c.target or () for c in constraints)]),
        )
        self._add_features(forest)
        return forest

    def _shown(self, words: Sequence[str]) -> dict[str, str]:
        """Return the original spelling of escaped words."""
        marks = [mark for mark in MARKS if mark in words]
        return {escape(mark) + suffix: mark + suffix for mark in marks for suffix in ("", self._suffix)}

    def _rule_table(
        self, chart: Chart, tokens: Sequence[str], kept: Mapping[int, Constraint]
    ) -> tuple[RuleTable, Entries]:
        """Return the rules that the chart uses, and their feature values in the grammars."""
        used, n_rules = chart.used.blocks, chart.used.n_rules
        grammar, rule_id = np.repeat(used[:, 0], used[:, 2]), ranges(used[:, 1], used[:, 2])
        heads, arities = np.full(n_rules, self._default), np.zeros(n_rules, np.int64)
        targets: list[tuple[Symbol, ...]] = [()] * n_rules
        parts: list[Entries] = []
        for view, columns in zip(self._views, self._columns, strict=True):
            rows = np.flatnonzero(grammar == view.number)
            if len(rows):
                ids = rule_id[rows]
                heads[rows] = view.heads(ids)
                arities[rows] = view.arities(ids)
                for index, target in zip(rows.tolist(), view.targets(ids), strict=True):
                    targets[index] = target
                position, feature, value = view.grammar.columns.features.entries(ids)
                parts.append((rows[position], columns[feature], value))
        for index, place, label in chart.own_rules:
            heads[index] = label
            targets[index] = _output(kept[place]) if place in kept else (tokens[place] + self._suffix,)
        labels = {label: self._labels[label] for label in set(heads.tolist())}
        words = np.fromiter(map(len, targets), np.int64, n_rules) - arities
        table = RuleTable(grammar.tolist(), rule_id.tolist(), heads.tolist(), arities.tolist(), targets, words, labels)
        return table, _join(parts)

    def _add_features(self, forest: Forest) -> None:
        """Add the values of the feature functions to the forest."""
        number = {name: index for index, name in enumerate(forest.feature_names)}
        rule_parts, application_parts = [forest.rule_entries], []
        for function in self._rule_features:
            name, values = rule_column(function, forest.rules, self._owners)
            rows = np.flatnonzero(values)
            feature = number.setdefault(name, len(number))
            rule_parts.append((rows, np.full(len(rows), feature), values[rows]))
        for stateless in self._stateless:
            application_parts.append(application_entries(stateless, forest.sentence, forest.applications, number))
        forest.rule_entries, forest.application_entries = _join(rule_parts), _join(application_parts)
        forest.feature_names = tuple(number)


def _lexical(chart: Chart, heads: Sequence[int]) -> Lexical:
    """Return the applications without gaps; `heads` by rule."""
    cells, cubes = chart.cells, chart.cubes
    numbers = [number for cell in cells for number in range(cell.lexical, cell.derived)]
    first, count, start, place = (
        np.array([column[number] for number in numbers], np.int64)
        for column in (cubes.first, cubes.count, cubes.application, cubes.cell)
    )
    rule, application, item = ranges(first, count), ranges(start, count), np.repeat(place, count)
    if chart.n_items > len(cells):  # otherwise each cell has one item of the same number
        places = zip(item.tolist(), rule.tolist(), strict=True)
        item = np.array([cells[cell].items[heads[number]] for cell, number in places])
    return Lexical(rule.astype(np.int32), application.astype(np.int32), item.astype(np.int32))


def _no_entries() -> Entries:
    return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)


def _join(parts: Sequence[Entries]) -> Entries:
    """Return the entries concatenated."""
    if not parts:
        return _no_entries()
    rows, features, values = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return rows, features, values


def _tokens(
    words: Sequence[str], constraints: Sequence[Constraint]
) -> tuple[list[str], list[int], dict[int, Constraint]]:
    """Return tokens with sentence marks; a constraint's span is one token.

    Also returns the word that follows each boundary between tokens, and {position: constraint with its target}.
    """
    tokens, bounds = [BEGIN], [0]
    kept: dict[int, Constraint] = {}
    starts = {constraint.i: constraint for constraint in constraints}
    position = 0
    while position < len(words):
        bounds.append(position)
        constraint = starts.get(position)
        if constraint is not None:
            span = tuple(words[position : constraint.j])
            kept[len(tokens)] = constraint if constraint.target is not None else replace(constraint, target=span)
            tokens.append(" ".join(span))
            position = constraint.j
        else:
            tokens.append(escape(words[position]))
            position += 1
    return [*tokens, END], [*bounds, len(words), len(words)], kept


def _output(constraint: Constraint) -> tuple[str, ...]:
    return tuple(map(escape, constraint.target or ()))


def escape(word: str) -> str:
    """Return the word, escaped if it looks like a sentence mark, so that it does not act like one."""
    return _ESCAPE + word if word in MARKS else word
