"""Verbs of several words that stand side by side where an object should be between them ("send in it")."""

from __future__ import annotations

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.label_context import NOUN_PHRASE, Context, PlaceCheck, is_content_word
from sbmt.features.sentence.label_words import BEGIN_OBJECTS
from sbmt.text.words.english import PARTICLES

_PRONOUNS = frozenset("him it me them us".split())  # "her" and "you" may belong to what follows
_SEPARABLE = PARTICLES | {"in"}
# How verbs begin that have no object before these particles ("live in it"), or clauses after them ("find out it is").
_NOT_PARTED = ("figur", "find", "found", "liv", "point", "step")


def _parts_again(application: Application, context: Context) -> bool:
    """A verb with *again*, before an object that should be between the two ("open the shop again")."""
    end = application.span[1]
    if application.target[-1] != "again" or context.word(end - 1) == "again":
        return False
    word, labels = context.word(end), context.labels(end)
    return word in BEGIN_OBJECTS or (is_content_word(word) and not labels.isdisjoint(NOUN_PHRASE))


def _parts_danger(application: Application, context: Context) -> bool:
    """A verb with *in danger*, before an object that should be between the two ("put pedestrians in danger")."""
    end = application.span[1]
    if application.target[-2:] != ("in", "danger") or context.word(end - 1) == "danger":
        return False
    return context.word(end) in BEGIN_OBJECTS or is_content_word(context.word(end))


def _parts_pronoun(application: Application, context: Context) -> bool:
    """A verb and its particle before a pronoun that should be between the two ("send it in")."""
    start, end = application.span
    target = [str(word) for word in application.target]
    if end - start > 1 or len(target) != 2 or context.word(end) not in _PRONOUNS:
        return False
    return target[1] in _SEPARABLE and not target[0].startswith(_NOT_PARTED)


PARTING_CHECKS: tuple[PlaceCheck, ...] = (_parts_again, _parts_danger, _parts_pronoun)
