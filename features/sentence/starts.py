"""Where a line, an item of a list, a label, a table's cell or an element begins, and whether a noun does.

There a form of a verb may be an order ("Permit no visitors") or what something does ("Permits visitors"), but words
that are nouns as well are often just that: "Permits remain valid", "Permit type".
"""

from __future__ import annotations

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.label_context import NOUNS, Context, is_content_word
from sbmt.features.sentence.label_words import AFTER_PHRASES, BEGIN_OBJECTS
from sbmt.text.protection.elements import BLOCKS
from sbmt.text.words.english import MODALS

_BASE_FORMS = frozenset(("VB", "VBP"))
_PRESENT = frozenset(("VBP", "VBZ"))
_FINITE_LABELS = frozenset(("VB", "VBP", "VBD"))
_FINITE = MODALS | frozenset("am are cannot did do does had has have is was were".split())
_FINITE_PLURAL = _FINITE - frozenset("am is was has does".split())
_STARTERS = frozenset(":|•·▪◦‣")  # what a label, cell or item follows
_OPENS_QUOTATION = frozenset(("`", "``", "-lrb-", "$", "£", "€"))  # these may begin an object
_TAG_WINDOW = 12  # words between "<" and ">"
# Words that begin a clause of its own, whose verb belongs to another subject.
_BEGIN_CLAUSES = frozenset(
    "although as because but he how i if it she since so than that they though unless until we what when where which "
    "while who whom whose why you".split()
)
_BEFORE_INFINITIVES = MODALS | frozenset("to help helps let lets make makes not".split())
# Nouns that come before other nouns more often than they are orders to do something with these.
_BEGIN_COMPOUNDS = frozenset("elect forfeit glitter overflow permit pledge relapse resume smash swindle".split())


def is_noun_at_start(application: Application, context: Context) -> bool:
    """A verb for a word that is a noun, being the first of a line, item, label, cell or element."""
    start, end = application.span
    if end - start > 1 or not context.may_be_noun(start) or not _is_start(context, start):
        return False
    after = context.word(end)
    if _is_end(context, end) or not (after[:1].isalnum() or after in _OPENS_QUOTATION):
        return True
    if after in BEGIN_OBJECTS or after[:1].isdigit():
        return False
    plural = application.label == "VBZ"
    if _is_finite(context, end, plural) or _has_verb_later(context, end, plural):
        return True
    return _precedes_participle(context, end) if plural else _is_compound(context, start)


def precedes_finite_verb(application: Application, context: Context) -> bool:
    """The form of a verb for *it* right before a verb that has no noun or participle ("if permits remain valid")."""
    start, end = application.span
    labels = context.labels(end)
    return end - start == 1 and context.may_be_noun(start) and bool(labels) and labels <= _BASE_FORMS


def _is_start(context: Context, i: int) -> bool:
    """Whether nothing precedes a word, or marks, the number of an item, or the end of a label, cell or tag."""
    before = context.word(i - 1)
    if before in _STARTERS or (before == ">" and _is_block(context, range(i - 2, i - 2 - _TAG_WINDOW, -1))):
        return True
    return all(not word[:1].isalnum() or _is_number(context, place) for place, word in enumerate(context.words[:i]))


def _is_number(context: Context, i: int) -> bool:
    """Whether a word numbers an item: "1.", "(a)", "iv)"."""
    word, after = context.word(i), context.word(i + 1)
    return i < 2 and len(word) < 4 and (word.isdigit() or len(word) == 1) and after in (".", "-rrb-")


def _is_end(context: Context, i: int) -> bool:
    """Whether a text ends before the word at `i`."""
    word = context.word(i)
    return word in ("", "|") or (word == "<" and _is_block(context, range(i, i + 1)))


def _is_block(context: Context, places: range) -> bool:
    """Whether the first "<" at one of the places begins the tag of an element that begins another text."""
    opens = next((place for place in places if context.word(place) == "<"), None)
    if opens is None:
        return False
    return context.word(opens + 1 + (context.word(opens + 1) == "/")) in BLOCKS


def _is_finite(context: Context, i: int, plural: bool) -> bool:
    """Whether the word at `i`, or after the adverbs there, can only be the verb of a subject before it."""
    while context.is_adverb(i) or context.labels(i) == {"RB"}:
        i += 1
    word, labels = context.word(i), context.labels(i)
    if word in (_FINITE_PLURAL if plural else _FINITE):
        return True
    if labels and labels <= _FINITE_LABELS:
        return plural or "VBD" in labels
    after = context.word(i + 1)
    begins_object = after in BEGIN_OBJECTS or after[:1].isdigit() or context.is_adjective(i + 1)
    return begins_object and ("VBP" if plural else "VBZ") in labels


def _has_verb_later(context: Context, start: int, plural: bool) -> bool:
    """Whether a finite verb follows that has no subject but the word before `start`."""
    for place in range(start, len(context.words)):
        word, labels = context.word(place), context.labels(place)
        if not word[:1].isalnum() or word in _BEGIN_CLAUSES:
            return False
        if place > start and word in (_FINITE_PLURAL if plural else _FINITE):
            return True
        is_verb = bool(labels) and labels <= (_FINITE_LABELS if plural else {"VBZ", "VBD"})
        if is_verb and place > start and context.word(place - 1) not in _BEFORE_INFINITIVES:
            return True
    return False


def _precedes_participle(context: Context, i: int) -> bool:
    """Whether a participle is at `i`, without a noun that it could describe ("Permits granted before May")."""
    after = context.word(i + 1)
    return "VBN" in context.labels(i) and (after in AFTER_PHRASES or not after[:1].isalnum())


def _is_compound(context: Context, start: int) -> bool:
    """Whether the word at `start` belongs to the noun after it, in what is no sentence ("Permit type")."""
    word, labels = context.word(start + 1), context.labels(start + 1)
    if context.word(start) not in _BEGIN_COMPOUNDS:
        return False
    verb, after = context.labels(start + 2), context.word(start + 3)
    if not verb.isdisjoint(_PRESENT) and (after in AFTER_PHRASES or not after[:1].isalnum()):
        return True  # "Permit fees rise in May."
    if context.words[-1] in (".", "!"):
        return False
    if context.is_adjective(start + 1):  # "Permit valid until May", but not "Permit new users"
        return context.word(start + 2) in AFTER_PHRASES or not context.word(start + 2)
    unknown = not labels and is_content_word(word) and not word.endswith(("ed", "ing"))
    return unknown or not labels.isdisjoint(NOUNS)
