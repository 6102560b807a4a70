"""From the applications of a derivation to its steps: rules with their spans on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypothesis import Step
from sbmt.features.sentence.application import KEPT, Application
from sbmt.lm.symbols import MARKS
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule, is_gap


def steps(numbers: Sequence[int], forest: Forest, weights: dict[str, float], grammars: Sequence[Grammar]) -> list[Step]:
    """Return the steps of a derivation, given its application numbers in prefix order (`kbest.lazy.Derivation`)."""
    scores = forest.scores(weights, np.array(numbers))
    forest_applications = forest.applications
    applications = [forest_applications[number] for number in numbers]
    children, lengths = _tree(applications)
    begins = [0] * len(numbers)
    rule_steps = []
    for index, application in enumerate(applications):
        rule = _rule(application, forest, grammars)
        targets: list[int | None] = []
        position = begins[index]
        for symbol in application.target:
            if isinstance(symbol, int):
                begins[children[index][symbol]] = position
                targets.append(None)
                position += lengths[children[index][symbol]]
            else:
                targets.append(None if symbol in MARKS else position)
                position += symbol not in MARKS
        sources = _source_positions(rule, application, [applications[c].span for c in children[index]])
        rule_steps.append(
            Step(
                rule,
                application.owner,
                application.span,
                (begins[index], position),
                scores[index],
                tuple(_alignment(rule, sources, targets)),
                numbers[index],
            )
        )
    return rule_steps


def _tree(applications: Sequence[Application]) -> tuple[list[list[int]], list[int]]:
    """Return the children of each step, by gap, and how many output words each covers."""
    children: list[list[int]] = [[] for _ in applications]
    lengths = [0] * len(applications)
    roots: list[int] = []
    for index in reversed(range(len(applications))):
        application = applications[index]
        below = children[index] = [roots.pop() for _ in range(application.arity)]
        lengths[index] = sum(
            lengths[below[symbol]] if isinstance(symbol, int) else symbol not in MARKS for symbol in application.target
        )
        roots.append(index)
    return children, lengths


def _rule(application: Application, forest: Forest, grammars: Sequence[Grammar]) -> Rule:
    if application.grammar >= 0:
        return grammars[application.grammar].rule(application.rule_id)
    begin, end = application.span
    target = tuple(forest.shown.get(str(word), str(word)) for word in application.target)
    alignment = () if application.rule_id == KEPT else ((0, 0),)
    return Rule(application.label, forest.sentence[begin:end], target, {}, alignment)


def _source_positions(rule: Rule, application: Application, gaps: Sequence[tuple[int, int]]) -> Sequence[int | None]:
    """Return the position of each source word of a rule in the sentence; None for gaps and sentence marks."""
    start, end = application.span
    if application.grammar < 0:  # the sentence's own words, whatever they look like
        return range(start, end)
    positions: list[int | None] = []
    ends = iter(gaps)
    for symbol in rule.source:
        if is_gap(symbol):
            positions.append(None)
            start = next(ends)[1]
        else:
            positions.append(None if symbol in MARKS else start)
            start += symbol not in MARKS
    return positions


def _alignment(rule: Rule, sources: Sequence[int | None], targets: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    for source, target in rule.alignment:
        if source < len(sources) and target < len(targets):
            i, j = sources[source], targets[target]
            if i is not None and j is not None:
                yield i, j
