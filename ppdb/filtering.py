"""Cutting a grammar to what is needed: rules that a text can use, and rules by score, kind or label."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby

from sbmt.errors import SbmtError
from sbmt.ppdb.rule import Rule, is_gap
from sbmt.text.whitespace import split_words

Predicate = Callable[[Rule], bool]
WINDOW = 5
KINDS = ("lexical", "phrasal", "syntactic")


def kind(rule: Rule) -> str:
    """PPDB's kinds: lexical (one word to one word), phrasal (no gaps), syntactic (gaps)."""
    if any(map(is_gap, rule.source)):
        return "syntactic"
    return "lexical" if len(rule.source) == len(rule.target) == 1 else "phrasal"


def in_text(lines: Iterable[str]) -> Predicate:
    """Rules whose source side the text can match: each run of words between gaps is in some sentence.

    The same condition as Joshua's fast filter: never too strict. With gaps it may keep a rule that cannot apply, and
    of a run longer than WINDOW it looks at all windows of that length. Lines count as they are and in lower case, for
    grammars of either kind. Keeps the text's different windows in memory, some 100 bytes each.
    """
    windows: set[int] = set()  # hashes; two that collide keep a rule too many
    for line in lines:
        for words in {tuple(split_words(line)), tuple(split_words(line.lower()))}:
            for n in range(1, WINDOW + 1):
                windows.update(map(hash, zip(*(words[k:] for k in range(n)), strict=False)))

    def found(run: Sequence[str]) -> bool:
        return all(hash(tuple(run[k : k + WINDOW])) in windows for k in range(max(1, len(run) - WINDOW + 1)))

    def usable(rule: Rule) -> bool:
        return all(found(tuple(run)) for gap, run in groupby(rule.source, is_gap) if not gap)

    return usable


def by_value(least: Mapping[str, float], most: Mapping[str, float]) -> Predicate:
    """Rules whose features lie within bounds; a feature that a rule does not have counts as 0."""

    def within(rule: Rule) -> bool:
        get = rule.features.get
        return all(get(name, 0.0) >= bound for name, bound in least.items()) and all(
            get(name, 0.0) <= bound for name, bound in most.items()
        )

    return within


def by_kind(kinds: Collection[str]) -> Predicate:
    """Rules of the kinds named; raises SbmtError for an unknown one."""
    unknown = set(kinds) - set(KINDS)
    if unknown:
        raise SbmtError(f"unknown kind {min(unknown)!r} (known: {', '.join(KINDS)})")
    return lambda rule: kind(rule) in kinds


def by_label(labels: Collection[str]) -> Predicate:
    """Rules with one of the left-hand sides named."""
    return lambda rule: rule.lhs in labels
