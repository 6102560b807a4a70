"""From the hand-written lists to paraphrase rules: every inflection, with Penn tags as labels and word alignments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.ppdb.formats import check_gaps
from sbmt.ppdb.rule import Rule, is_gap
from sbmt.text.comments import read_entries
from sbmt.text.realisation.articles import article_for
from sbmt.text.words.english import FORMS_OF_BE, NEVER_AFTER_A, NEVER_BEFORE_NOUNS, PARTICLES
from sbmt.text.words.frequency import zipf
from sbmt.text.words.inflection import TAGS
from starter.inflect import inflect
from starter.lists import Entry, Phrase, read_list
from starter.spelling import british

INFLECTED_LISTS = {"verbs": "VERB", "noun_like_verbs": "VERB", "nouns": "NOUN", "adjectives": "ADJ", "adverbs": "ADV"}
ONLY = {"noun_like_verbs": ("VBD", "VBN")}  # of the other forms the words are more often nouns
PLAIN_LISTS = {"participles": "VBN", "function_words": "X", "phrases": "X"}
MODIFIER_LIST = "modifiers"  # adjectives that change before a noun only
ADVERBIAL_LIST = "adverbials"  # adverbs that become phrases, and so come at the end of a clause
SYNTACTIC_LIST = "syntactic"
_AFTER_ARTICLE = frozenset(("NN", "JJ", "VBG", "RB", "NP"))  # participles before a noun do not change
_AFTER_CLAUSES = (  # what may come after the end of a clause, or between it and one more phrase
    ". , ; : ? ! and but or in on at by for with from into through after before during since until while when as"
).split()
_BEFORE_PARTICIPLES = [form for form in FORMS_OF_BE if form != "am"]  # people hardly say such things of themselves
_SHORT_BE = {"is": "'s", "are": "'re"}
_BEGINS_WITH_BE = re.compile(r"(?P<subject>(?:(?:he|it|she|that|there|they|we|you) )?)(?P<be>is|are)(?= )")
_NEVER_AFTER_POSSESSED = frozenset("at by for from in of on that to with".split())  # what no noun phrase ends in
_PRONOUNS = ("it", "them", "him", "me", "us")  # "her" and "you" may belong to what follows
_AFTER_PRONOUNS = PARTICLES | {"again"}
_SEPARABLE = (  # verbs whose particle may be a preposition beside others ("live in it")
    "breathe in, bring about, bring in, hand in, pass on, put in, put on, send in, take in, take over, turn on"
).split(", ")
_MIN_COMPARATIVE = 3.3  # Zipf frequency of comparatives that people say ("better", not "realer")
_MAX_COMPARATIVE = 2.0  # and of those that a head must not have: after a "large", "more" may tell a number
_WITHOUT_OBJECT = frozenset("come fall figure find go lie point work".split())  # "find out" takes clauses


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


def inflected_rules(entry: Entry, pos: str, tags: Sequence[str]) -> Iterator[Rule]:
    """One rule for each target and each form of `tags` that both sides have; raises FormatError for an unknown word."""
    heads = _forms(entry, entry.head, pos)
    for rank, target in enumerate(entry.targets):
        targets = _forms(entry, target, pos)
        for tag in (tag for tag in tags if tag in heads and tag in targets):
            for source, simpler in pair_forms(heads[tag], targets[tag]):
                yield from _with_articles(tag, source, simpler, _features(entry, rank))
                if pos == "VERB" and _takes_pronoun(target):
                    yield from _with_pronouns(tag, source, simpler, _features(entry, rank))
        if pos == "ADJ":
            yield from _with_degrees(heads, targets, _features(entry, rank))


def _with_degrees(
    heads: dict[str, tuple[str, ...]], targets: dict[str, tuple[str, ...]], features: dict[str, float]
) -> Iterator[Rule]:
    """What a head compares with *more* becomes the target's own comparative: "more harmful" becomes "worse"."""
    comparative = targets.get("JJR", ("",))[0]
    if zipf(comparative) < _MIN_COMPARATIVE or any(zipf(form) >= _MAX_COMPARATIVE for form in heads.get("JJR", ())):
        return
    for tag, degree in (("JJR", "more"), ("JJS", "most")):
        if targets[tag][0] != degree:  # "more considerable" is not "more"
            yield _rule(tag, f"{degree} {heads['JJ'][0]}", targets[tag][0], features)


def _takes_pronoun(target: Phrase) -> bool:
    """Whether a verb and its particle have a pronoun between them: "set it up", "send it in", but not "live it in"."""
    verb, *rest = target.words
    if len(rest) != 1 or verb in _WITHOUT_OBJECT:
        return False
    return rest[0] in _AFTER_PRONOUNS or str(target) in _SEPARABLE


