"""Where a participle can stand, and where a past tense: the checks of rules that write one or the other."""

from __future__ import annotations

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.auxiliaries import follows_auxiliary
from sbmt.features.sentence.label_context import NOUNS, Context, PlaceCheck, is_content_word
from sbmt.features.sentence.label_words import (
    AFTER_PARTICIPLES,
    AFTER_PHRASES,
    BEFORE_NOUNS,
    BEFORE_PARTICIPLES,
    BEFORE_SUBJECTS,
    BEFORE_VERBS,
    BEGIN_OBJECTS,
    CLEAR_FORMS_OF_HAVE,
    DETERMINERS,
    FORMS_OF_HAVE,
    NEED_OBJECTS,
    NEVER_AFTER,
    PASTS_WITHOUT_OBJECT,
    PREPOSITIONS,
    WHEN_OR_WHERE,
)
from sbmt.features.sentence.word_clash import begins_agent
from sbmt.text.words.english import FORMS_OF_BE, NEVER_BEFORE_NOUNS, PARTICLES

# Words after which a participle before a noun belongs to it.
_BEFORE_ATTRIBUTES = BEFORE_NOUNS | frozenset("some many several these those other".split())
# Participles that have no passive, and so follow a form of "have" only.
_NO_PASSIVE = frozenset("been become come died fallen gone happened lived stayed".split())
# Participles that are no past tenses.
_ONLY_PARTICIPLES = frozenset(
    "begun broken chosen done drawn driven drunk eaten given grown hidden known seen shown taken thrown torn worn "
    "written".split()
)
# Words that begin an object or a clause which is one ("showed later that it was wrong").
_BEGIN_CLAUSES_AND_OBJECTS = BEGIN_OBJECTS | frozenset("how if than that what when where whether which who why".split())
# What is said of the size of an amount before it, and what may as well say when, so that a sum of money must follow.
_BEFORE_AMOUNTS = (
    ("almost",),
    ("at", "least"),
    ("fewer", "than"),
    ("in", "excess", "of"),
    ("less", "than"),
    ("more", "than"),
    ("nearly",),
    ("roughly",),
    ("up", "to"),
    ("upwards", "of"),
)
_BEFORE_SUMS = frozenset(("about", "around", "over"))
_CURRENCIES = frozenset("$£€")
_TIMES = frozenset("centuries decades days hours minutes months seconds weeks years".split())
# Last words of participle phrases that cannot stand before a noun (not "brought in goods").
_NEVER_BEFORE_OBJECTS = NEVER_BEFORE_NOUNS | PREPOSITIONS | frozenset("at on again cut kept left put".split())


def _is_participle(application: Application, context: Context) -> bool:
    """A past tense where only a participle can stand."""
    start, end = application.span
    if context.before_adverbs(start) in NEVER_AFTER["VBD"]:
        return True
    if "JJ" in context.labels(start - 1) and context.before_adverbs(start - 1) in FORMS_OF_BE:
        return True  # "is final provided the house is sold"
    before = context.labels(start - 1)
    using = "VBG" in before and before.isdisjoint(NOUNS)  # "using donated cells"
    can_use = "VB" in before and "RB" not in before and context.word(start - 2) in BEFORE_VERBS
    if not start or using or can_use:
        return context.word(end) not in BEGIN_OBJECTS and is_content_word(context.word(end))
    return (
        context.word(end) == "by"
        and begins_agent(context.word(end + 1))
        and application.target[0] not in PASTS_WITHOUT_OBJECT
    )


def _lacks_object(application: Application, context: Context) -> bool:
    """A past tense that needs an object, after a noun and before none: a participle ("surveys did since 1940")."""
    start, end = application.span
    first, *rest = application.target
    if end - start > 1 or first not in NEED_OBJECTS or rest not in ([], ["away"], ["out"]):
        return False
    if context.word(end) not in AFTER_PARTICIPLES:
        return False
    if context.word(end) in WHEN_OR_WHERE and context.word(end + 1) in _BEGIN_CLAUSES_AND_OBJECTS:
        return False  # "showed later that it was wrong"
    if _begins_amount(context, end):
        return False  # "drew in excess of 4,000 visitors"
    return context.word(start - 1) in ("and", "those") or not context.labels(start - 1).isdisjoint(NOUNS)


def _is_attribute(application: Application, context: Context) -> bool:
    """A participle before its noun, where it is an adjective and often a term ("stained cells", "imported goods")."""
    start, end = application.span
    if end - start > 1 or context.labels(end).isdisjoint(NOUNS) or context.word(end) in AFTER_PHRASES:
        return False
    if context.word(start - 1) in ("and", "or"):
        return context.is_adjective(start - 2)
    if application.label == "VBN":
        return not start or context.word(start - 1) in _BEFORE_ATTRIBUTES or context.is_adjective(start - 1)
    return context.is_adjective(start - 1) and context.word(start - 2) != "the"  # "the poor produced food"


