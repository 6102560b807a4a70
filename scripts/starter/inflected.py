"""Rules for every form of words that inflect: verbs, nouns, adjectives, adverbs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from sbmt.errors import FormatError
from sbmt.ppdb.rule import Rule
from sbmt.text.words.english import PARTICLES
from sbmt.text.words.frequency import zipf
from starter.inflect import inflect
from starter.lists import Entry, Phrase
from starter.rules import entry_features, make_rule, with_articles

_PRONOUNS = ("it", "them", "him", "me", "us")  # "her" and "you" may belong to what follows
_AFTER_PRONOUNS = PARTICLES | {"again"}
_SEPARABLE = (  # verbs whose particle may be a preposition beside others ("live in it")
    "breathe in, bring about, bring in, hand in, pass on, put in, put on, send in, take in, take over, turn on"
).split(", ")
_MIN_COMPARATIVE = 3.3  # Zipf frequency of comparatives that people say ("better", not "realer")
_MAX_COMPARATIVE = 2.0  # and of those that a head must not have: after a "large", "more" may tell a number
_WITHOUT_OBJECT = frozenset("come fall figure find go lie point work".split())  # "find out" takes clauses


def inflected_rules(entry: Entry, pos: str, tags: Sequence[str]) -> Iterator[Rule]:
    """One rule for each target and each form of `tags` that both sides have; raises FormatError for an unknown word."""
    heads = _forms(entry, entry.head, pos)
    for rank, target in enumerate(entry.targets):
        targets = _forms(entry, target, pos)
        for tag in (tag for tag in tags if tag in heads and tag in targets):
            for source, simpler in pair_forms(heads[tag], targets[tag]):
                yield from with_articles(tag, source, simpler, entry_features(entry, rank))
                if pos == "VERB" and _takes_pronoun(target):
                    yield from _with_pronouns(tag, source, simpler, entry_features(entry, rank))
        if pos == "ADJ":
            yield from _with_degrees(heads, targets, entry_features(entry, rank))


def _with_degrees(
    heads: dict[str, tuple[str, ...]], targets: dict[str, tuple[str, ...]], features: dict[str, float]
) -> Iterator[Rule]:
    """What a head compares with *more* becomes the target's own comparative: "more harmful" becomes "worse"."""
    comparative = targets.get("JJR", ("",))[0]
    if zipf(comparative) < _MIN_COMPARATIVE or any(zipf(form) >= _MAX_COMPARATIVE for form in heads.get("JJR", ())):
        return
    for tag, degree in (("JJR", "more"), ("JJS", "most")):
        if targets[tag][0] != degree:  # "more considerable" is not "more"
            yield make_rule(tag, f"{degree} {heads['JJ'][0]}", targets[tag][0], features)


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
            yield make_rule(tag, f"{source} {pronoun}", f"{verb} {pronoun} {particle}", features)


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


def _forms(entry: Entry, phrase: Phrase, pos: str) -> dict[str, tuple[str, ...]]:
    forms = inflect(phrase, pos)
    if not forms:
        raise FormatError(
            entry.path, entry.line, f"the dictionary cannot inflect {str(phrase)!r} as {pos}", "respell it"
        )
    return forms
