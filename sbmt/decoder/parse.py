"""Sentence in, forest out: what can be known before weights and language models."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from sbmt.decoder.chart import Chart
from sbmt.decoder.features import KEPT, Application, StatelessFeature, Symbol
from sbmt.decoder.forest import NO_ITEM, Forest
from sbmt.decoder.hypothesis import Constraint, check_constraints
from sbmt.decoder.settings import Settings
from sbmt.decoder.view import GrammarView
from sbmt.lm.model import BEGIN, END
from sbmt.ppdb.columns import Ints
from sbmt.ppdb.grammar import Grammar

PASS_THROUGH_OWNER = "oov"
_ESCAPE = "\1"  # before a source word that is spelt like a sentence mark
_log = logging.getLogger(__name__)


class Parser:
    """Everything of a decoder that does not depend on weights."""

    def __init__(
        self, grammars: Sequence[Grammar], settings: Settings, feature_functions: Sequence[StatelessFeature]
    ) -> None:
        self._settings, self._feature_functions = settings, feature_functions
        labels: dict[str, int] = {}
        self._goal = labels.setdefault(settings.goal, len(labels))
        self._default = labels.setdefault(settings.default_label, len(labels))
        self._views = [GrammarView(grammar, labels) for grammar in grammars]
        self._owners = [grammar.owner for grammar in grammars]
        self._labels, self._numbers = list(labels), labels
        self.feature_names = list(dict.fromkeys(name for grammar in grammars for name in grammar.feature_names))
        number = {name: index for index, name in enumerate(self.feature_names)}
        self._columns = [np.array([number[name] for name in g.feature_names], np.int64) for g in grammars]

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """The forest of one sentence. Raises SbmtError for constraints that overlap or lie outside the sentence."""
        limit = self._settings.max_words
        if limit is not None and len(words) > limit:
            _log.warning("a sentence of %d words is cut to %d (max_words)", len(words), limit)
            words = words[:limit]
        tokens, bounds, kept, tags = _tokens(words, check_constraints(constraints, len(words)))
        fixed = {position: {self._default, self._numbers.get(tag, self._default)} for position, tag in tags.items()}
        chart = Chart(tokens, fixed, self._views, self._default, self._settings.pass_only_unknown)
        chart.fill()
        applications, entries = self._applications(chart, tokens, bounds, kept)
        names, extra = self._stateless(words, applications)
        return Forest(
            sentence=tuple(words),
            cells=chart.cells,
            heads=chart.head,
            applications=applications,
            n_items=len(chart.labels),
            goal=chart.top.get(self._goal, NO_ITEM),
            feature_names=names,
            entries=tuple(np.concatenate(pair) for pair in zip(entries, extra, strict=True)),  # type: ignore[arg-type]
            shown={token: token[len(_ESCAPE) :] for token in tokens if token.startswith(_ESCAPE)},
        )

    def _applications(
        self, chart: Chart, tokens: Sequence[str], bounds: Sequence[int], kept: dict[int, tuple[str, ...]]
    ) -> tuple[list[Application], tuple[Ints, Ints, Ints]]:
        """The chart's columns as applications, and the feature values that rules bring."""
        grammar, rule = np.array(chart.grammar, np.int64), np.array(chart.rule, np.int64)
        targets: list[tuple[Symbol, ...]] = [()] * len(rule)
        parts: list[tuple[Ints, Ints, Ints]] = []
        for number, view in enumerate(self._views):
            where = np.flatnonzero(grammar == number)
            if len(where):
                for index, target in zip(where.tolist(), view.targets(rule[where]), strict=True):
                    targets[index] = target
                position, feature, value = view.grammar.columns.features.entries(rule[where])
                parts.append((where[position], self._columns[number][feature], value))
        spans = [(bounds[start], bounds[end]) for start, end in chart.spans]
        arity = [0] * len(rule)
        for cell in chart.cells:
            for cube in (*cell.cubes, *cell.unary):
                arity[cube.first : cube.last] = [len(cube.tails)] * (cube.last - cube.first)
        suffix = "_OOV" if self._settings.mark_oovs else ""
        for index in np.flatnonzero(grammar < 0).tolist():
            position = chart.spans[chart.cell[index]][0]
            targets[index] = kept[position] if rule[index] == KEPT else (tokens[position] + suffix,)
        owners = [*self._owners, PASS_THROUGH_OWNER]  # number -1 is the last
        applications = list(
            map(
                Application,
                chart.grammar,
                chart.rule,
                [owners[number] for number in chart.grammar],
                [self._labels[chart.labels[item]] for item in chart.head],
                [spans[cell] for cell in chart.cell],
                targets,
                arity,
            )
        )
        empty = np.zeros(0, np.int64)
        joined = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [empty, empty, empty]
        return applications, (joined[0], joined[1], joined[2])

    def _stateless(
        self, words: Sequence[str], applications: list[Application]
    ) -> tuple[tuple[str, ...], tuple[Ints, Ints, Ints]]:
        """All feature names of the sentence, and the values of the stateless feature functions."""
        number = {name: index for index, name in enumerate(self.feature_names)}
        where: list[int] = []
        feature: list[int] = []
        values: list[float] = []
        for function in self._feature_functions:
            for index, name, value in function.values(words, applications):
                where.append(index)
                feature.append(number.setdefault(name, len(number)))
                values.append(value)
        return tuple(number), (np.array(where, np.int64), np.array(feature, np.int64), np.array(values, np.float64))


def _tokens(
    words: Sequence[str], constraints: Sequence[Constraint]
) -> tuple[list[str], list[int], dict[int, tuple[str, ...]], dict[int, str]]:
    """Tokens with sentence marks, a constraint's span being one token.

    Also the word that each boundary between tokens stands before, {position: target} and {position: label} of the
    constraints.
    """
    tokens, bounds = [BEGIN], [0]
    kept: dict[int, tuple[str, ...]] = {}
    tags: dict[int, str] = {}
    starts = {constraint.i: constraint for constraint in constraints}
    position = 0
    while position < len(words):
        bounds.append(position)
        constraint = starts.get(position)
        if constraint is not None:
            span = words[position : constraint.j]
            kept[len(tokens)] = tuple(map(_escape, span if constraint.target is None else constraint.target))
            tags[len(tokens)] = constraint.label
            tokens.append(" ".join(span))
            position = constraint.j
        else:
            tokens.append(_escape(words[position]))
            position += 1
    return [*tokens, END], [*bounds, len(words), len(words)], kept, tags


def _escape(word: str) -> str:
    """A word that looks like a sentence mark must not act like one."""
    return _ESCAPE + word if word in (BEGIN, END) else word
