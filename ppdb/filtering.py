"""Filtering rules: by text, value, kind, label or substance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby

from sbmt.errors import unknown_name
from sbmt.lm.symbols import BEGIN, END
from sbmt.ppdb.rule import Rule, is_gap
from sbmt.ppdb.windows import WINDOW, Windows
from sbmt.text.whitespace import split_words

Predicate = Callable[[Rule], bool]
KINDS = ("lexical", "phrasal", "syntactic")
OPENING, CLOSING = ("-lrb-", "-lsb-", "``"), ("-rrb-", "-rsb-", "''")
SHORT_WORDS = frozenset(
    "a an the of to in on at by for with from as is are was were be been being has had have do does did will would can "
    "could and or but who which not it its his her their he she they".split()
)


def kind(rule: Rule) -> str:
    """Return PPDB's kind of a rule: lexical (one word to one word), phrasal (no gaps), syntactic (gaps)."""
    if any(map(is_gap, rule.source)):
        return "syntactic"
    return "lexical" if len(rule.source) == len(rule.target) == 1 else "phrasal"


def in_text(lines: Iterable[str]) -> Predicate:
    """Return a test for rules whose source side can match the text: some sentence has each run of words between gaps.

    This is the condition of Joshua's fast filter, which is never too strict: it may keep a rule with gaps that cannot
    apply, and of a run longer than WINDOW it looks up all windows of that length. Sentences are between their marks, as
    in the decoder, and are used both as they are and in lower case, since grammars may have either.
    """
    windows = Windows(
        (BEGIN, *split_words(text), END) for line in lines for text in dict.fromkeys((line, line.lower()))
    )

    def in_windows(run: Sequence[str]) -> bool:
        return all(run[k : k + WINDOW] in windows for k in range(max(1, len(run) - WINDOW + 1)))

    def usable(rule: Rule) -> bool:
        return all(in_windows(tuple(run)) for gap, run in groupby(rule.source, is_gap) if not gap)

    return usable


def by_value(least: Mapping[str, float], most: Mapping[str, float]) -> Predicate:
    """Return a test for rules whose features lie within bounds; a missing feature counts as 0."""

    def within(rule: Rule) -> bool:
        get = rule.features.get
        return all(get(name, 0.0) >= bound for name, bound in least.items()) and all(
            get(name, 0.0) <= bound for name, bound in most.items()
        )

    return within


def by_kind(kinds: Collection[str]) -> Predicate:
    """Return a test for rules of these kinds; raises SbmtError for an unknown one."""
    if unknown := set(kinds) - set(KINDS):
        raise unknown_name("kind", min(unknown), KINDS)
    return lambda rule: kind(rule) in kinds


def by_label(labels: Collection[str]) -> Predicate:
    """Return a test for rules with one of these left-hand sides."""
    return lambda rule: rule.lhs in labels


def substantial(rule: Rule) -> bool:
    """Whether a rule does more than drop or add short words and punctuation, and keeps brackets and quotes in pairs.

    Rules learnt from few sentences often do no more: an article or a comma that one reference lacks.
    """
    changed = dropped_or_added(rule)
    return balanced(rule) and (not changed or any(map(_is_long_word, changed)))


def balanced(rule: Rule) -> bool:
    """Whether both sides open and close brackets and quotes alike; dropping one alone breaks the sentence."""
    left, right = ([sum(word in marks for word in side) for marks in (OPENING, CLOSING)] for side in rule.sides)
    return left[0] - left[1] == right[0] - right[1]


def dropped_or_added(rule: Rule) -> Counter[str] | None:
    """Return the words that a rule drops or adds; None if it does anything else."""
    source, target = rule.sides
    if not (_within(target, source) or _within(source, target)):
        return None
    return (Counter(source) - Counter(target)) + (Counter(target) - Counter(source))


def _within(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether `words` is a subsequence of `others`."""
    rest = iter(others)
    return all(word in rest for word in words)


def _is_long_word(word: str) -> bool:
    word = word.lower()
    return any(map(str.isalnum, word)) and word not in SHORT_WORDS and word not in OPENING and word not in CLOSING