def is_phrase_after_a(application: Application, context: Context) -> bool:
    """A participle that becomes a phrase after *a*, where it is an adjective ("a discarded, empty bottle")."""
    start, end = application.span
    return end - start == 1 and len(application.target) > 1 and context.word(start - 1) in ("a", "an")


def _ends_relative_clause(application: Application, context: Context) -> bool:
    """A participle at the end of a clause that has no other verb ("the diseases that the animals passed on")."""
    start, end = application.span
    if context.word(end) not in (".", ",", ";", "") or context.labels(start - 1).isdisjoint(NOUNS):
        return False
    return context.word(start - 2) in DETERMINERS and context.word(start - 3) in ("that", "which")


def _is_clause_verb(application: Application, context: Context) -> bool:
    """A past tense after its subject ("they often saw", "a title it regarded as its own", "which the owner saw")."""
    start = application.span[0]
    place = context.place_before_adverbs(start)
    if context.word(place) == "it":
        return context.word(place - 1) in BEFORE_SUBJECTS or not context.labels(place - 1).isdisjoint(NOUNS)
    if context.word(place) in NEVER_AFTER["VBN"]:
        return True
    if context.word(start - 2) not in DETERMINERS or context.word(start - 3) not in ("which", "whom"):
        return False
    return context.word(start - 4) not in BEFORE_NOUNS  # "in which the documents required are listed"


def _has_object(application: Application, context: Context) -> bool:
    """A participle without a form of *be* or *have* before what must be its object, or one that has no passive."""
    start, end = application.span
    before = context.before_adverbs(start)
    if start and (not _NO_PASSIVE.isdisjoint(application.target[:1]) or application.target == ("run", "out")):
        return before not in FORMS_OF_HAVE
    if end == len(context.words) or before in BEFORE_PARTICIPLES or context.word(end - 1) in AFTER_PHRASES:
        return False  # no object of the participle follows "provided by"
    if follows_auxiliary(application, context):
        return False
    no_past = end - start > 1 and not _ONLY_PARTICIPLES.isdisjoint(application.target[:1])
    if start and no_past and _is_object_word(context, start + 1):  # "guests consumed alcohol"
        return True
    if start and _begins_amount(context, end):
        return True
    return _begins_object(context.word(end), application.target, first=not start)


def _parts_object(application: Application, context: Context) -> bool:
    """What is made so, after a form of *have* and thus before its object ("has made angry residents")."""
    start, end = application.span
    is_resultative = end - start == 1 and application.target[:1] == ("made",) and len(application.target) > 1
    return is_resultative and context.before_adverbs(start) in CLEAR_FORMS_OF_HAVE


def _begins_amount(context: Context, i: int) -> bool:
    """Whether a number with what is said of it begins at `i`, and no time ("up to £5", not "nearly 5 years")."""
    if context.word(i) in _BEFORE_SUMS:
        return context.word(i + 1) in _CURRENCIES
    after = next(
        (i + len(phrase) for phrase in _BEFORE_AMOUNTS if tuple(context.words[i : i + len(phrase)]) == phrase), i
    )
    number, counted = context.word(after), context.word(after + 1)
    return after > i and (number in _CURRENCIES or (number[:1].isdigit() and counted not in _TIMES))


def _is_object_word(context: Context, i: int) -> bool:
    """Whether a rule for a verb has its object in itself: a determiner or a noun at `i`."""
    word, labels = context.word(i), context.labels(i)
    if word in BEGIN_OBJECTS:
        return True
    if word in AFTER_PHRASES or word in PARTICLES or "IN" in labels or "RB" in labels:
        return False
    return not labels or not labels.isdisjoint(NOUNS)


def _begins_object(word: str, target: tuple[str | int, ...], first: bool) -> bool:
    """Whether a noun phrase begins with a word after a participle; a noun does if `target` cannot stand before it.

    A participle that is the `first` word may have an object ("given a choice, he ...").
    """
    if not first and (word in BEGIN_OBJECTS or word[:1].isdigit()):
        return True
    if _NEVER_BEFORE_OBJECTS.isdisjoint(target[-1:]) or word in BEGIN_OBJECTS:
        return False
    return is_content_word(word) and word not in NEVER_BEFORE_NOUNS


# The checks of each label, as `label_clash` has those of others.
PARTICIPLE_CHECKS: dict[str, tuple[PlaceCheck, ...]] = {
    "VBD": (_is_participle, _is_attribute, _lacks_object, follows_auxiliary),
    "VBN": (_is_attribute, is_phrase_after_a, _ends_relative_clause, _is_clause_verb, _has_object, _parts_object),
}
