"""Where a participle can stand, and no past tense: after an auxiliary that is not right before it."""

from __future__ import annotations

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.label_context import Context
from sbmt.features.sentence.label_words import (
    AFTER_PARTICIPLES,
    BEFORE_PARTICIPLES,
    FORMS_OF_HAVE,
    NEED_OBJECTS,
    SUBJECTS,
)
from sbmt.text.words.english import MODALS

# What a question begins with, or a clause that has its auxiliary before its subject ("nor has the council").
_BEGIN_QUESTIONS = frozenset("how neither nor only so then what when where which who whom whose why".split())
# Words that no subject holds.
_ENDS_SUBJECT = MODALS | frozenset(
    "and because but how if or since than that to what when where which while who whom whose why".split()
)
_SUBJECT_WINDOW = 4  # words of a subject between its auxiliary and the verb
_INSERTION_WINDOW = 4  # words between commas
_OPENING = {",": ",", "-rrb-": "-lrb-"}  # what closes an insertion -> what opens it
_BARE = {(word,) for word in NEED_OBJECTS}
_PHRASES = frozenset(  # two words that part an auxiliary from its participle without commas
    ("at last", "at times", "for centuries", "for decades", "for long", "for years", "in fact", "in part", "in turn")
)
# Auxiliaries of participles that may stand before their subject.
_BEFORE_SUBJECT = BEFORE_PARTICIPLES - frozenset("be been being having".split())


def _is_asked(application: Application, context: Context) -> bool:
    """After an auxiliary and its subject ("has the council shown", "have you ever given", "had we hidden it")."""
    last = context.place_before_adverbs(application.span[0])
    for place in range(last, max(last - 1 - _SUBJECT_WINDOW, -1), -1):
        word = context.word(place)
        if word in _BEFORE_SUBJECT:
            before = context.word(place - 1)
            begins = before in _BEGIN_QUESTIONS and not context.word(place - 2)[:1].isalnum()
            return begins or not before[:1].isalnum()
        if word in SUBJECTS and context.before_adverbs(place) not in BEFORE_PARTICIPLES:
            return False  # "is this the book you chose"
        if word in _ENDS_SUBJECT or not word[:1].isalnum():
            return False
    return False


def _is_parted(application: Application, context: Context) -> bool:
    """After an auxiliary and an insertion ("has, however, shown", "has (in part) shown", "has for years shown")."""
    start = application.span[0]
    opening = _OPENING.get(context.word(start - 1))
    if opening is not None:
        places = range(start - 2, max(start - 3 - _INSERTION_WINDOW, 0), -1)
        opens = next((place for place in places if context.word(place) == opening), None)
        return opens is not None and context.before_adverbs(opens) in BEFORE_PARTICIPLES
    phrase = f"{context.word(start - 2)} {context.word(start - 1)}"
    return phrase in _PHRASES and context.word(start - 3) in FORMS_OF_HAVE


def _is_joined(application: Application, context: Context) -> bool:
    """After a participle and *and* ("have built and then torn down", "was used and later given to us")."""
    start = application.span[0]
    place = context.place_before_adverbs(start)
    if context.word(place) not in ("and", "or"):
        return False
    if "VBN" not in context.labels(place - 1) and not context.word(place - 1).endswith("ed"):
        return False
    auxiliary = context.before_adverbs(place - 1)
    if auxiliary in FORMS_OF_HAVE:
        return True
    lacks_object = application.target in _BARE and context.word(start + 1) in AFTER_PARTICIPLES
    return auxiliary in BEFORE_PARTICIPLES and lacks_object  # not "was elected and gave speeches"


def follows_auxiliary(application: Application, context: Context) -> bool:
    """Whether a form of *be* or *have* that is not right before a verb belongs to it."""
    return any(check(application, context) for check in (_is_asked, _is_parted, _is_joined))
