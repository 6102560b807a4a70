"""Does the part of speech of a rule fit the place? Told from the words around it, for input has no tags.

What a grammar has as rules for a single word tells which parts of speech that word can be at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from sbmt.features.application import Application, Value
from sbmt.features.auxiliaries import follows_auxiliary
from sbmt.features.label_context import NOUN_PHRASE, NOUNS, Context, PlaceCheck, is_content_word
from sbmt.features.label_words import (
    AFTER_DETERMINERS,
    AFTER_NOUNS,
    AFTER_PARTICIPLES,
    AFTER_PHRASES,
    BEFORE_ATTRIBUTES,
    BEFORE_BASE_FORMS,
    BEFORE_CLAUSE_VERBS,
    BEFORE_COMPARATIVES,
    BEFORE_EACH,
    BEFORE_INFINITIVES,
    BEFORE_NOUNS,
    BEFORE_PARTICIPLES,
    BEFORE_SUBJECTS,
    BEFORE_SUPERLATIVES,
    BEFORE_VERBS,
    BEGIN_CLAUSES,
    BEGIN_OBJECTS,
    BEGIN_ONLY_OBJECTS,
    BEGIN_PREDICATES,
    DETERMINERS,
    FINITE,
    FORMS_OF_HAVE,
    INDEFINITE,
    NEED_OBJECTS,
    NEVER_AFTER,
    NEVER_BEFORE_OBJECTS,
    NO_PASSIVE,
    ONLY_PARTICIPLES,
    PASTS_WITHOUT_OBJECT,
    PREDICATIVE,
    UNCHANGED_PASTS,
    VERBS_TOO,
    WHEN_OR_WHERE,
)
from sbmt.features.word_clash import WORD_CHECKS, begins_agent
from sbmt.text.english import FORMS_OF_DO, MODALS, NEVER_AFTER_A, NEVER_BEFORE_NOUNS, PARTICLES, TWO_TO_TEN

_IRREGULAR = {"good": "be", "bad": "wors", "far": "fur"}  # how their comparatives and superlatives begin


class LabelClash:
    """LabelClash: 1 for a rule whose label, or what it writes, cannot stand where it does.

    In "get a permit", *permit* is no verb. The words before and after it tell, and what parts of speech the grammar has
    for them and for the word itself; what is told by the words that a rule writes is in `word_clash`.
    """

    names = ("LabelClash",)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """One per clash."""
        context = Context(sentence, applications)
        for number, application in enumerate(applications):
            if application.grammar < 0 or application.label not in _CHECKS:
                continue
            i, j = application.span
            if application.target != tuple(sentence[i:j]) and _clashes(application, context):
                yield number, "LabelClash", 1.0


def _clashes(application: Application, context: Context) -> bool:
    label, before = application.label, context.word(application.span[0] - 1)
    if before in NEVER_AFTER.get(label, ()):
        return True
    checks = chain(_CHECKS[label], WORD_CHECKS.get(label, ()))
    return bool(application.target) and any(check(application, context) for check in checks)


def _is_verb_here(application: Application, context: Context) -> bool:
    """A noun or an adjective that can be a verb, before an object or, in the singular, after *to*."""
    start, end = application.span
    if end - start > 1 or context.labels(start).isdisjoint(("VB", "VBP", "VBZ")):
        return False
    if len(application.target) == 1 and str(application.target[0]).removesuffix("s") in VERBS_TOO:
        return False
    return context.word(end) in BEGIN_ONLY_OBJECTS or (application.label == "NN" and context.word(start - 1) == "to")


def _is_base_form(application: Application, context: Context) -> bool:
    """A noun or an adjective where only a verb can stand ("may not consent", "do not misuse", "want to delegate")."""
    start = application.span[0]
    verb = context.before_adverbs(start)
    if context.word(start - 1) == "to":
        return context.word(start - 2) in BEFORE_INFINITIVES
    return verb != context.word(start - 1) and (verb in MODALS or verb in FORMS_OF_DO)


def _never_takes_a(application: Application, context: Context) -> bool:
    """A noun that never takes *a*, after *a*, or after *a* and an adjective."""
    if application.target[-1] not in NEVER_AFTER_A:
        return False
    start = application.span[0]
    return context.word(start - 1) in INDEFINITE or (
        context.word(start - 2) in INDEFINITE and context.word(start - 1) not in AFTER_PHRASES
    )


def _is_modifier(application: Application, context: Context) -> bool:
    """A noun before a noun: one that is an adjective as well ("novel ways"), or becomes a phrase (*free time pass*)."""
    start, end = application.span
    after = context.labels(end)
    if end - start > 1 or after.isdisjoint(NOUNS):
        return False
    return "JJ" in context.labels(start) or (len(application.target) > 1 and after.isdisjoint(("VBD", "VBZ")))


def _is_compared(application: Application, context: Context) -> bool:
    """An adjective after *more* or *most* that has one word for both ("more bad" is "worse")."""
    start, target = application.span[0], str(application.target[-1])
    if len(application.target) > 1 or context.word(start - 1) not in ("more", "most"):
        return False
    stem = _IRREGULAR.get(target, target[:-1])
    return any(form.startswith(stem) for form in context.degrees(start - 1, application.span[1]))


def _is_gerund(application: Application, context: Context) -> bool:
    """An adjective in *-ing* that is a verb here: it has an object."""
    end = application.span[1]
    return context.word(end - 1).endswith("ing") and context.word(end) in BEGIN_ONLY_OBJECTS | {"from"}


def _is_predicate(application: Application, context: Context) -> bool:
    """What can follow *is* but precede no noun (*not aware customers*, *rising quickly demand*)."""
    target, (start, end) = application.target, application.span
    if target == ("enough",) and context.word(start - 1) in DETERMINERS:  # "an adequate supply"
        return True
    if context.word(end) in AFTER_PHRASES or context.labels(end).isdisjoint(NOUNS):
        return False
    if len(target) == 1:
        return target[0] in PREDICATIVE
    if application.label == "VBG" and context.word(start - 1) in DETERMINERS:  # "the circulating water"
        return not str(target[-1]).endswith("ing")
    if target[0] in BEGIN_PREDICATES or target == ("far", "away"):
        return True
    return str(target[-1]).endswith("ly") or target[-1] in ("worse", "better")


def _is_head(application: Application, context: Context) -> bool:
    """An adjective that is a noun as well, after *a* and before no noun ("a minor in the town")."""
    start, end = application.span
    if end - start > 1 or "NN" not in context.labels(start) or context.word(start - 1) not in INDEFINITE:
        return False
    return context.word(end) in AFTER_NOUNS


def _tells_number(application: Application, context: Context) -> bool:
    """A comparative for *more* and an adjective where *more* may mean a greater number ("more elderly people")."""
    start, end = application.span
    degree, before = context.word(start), context.word(start - 1)
    if degree not in ("more", "most") or end - start == 1:
        return False
    if degree == "most" or not context.labels(end).isdisjoint(NOUN_PHRASE):
        return before not in (BEFORE_SUPERLATIVES if degree == "most" else BEFORE_COMPARATIVES)
    return before in ("and", "many")  # "more and more harmful"


def _is_noun_here(application: Application, context: Context) -> bool:
    """A verb after a word that can only describe a noun."""
    start = application.span[0]
    labels, earlier = context.labels(start - 1), context.word(start - 2)
    if labels == {"JJ"}:
        return earlier != "the"  # "the poor" is a noun itself
    describes = {"JJ", "JJS", "VBD", "VBN"}  # adverbs as well: *an early permit*
    return not labels.isdisjoint(describes) and labels <= describes | {"RB"} and earlier in BEFORE_NOUNS


def _is_owned(application: Application, context: Context) -> bool:
    """A verb after a possessive, *each*, or *last* and the like ("a visitor's permit", "your last permit")."""
    start = application.span[0]
    before, earlier = context.word(start - 1), context.word(start - 2)
    if not context.may_be_noun(start):
        return False
    if before == "'s":
        return earlier != "let"
    if before == "'":
        return earlier.endswith("s") and "`" not in context.words[:start]  # no closing quotation mark
    if before == "each":
        return earlier not in BEFORE_EACH and not context.is_plural(start - 2)
    return before in AFTER_DETERMINERS and earlier in BEFORE_NOUNS


def _is_heading(application: Application, context: Context) -> bool:
    """A verb at the start of a heading or a question ("Permit number:", "Permit required", "Which permit is due")."""
    start, end = application.span
    first, second = context.word(end), context.word(end + 1)
    if end - start > 1 or not context.may_be_noun(start):
        return False
    if start == 1:
        return context.word(0) in ("which", "what") and (first in FORMS_OF_DO or first in FINITE)
    if start:
        return False
    return ":" in (first, second) or (first.endswith("ed") and not (second.isalnum() and second not in AFTER_PHRASES))


def _is_counted(application: Application, context: Context) -> bool:
    """The form of a verb for *it* after a number that no noun precedes ("ten permits", not "section 4 permits")."""
    start = application.span[0]
    number, before = context.word(start - 1), context.word(start - 2)
    counts = number != "one" and ("CD" in context.labels(start - 1) or number in TWO_TO_TEN)  # "as one permits it"
    return counts and context.may_be_noun(start) and (before in BEFORE_NOUNS or not is_content_word(before))


def _is_subject(application: Application, context: Context) -> bool:
    """A verb form before a finite verb ("reuse can be avoided"), if it is not the verb of a clause itself."""
    start, end = application.span
    if context.word(end) not in FINITE or context.before_adverbs(start) in BEFORE_CLAUSE_VERBS:
        return False
    return application.label != "VBP" or "NNS" not in context.labels(start - 1)  # "what they have in common is"


def _is_past(application: Application, context: Context) -> bool:
    """A base form that may be a past tense as well, without a word that says it is none ("a mob set fire to it")."""
    start = application.span[0]
    return context.word(start) in UNCHANGED_PASTS and context.before_adverbs(start) not in BEFORE_BASE_FORMS


def _is_object(application: Application, context: Context) -> bool:
    """The form of a verb for *it*, or the plural of a noun, after a past tense ("expressed fears")."""
    labels = context.labels(application.span[0] - 1)
    return "VBD" in labels and labels <= {"JJ", "VBD", "VBN"}


def _is_participle(application: Application, context: Context) -> bool:
    """A past tense where only a participle can stand."""
    start, end = application.span
    if context.before_adverbs(start) in NEVER_AFTER["VBD"]:
        return True
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
    if context.word(end) in WHEN_OR_WHERE and context.word(end + 1) in BEGIN_CLAUSES | BEGIN_OBJECTS:
        return False  # "showed later that it was wrong"
    return context.word(start - 1) in ("and", "those") or not context.labels(start - 1).isdisjoint(NOUNS)


def _is_attribute(application: Application, context: Context) -> bool:
    """A participle before its noun, where it is an adjective and often a term ("stained cells", "imported goods")."""
    start, end = application.span
    if end - start > 1 or context.labels(end).isdisjoint(NOUNS) or context.word(end) in AFTER_PHRASES:
        return False
    if context.word(start - 1) in ("and", "or"):
        return context.is_adjective(start - 2)
    if application.label == "VBN":
        return not start or context.word(start - 1) in BEFORE_ATTRIBUTES or context.is_adjective(start - 1)
    return context.is_adjective(start - 1) and context.word(start - 2) != "the"  # "the poor produced food"


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
    if start and (not NO_PASSIVE.isdisjoint(application.target[:1]) or application.target == ("run", "out")):
        return before not in FORMS_OF_HAVE
    if end == len(context.words) or before in BEFORE_PARTICIPLES or context.word(end - 1) in AFTER_PHRASES:
        return False  # no object of the participle follows "provided by"
    if follows_auxiliary(application, context):
        return False
    no_past = end - start > 1 and not ONLY_PARTICIPLES.isdisjoint(application.target[:1])
    if start and no_past and _is_object_word(context, start + 1):  # "guests consumed alcohol"
        return True
    return _begins_object(context.word(end), application.target, first=not start)


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
    if NEVER_BEFORE_OBJECTS.isdisjoint(target[-1:]) or word in BEGIN_OBJECTS:
        return False
    return is_content_word(word) and word not in NEVER_BEFORE_NOUNS


# The checks of each label, made if NEVER_AFTER does not decide, in the order of the functions above. A rule clashes if
# any of them, or of WORD_CHECKS, is true of it.
_CHECKS: dict[str, tuple[PlaceCheck, ...]] = {
    "NN": (_is_verb_here, _is_base_form, _never_takes_a, _is_modifier),
    "NNS": (_is_verb_here, _is_base_form),
    "JJ": (_is_verb_here, _is_base_form, _is_compared, _is_gerund, _is_predicate, _is_head),
    "JJR": (_tells_number,),
    "JJS": (_tells_number,),
    "RB": (),
    "IN": (),  # NEVER_AFTER only
    "VB": (_is_noun_here, _is_owned, _is_heading, _is_subject, _is_past),
    "VBP": (_is_noun_here, _is_owned, _is_heading, _is_subject, _is_past),
    "VBZ": (_is_noun_here, _is_owned, _is_counted, _is_subject, _is_object),
    "VBD": (_is_participle, _is_attribute, _lacks_object, follows_auxiliary),
    "VBN": (_is_attribute, _ends_relative_clause, _is_clause_verb, _has_object),
    "VBG": (_is_predicate,),
    "NP": (),
    "PP": (),
    "X": (),
    "S": (),
}
