"""From the hand-written lists to paraphrase rules: every inflection, with Penn tags as labels and word alignments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.symbols import check_gaps
from sbmt.text.comments import read_entries
from sbmt.text.words.english import FORMS_OF_BE
from sbmt.text.words.inflection import TAGS
from starter.inflected import inflected_rules
from starter.lists import Entry, read_list
from starter.rules import align, entry_features, make_rule, with_articles
from starter.spelling import british

INFLECTED_LISTS = {"verbs": "VERB", "noun_like_verbs": "VERB", "nouns": "NOUN", "adjectives": "ADJ", "adverbs": "ADV"}
ONLY = {"noun_like_verbs": ("VBD", "VBN")}  # of the other forms the words are more often nouns
PLAIN_LISTS = {"participles": "VBN", "function_words": "X", "phrases": "X"}
MODIFIER_LIST = "modifiers"  # adjectives that change before a noun only
ADVERBIAL_LIST = "adverbials"  # adverbs that become phrases, and so come at the end of a clause
SYNTACTIC_LIST = "syntactic"
_AFTER_CLAUSES = (  # what may come after the end of a clause, or between it and one more phrase
    ". , ; : ? ! and but or in on at by for with from into through after before during since until while when as"
).split()
_BEFORE_PARTICIPLES = [form for form in FORMS_OF_BE if form != "am"]  # people hardly say such things of themselves
_SHORT_BE = {"is": "'s", "are": "'re"}
_BEGINS_WITH_BE = re.compile(r"(?P<subject>(?:(?:he|it|she|that|there|they|we|you) )?)(?P<be>is|are)(?= )")
_NEVER_AFTER_POSSESSED = frozenset("at by for from in of on that to with".split())  # what no noun phrase ends in


def expand_lists(folder: Path) -> list[Rule]:
    """All rules of the lists in a folder, in the order of the lists; of equal rules the first stays.

    Raises FormatError naming list and line.
    """
    rules: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Rule] = {}
    for rule in _all_rules(folder):
        if rule.source != rule.target:
            rules.setdefault((rule.lhs, rule.source, rule.target), rule)
    return [*rules.values(), *_spelling_rules(rules.values())]


def _spelling_rules(rules: Collection[Rule]) -> Iterator[Rule]:
    """The rules again, all in British spelling, for source sides that the lists have in American spelling only."""
    listed = {(rule.lhs, rule.source) for rule in rules}
    for rule in rules:
        source, target = (tuple(british(symbol) for symbol in side) for side in (rule.source, rule.target))
        if (rule.lhs, source) not in listed and source != target:
            yield replace(rule, source=source, target=target)


def _all_rules(folder: Path) -> Iterator[Rule]:
    for name, pos in INFLECTED_LISTS.items():
        for entry in read_list(folder / f"{name}.txt"):
            yield from inflected_rules(entry, pos, ONLY.get(name, TAGS[pos]))
    for name, label in PLAIN_LISTS.items():
        for entry in read_list(folder / f"{name}.txt"):
            yield from plain_rules(entry, label)
    for entry in read_list(folder / f"{MODIFIER_LIST}.txt"):
        yield from modifier_rules(entry)
    for entry in read_list(folder / f"{ADVERBIAL_LIST}.txt"):
        yield from adverbial_rules(entry)
    yield from read_syntactic(folder / f"{SYNTACTIC_LIST}.txt")


def plain_rules(entry: Entry, label: str) -> Iterator[Rule]:
    """Rules for each target of an entry that does not inflect."""
    label = entry.label or label
    for rank, target in enumerate(entry.targets):
        source, simpler, features = str(entry.head), str(target), entry_features(entry, rank)
        yield from with_articles(label, source, simpler, features)
        yield from (make_rule(label, *sides, features) for sides in _contracted(source, simpler))


def _contracted(source: str, target: str) -> Iterator[tuple[str, str]]:
    """The sides with "'s" and "'re", if "'s" cannot be a possessive: after a pronoun, or before no noun phrase."""
    begin = _BEGINS_WITH_BE.match(source)
    if begin and (begin["subject"] or begin["be"] == "are" or source.split()[-1] in _NEVER_AFTER_POSSESSED):
        yield _contract(source), _contract(target)


def _contract(side: str) -> str:
    return _BEGINS_WITH_BE.sub(lambda begin: begin["subject"] + _SHORT_BE[begin["be"]], side)


def modifier_rules(entry: Entry) -> Iterator[Rule]:
    """Rules of an entry before a noun, which is a gap."""
    for rank, target in enumerate(entry.targets):
        features = entry_features(entry, rank)
        yield from with_articles("NP", f"{entry.head} [NN,1]", f"{target} [NN,1]", features)
        yield make_rule("NP", f"{entry.head} [NNS,1]", f"{target} [NNS,1]", features)


def adverbial_rules(entry: Entry) -> Iterator[Rule]:
    """Rules of an entry before what may follow a phrase, and from before a participle, which is a gap, to after it."""
    for rank, target in enumerate(entry.targets):
        features = entry_features(entry, rank)
        for follower in _AFTER_CLAUSES:
            yield make_rule("X", f"{entry.head} {follower}", f"{target} {follower}", features)
        for be in _BEFORE_PARTICIPLES:
            yield make_rule("VP", f"{be} {entry.head} [VBN,1]", f"{be} [VBN,1] {target}", features)


def read_syntactic(path: Path) -> Iterator[Rule]:
    """Read `[LHS] ||| source with [NN,1] ||| target with [NN,1]`; raises FormatError."""
    for number, text in read_entries(path):
        fields = [field.strip() for field in text.split("|||")]
        if len(fields) != 3 or not fields[0].startswith("[") or not fields[0].endswith("]"):
            raise FormatError(str(path), number, f"is not a rule: {text!r}", "write: [LHS] ||| source ||| target")
        source, target = tuple(fields[1].split()), tuple(fields[2].split())
        try:
            check_gaps(source, target)
        except ValueError as error:
            raise FormatError(str(path), number, str(error)) from None
        yield Rule(fields[0][1:-1], source, target, {"StarterSyntactic": 1.0}, align(source, target))