def _with_pronouns(tag: str, source: str, target: str, features: dict[str, float]) -> Iterator[Rule]:
    """A pronoun that was the verb's object precedes a particle and *again*: "configure it" becomes "set it up"."""
    verb, _, particle = target.rpartition(" ")
    if " " not in source:
        for pronoun in _PRONOUNS:
            yield _rule(tag, f"{source} {pronoun}", f"{verb} {pronoun} {particle}", features)


def pair_forms(heads: tuple[str, ...], targets: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Which form becomes which.

    Person by person ("was", "were") if both sides differ in it, else each head's variant becomes the preferred target,
    or either person of it.
    """
    if _differs_in_person(heads) and _differs_in_person(targets):
        yield from zip(heads, targets, strict=True)
    elif _differs_in_person(targets):
        yield from product(heads, targets)
    else:
        yield from product(heads, targets[:1])


def _differs_in_person(forms: tuple[str, ...]) -> bool:
    return len(forms) > 1 and not {"was", "am"}.isdisjoint(forms[0].split())


def plain_rules(entry: Entry, label: str) -> Iterator[Rule]:
    """Rules for each target of an entry that does not inflect."""
    label = entry.label or label
    for rank, target in enumerate(entry.targets):
        source, simpler, features = str(entry.head), str(target), _features(entry, rank)
        yield from _with_articles(label, source, simpler, features)
        yield from (_rule(label, *sides, features) for sides in _contracted(source, simpler))


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
        features = _features(entry, rank)
        yield from _with_articles("NP", f"{entry.head} [NN,1]", f"{target} [NN,1]", features)
        yield _rule("NP", f"{entry.head} [NNS,1]", f"{target} [NNS,1]", features)


def adverbial_rules(entry: Entry) -> Iterator[Rule]:
    """Rules of an entry before what may follow a phrase, and from before a participle, which is a gap, to after it."""
    for rank, target in enumerate(entry.targets):
        features = _features(entry, rank)
        for follower in _AFTER_CLAUSES:
            yield _rule("X", f"{entry.head} {follower}", f"{target} {follower}", features)
        for be in _BEFORE_PARTICIPLES:
            yield _rule("VP", f"{be} {entry.head} [VBN,1]", f"{be} [VBN,1] {target}", features)


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


def align(source: tuple[str, ...], target: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Align equal symbols in their order, and every other target word with every other source word."""
    points: list[tuple[int, int]] = []
    free = list(range(len(source)))
    for j, symbol in enumerate(target):
        same = next((i for i in free if source[i] == symbol), None)
        if same is not None:
            points.append((same, j))
            free.remove(same)
    aligned = {j for _, j in points}
    words = [i for i in free if not is_gap(source[i])] or [i for i, symbol in enumerate(source) if not is_gap(symbol)]
    points.extend((i, j) for j in range(len(target)) if j not in aligned for i in words)
    return tuple(sorted(points))


def _forms(entry: Entry, phrase: Phrase, pos: str) -> dict[str, tuple[str, ...]]:
    forms = inflect(phrase, pos)
    if not forms:
        raise FormatError(
            entry.path, entry.line, f"the dictionary cannot inflect {str(phrase)!r} as {pos}", "respell it"
        )
    return forms


def _features(entry: Entry, rank: int) -> dict[str, float]:
    features = {"StarterSafe" if entry.safe else "StarterMostly": 1.0}
    if rank:
        features["StarterRank"] = float(rank)
    return features


def _with_articles(tag: str, source: str, target: str, features: dict[str, float]) -> Iterator[Rule]:
    """The rule, and if the article before it changes with it, the rule that changes both."""
    yield _rule(tag, source, target, features)
    if tag in _AFTER_ARTICLE and article_for(source) != article_for(target) and _follows_article(tag, target):
        yield _rule(
            "NP" if tag == "NP" else "X", f"{article_for(source)} {source}", f"{article_for(target)} {target}", features
        )


def _follows_article(tag: str, target: str) -> bool:
    """Whether the target can stand between an article and what follows there: a noun after an -ing form."""
    first, *rest = target.split()
    last = [first, *rest][-1]
    if tag == "NN":
        return last not in NEVER_AFTER_A
    if tag == "VBG":
        return last not in NEVER_BEFORE_NOUNS and (not rest or first.endswith("ly") or first in ("well", "badly"))
    return tag != "RB" or not rest  # an increasingly large, a more and more large


def _rule(label: str, source: str, target: str, features: dict[str, float]) -> Rule:
    symbols = tuple(source.split()), tuple(target.split())
    return Rule(label, *symbols, features, align(*symbols))
