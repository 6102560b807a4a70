"""Paraphrases from a bilingual grammar by pivoting (Bannard & Callison-Burch 2005; Ganitkevitch et al. 2013).

Two targets e1, e2 of the same foreign side f, with the same label and the same nonterminals, are paraphrases:
p(e2 | e1) = sum over f of p(e2 | f) p(f | e1). The gap indices of the foreign side show which gap of e1 is which gap of
e2. Pivoting through one f with many targets gives mostly noise, hence `top_targets`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import permutations

from sbmt.errors import FormatError
from sbmt.ppdb.learn.settings import PivotSettings
from sbmt.ppdb.rule import NONTERMINAL, SEPARATOR, Rule, Side, Sides, is_gap

# Features of paraphrases: e2 given e1, e1 given e2. A bilingual grammar may have those of _LABELLED, too.
_PLAIN = ("p(e|f)", "p(f|e)")
_LABELLED = ("p(e|f,LHS)", "p(f|e,LHS)")
_Key = tuple[str, Side, Side]  # label, e1 as source, e2 as target


@dataclass(slots=True)
class _Sums:
    """Sums over the foreign sides of one paraphrase.

    `probability`: p(e2 | e1); `labelled`: the same given the label, 0 if the grammar has no such features; `pivots`:
    number of foreign sides; `best`: the largest summand of `probability`, with its `alignment`.
    """

    probability: float = 0.0
    labelled: float = 0.0
    pivots: int = 0
    best: float = 0.0
    alignment: tuple[tuple[int, int], ...] = ()


def pivot(rules: Iterable[Rule], settings: PivotSettings, name: str = "the grammar") -> Iterator[Rule]:
    """Yield paraphrase rules, sorted by source side. All rules and all paraphrases are held in memory.

    An empty target is a paraphrase of others, but has none, since no rule has an empty source side.

    `name`: of the grammar, for errors. Raises FormatError if a rule lacks one of the two features.
    """
    sums: dict[_Key, _Sums] = {}
    for (lhs, _), targets in _by_source(_checked(rules, settings, name)).items():
        best = sorted(targets, key=lambda rule: (-_probability(rule, settings.forward), rule.target))
        for first, second in permutations(best[: settings.top_targets or None], 2):
            if first.target != second.target:
                _add_pivot(sums, lhs, first, second, settings)
    yield from _paraphrases(sums, settings)


def _checked(rules: Iterable[Rule], settings: PivotSettings, name: str) -> Iterator[Rule]:
    """Yield the rules; raises FormatError for one without the two features."""
    for rule in rules:
        for feature in (settings.forward, settings.backward):
            if feature not in rule.features:
                problem = f"the rule {SEPARATOR.join(map(' '.join, rule.sides))} has no feature {feature!r}"
                cure = "--forward and --backward name those that hold ln p(target|source) and ln p(source|target)"
                raise FormatError(name, None, problem, f"{cure}; it has: {', '.join(rule.features) or 'none'}")
        yield rule


def _by_source(rules: Iterable[Rule]) -> Mapping[tuple[str, Side], list[Rule]]:
    groups: dict[tuple[str, Side], list[Rule]] = defaultdict(list)
    for rule in rules:
        groups[rule.lhs, rule.source].append(rule)
    return groups


def _probability(rule: Rule, name: str) -> float:
    return math.exp(-abs(rule.features[name]))


def _add_pivot(sums: dict[_Key, _Sums], lhs: str, first: Rule, second: Rule, settings: PivotSettings) -> None:
    """Add p(e2 | f) p(f | e1) of one f to the paraphrase e1 -> e2."""
    source, target = _renumber(first.target, second.target)
    if source == target:
        return
    total = sums.setdefault((lhs, source, target), _Sums())
    weight = _probability(second, settings.forward) * _probability(first, settings.backward)
    total.probability += weight
    forward, backward = _LABELLED
    if forward in second.features and backward in first.features:
        total.labelled += _probability(second, forward) * _probability(first, backward)
    total.pivots += 1
    if weight > total.best:
        total.best, total.alignment = weight, _alignment(first, second, source, target)


def _renumber(source: Side, target: Side) -> Sides:
    """Return both sides with gaps numbered in the order of the source side."""
    new: dict[str, str] = {}
    for symbol in source:
        match = NONTERMINAL.fullmatch(symbol)
        if match:
            new[symbol] = f"[{match['label']},{len(new) + 1}]"
    return tuple(new.get(symbol, symbol) for symbol in source), tuple(new.get(symbol, symbol) for symbol in target)


def _alignment(first: Rule, second: Rule, source: Side, target: Side) -> tuple[tuple[int, int], ...]:
    """Align words linked to a common foreign word, or, in a grammar without alignments, equal words in order."""
    if first.alignment and second.alignment:
        links = {(i, j) for f, i in first.alignment for g, j in second.alignment if f == g}
    else:
        blocks = SequenceMatcher(None, source, target, autojunk=False).get_matching_blocks()
        links = {(block.a + k, block.b + k) for block in blocks for k in range(block.size)}
    gaps = {(i, target.index(symbol)) for i, symbol in enumerate(source) if is_gap(symbol)}
    words = {(i, j) for i, j in links if not is_gap(source[i]) and not is_gap(target[j])}
    return tuple(sorted(words | gaps))


def _paraphrases(sums: dict[_Key, _Sums], settings: PivotSettings) -> Iterator[Rule]:
    by_source: dict[tuple[Side, str], list[tuple[float, Side]]] = defaultdict(list)
    for (lhs, source, target), total in sums.items():
        if source and total.probability >= settings.min_probability:
            by_source[source, lhs].append((-total.probability, target))
    for (source, lhs), targets in sorted(by_source.items()):
        for _, target in sorted(targets)[: settings.top or None]:
            total, inverse = sums[lhs, source, target], sums[(lhs, *_renumber(target, source))]
            features = _costs(_PLAIN, total.probability, inverse.probability)
            features |= _costs(_LABELLED, total.labelled, inverse.labelled)
            features["LogCount"] = round(math.log(total.pivots), 5)
            yield Rule(lhs, source, target, features, total.alignment)


def _costs(names: tuple[str, str], forward: float, backward: float) -> dict[str, float]:
    """Return the features with these two names, if neither probability is 0."""
    if not (forward > 0 and backward > 0):
        return {}
    return dict(zip(names, (_to_cost(forward), _to_cost(backward)), strict=True))


def _to_cost(probability: float) -> float:
    """Return -ln p, at least 0: sums over the foreign sides of a filtered grammar may be slightly above 1."""
    return round(max(0.0, -math.log(probability)), 5)
