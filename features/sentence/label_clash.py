"""Does the part of speech of a rule fit the place? Told from the words around it, for input has no tags.

What a grammar has as rules for a single word tells which parts of speech that word can be at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from sbmt.features.sentence.application import Application, Value
from sbmt.features.sentence.excepted import own_span
from sbmt.features.sentence.label_context import NOUN_PHRASE, NOUNS, VERBS, Context, PlaceCheck, is_content_word
from sbmt.features.sentence.label_words import (
    AFTER_PHRASES,
    BEFORE_NOUNS,
    BEFORE_VERBS,
    BEGIN_OBJECTS,
    CLEAR_FORMS_OF_HAVE,
    DETERMINERS,
    FOR_ONE,
    INDEFINITE,
    NEVER_AFTER,
    SUBJECTS,
)
from sbmt.features.sentence.participles import PARTICIPLE_CHECKS, is_phrase_after_a
from sbmt.features.sentence.starts import is_noun_at_start, precedes_finite_verb
from sbmt.features.sentence.word_clash import WORD_CHECKS
from sbmt.text.words.english import FORMS_OF_DO, MODALS, NEVER_AFTER_A, TWO_TO_TEN

LABEL_CLASH = "LabelClash"
# Words that, after a determiner, a noun follows ("your last permit").
_AFTER_DETERMINERS = frozenset("first following last next own same second third".split())
# Words that no plural follows.
_BEFORE_NOUN_OF_ONE = frozenset(("each", "every", "this"))
# Words after which "each" is no determiner ("they each permit it").
_BEFORE_EACH = frozenset("i they them us we which who you".split())
# Verbs and adjectives after which "to" begins no phrase of a noun.
_BEFORE_INFINITIVES = frozenset(
    "able unable began begin begins begun continue continued continues decide decided decides expected fail failed "
    "fails hope hoped hopes intend intended intends tend tended tends tried tries try trying unwilling want wanted "
    "wants willing".split()
)
# Verbs whose past is their base form, and words after which that form is no past.
_UNCHANGED_PASTS = frozenset("bet burst cast cost cut hit hurt let put quit set shed shut split spread thrust".split())
_BEFORE_BASE_FORMS = BEFORE_VERBS - {"he", "she"} | frozenset(
    "to do does did not n't help helps helped helping and or".split()
)
_BEFORE_CLAUSE_VERBS = _BEFORE_BASE_FORMS | {"he", "she", "it", "that", "which"}
# Finite verbs, which no base form precedes unless it is the verb of a clause ("those they employ are").
_FINITE = MODALS | frozenset("is are was were has".split())
# Words that begin nothing but objects, while "this" may begin another phrase ("the plan this year").
_BEGIN_ONLY_OBJECTS = frozenset("a an the his her their its it them".split())
# Words that a subject and a base form follow ("did the park permit it", "let the park permit it").
_BEFORE_SUBJECT_AND_BASE = MODALS.union(FORMS_OF_DO, "have help helped helps let make makes that".split())
# Nouns that are verbs of the same sense ("catalogue the cars" may become "list the cars" as a noun does, and "a simple
# transform" become "a simple change" as a verb).
_VERBS_TOO = frozenset(
    "attack change copy cover damage decrease display drop fight help increase judge limit list name promise question "
    "rank record rise shelter start support test trade use work".split()
)
# What begins phrases that are no adjectives before a noun (not "full of people streets").
_BEGIN_PREDICATES = frozenset("across between by for from full in like not of on out to up without".split())
_ENOUGH = ("enough",), ("not", "enough")
# Adjectives that precede no noun.
_PREDICATIVE = frozenset("afraid alike alive alone asleep awake aware".split())
# What follows a noun, but not an adjective before its noun.
_AFTER_NOUNS = frozenset(". in on at by for with from to of who which that is was has had will can".split())
# Words after which "most" is no number.
_BEFORE_SUPERLATIVES = frozenset("the its their his her our my your 's single".split())
# Words after which "more" is no number before a noun.
_BEFORE_COMPARATIVES = frozenset("a an the even much far still slightly no its their his her".split())
_AFTER_GERUNDS = _BEGIN_ONLY_OBJECTS | {"from"}  # not after adjectives
# Labels of what only describes nouns, and of adverbs as well: *an early permit*.
_DESCRIBE = frozenset(("JJ", "JJS", "VBD", "VBN"))
_MAY_DESCRIBE = _DESCRIBE | {"RB"}
# What an adjective may be labelled, and words that one follows together with its noun.
_ADJECTIVAL = frozenset(("JJ", "VBG"))
_BEGIN_NOUN_PHRASES = DETERMINERS | frozenset("another any every no such whose".split())
_BEFORE_ACTIVE_VERBS = SUBJECTS - {"you"} | {"which", "who"}
_IRREGULAR = {"good": "be", "bad": "wors", "far": "fur"}  # how their comparatives and superlatives begin


class LabelClash:
    """LabelClash: 1 for a rule whose label, or what it writes, cannot stand where it does.

    In "get a permit", *permit* is no verb. The words before and after it tell, and what parts of speech the grammar has
    for them and for the word itself. Past tenses and participles have checks of their own (`participles`), as has what
    is told by the words that a rule writes (`word_clash`).
    """

    names = (LABEL_CLASH,)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """One per clash."""
        context = Context(sentence, applications)
        for number, application in enumerate(applications):
            if application.grammar < 0 or application.label not in _CHECKS:
                continue
            i, j = application.span
            if application.target != tuple(sentence[i:j]) and _clashes(application, context):
                yield number, LABEL_CLASH, 1.0


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
    if len(application.target) == 1 and str(application.target[0]).removesuffix("s") in _VERBS_TOO:
        return False
    return context.word(end) in _BEGIN_ONLY_OBJECTS or (application.label == "NN" and context.word(start - 1) == "to")


def _is_verb_of_one(application: Application, context: Context) -> bool:
    """A plural that is the verb of one thing here ("this approach advocates change")."""
    start, end = application.span
    if end - start > 1 or "VBZ" not in context.labels(start):
        return False
    return context.word(start - 2) in _BEFORE_NOUN_OF_ONE and is_content_word(context.word(start - 1))


def _is_base_form(application: Application, context: Context) -> bool:
    """A noun or an adjective where only a verb can stand ("may not consent", "do not misuse", "want to delegate")."""
    start = application.span[0]
    verb = context.before_adverbs(start)
    if context.word(start - 1) == "to":
        return context.word(start - 2) in _BEFORE_INFINITIVES
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
    is_plural = context.is_plural(end) and is_content_word(context.word(end))
    if end - start > 1 or (after.isdisjoint(NOUNS) and not is_plural):
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
    """An adjective in *-ing* that is a verb here: it has an object ("convincing the man", "soon convincing Ann")."""
    start, end = application.span
    if not context.word(end - 1).endswith("ing"):
        return False
    is_name = context.is_name(end) and context.word(start - 1) not in DETERMINERS
    return is_name or context.word(end) in _AFTER_GERUNDS


def _is_active(application: Application, context: Context) -> bool:
    """An adjective that is a verb here, after *have* or between its subject and object ("has outraged fans")."""
    start, end = own_span(application, context.words)
    if end - start > 1 or context.labels(start).isdisjoint(("VBD", "VBN")):
        return False
    if context.before_adverbs(start) in CLEAR_FORMS_OF_HAVE:
        return True
    labels = context.labels(start - 1)
    is_noun = context.is_name(start - 1) or (not labels.isdisjoint(NOUNS) and labels.isdisjoint(VERBS))
    has_object = context.may_be_noun(end) or context.is_plural(end) or context.word(end) in BEGIN_OBJECTS
    return has_object and (is_noun or context.word(start - 1) in _BEFORE_ACTIVE_VERBS)


def _is_predicate(application: Application, context: Context) -> bool:
    """What can follow *is* but precede no noun (*not aware customers*, *rising quickly demand*)."""
    target, (start, end) = application.target, application.span
    if target in _ENOUGH:  # not "a not enough supply"
        return context.word(start - 1) in DETERMINERS
    is_noun = context.may_be_noun(end) or context.is_name(end)
    if context.word(end) in AFTER_PHRASES or not is_noun:
        return False
    if len(target) == 1:
        return target[0] in _PREDICATIVE
    if application.label == "VBG" and context.word(start - 1) in DETERMINERS:  # "the circulating water"
        return not str(target[-1]).endswith("ing")
    if target[0] in _BEGIN_PREDICATES or target == ("far", "away"):
        return True
    return str(target[-1]).endswith("ly") or target[-1] in ("worse", "better")


def _is_head(application: Application, context: Context) -> bool:
    """An adjective that is a noun here: before a verb for one ("the miniature was"), or in "a minor in the town"."""
    start, end = application.span
    adjective = start + (application.label == "X" and context.word(start) in INDEFINITE)
    labels, before = context.labels(adjective), context.word(adjective - 1)
    if end - adjective > 1 or (application.label == "X" and ("JJ" not in labels or "NN" in labels)):
        return False
    if (before in DETERMINERS or before == "her") and context.after_adverbs(end) in FOR_ONE:
        return True
    return before in INDEFINITE and "NN" in labels and context.word(end) in _AFTER_NOUNS


def _tells_number(application: Application, context: Context) -> bool:
    """A comparative for *more* and an adjective where *more* may mean a greater number ("more elderly people")."""
    start, end = application.span
    degree, before = context.word(start), context.word(start - 1)
    if degree not in ("more", "most") or end - start == 1:
        return False
    if degree == "most" or not context.labels(end).isdisjoint(NOUN_PHRASE):
        return before not in (_BEFORE_SUPERLATIVES if degree == "most" else _BEFORE_COMPARATIVES)
    return before in ("and", "many")  # "more and more harmful"


def _is_noun_here(application: Application, context: Context) -> bool:
    """A verb after a word that can only describe a noun."""
    start = application.span[0]
    labels, earlier = context.labels(start - 1), context.word(start - 2)
    if labels == {"JJ"}:
        return earlier != "the"  # "the poor" is a noun itself
    return not labels.isdisjoint(_DESCRIBE) and labels <= _MAY_DESCRIBE and earlier in BEFORE_NOUNS


def _is_described(application: Application, context: Context) -> bool:
    """A verb after a determiner and words that may be adjectives ("your old permit", "the current permit is")."""
    start, end = application.span
    place = start - 1
    while not context.labels(place).isdisjoint(_ADJECTIVAL) and "NNS" not in context.labels(place):
        place -= 1
    before, after = context.word(place), context.word(end)
    if place == start - 1 or before not in _BEGIN_NOUN_PHRASES or application.target[0] in _VERBS_TOO:
        return False
    if before != "the":
        return True
    return context.may_be_noun(start) and (after in AFTER_PHRASES or not after[:1].isalnum())  # "the young permit it"


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
        return earlier not in _BEFORE_EACH and not context.is_plural(start - 2)
    return before in _AFTER_DETERMINERS and earlier in BEFORE_NOUNS


def _is_compound(application: Application, context: Context) -> bool:
    """A verb after a noun for one and before no object ("the conditional use permit with", "a street permit costs")."""
    start, end = application.span
    if end - start > 1 or application.target[0] in _VERBS_TOO or not context.may_be_noun(start):
        return False
    if context.labels(start - 1).isdisjoint(("NN", "VBG")) or "NNS" in context.labels(start - 1):
        return False
    earlier, after = context.word(start - 2), context.word(end)
    if earlier not in _BEGIN_NOUN_PHRASES and not is_content_word(earlier):
        return False
    if not _BEFORE_SUBJECT_AND_BASE.isdisjoint(context.words[max(start - 6, 0) : start - 1]):
        return False
    return after in AFTER_PHRASES or not after[:1].isalnum() or "VBZ" in context.labels(end)


def _is_heading(application: Application, context: Context) -> bool:
    """A verb at the start of a heading or a question ("Permit number:", "Permit required", "Which permit is due")."""
    start, end = application.span
    first, second = context.word(end), context.word(end + 1)
    if end - start > 1 or not context.may_be_noun(start):
        return False
    if start == 1:
        return context.word(0) in ("which", "what") and (first in FORMS_OF_DO or first in _FINITE)
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
    if context.word(end) not in _FINITE or context.before_adverbs(start) in _BEFORE_CLAUSE_VERBS:
        return False
    return application.label != "VBP" or "NNS" not in context.labels(start - 1)  # "what they have in common is"


def _is_past(application: Application, context: Context) -> bool:
    """A base form that may be a past tense as well, without a word that says it is none ("a mob set fire to it")."""
    start = application.span[0]
    return context.word(start) in _UNCHANGED_PASTS and context.before_adverbs(start) not in _BEFORE_BASE_FORMS


def _is_object(application: Application, context: Context) -> bool:
    """The form of a verb for *it*, or the plural of a noun, after a past tense ("expressed fears")."""
    labels = context.labels(application.span[0] - 1)
    return "VBD" in labels and labels <= {"JJ", "VBD", "VBN"}


# The checks of each label, made if NEVER_AFTER does not decide, in the order of the functions above. A rule clashes if
# any of them, or of WORD_CHECKS, is true of it.
_CHECKS: dict[str, tuple[PlaceCheck, ...]] = {
    "NN": (_is_verb_here, _is_base_form, _never_takes_a, _is_modifier),
    "NNS": (_is_verb_here, _is_verb_of_one, _is_base_form),
    "JJ": (_is_verb_here, _is_base_form, _is_compared, _is_gerund, _is_active, _is_predicate, _is_head),
    "JJR": (_tells_number,),
    "JJS": (_tells_number,),
    "RB": (),
    "IN": (),  # NEVER_AFTER only
    **dict.fromkeys(
        ("VB", "VBP"),
        (
            _is_noun_here,
            _is_described,
            _is_owned,
            _is_compound,
            _is_heading,
            _is_subject,
            _is_past,
            is_noun_at_start,
        ),
    ),
    "VBZ": (
        _is_noun_here,
        _is_owned,
        _is_counted,
        _is_subject,
        _is_object,
        is_noun_at_start,
        precedes_finite_verb,
    ),
    **PARTICIPLE_CHECKS,
    "VBG": (_is_predicate, is_phrase_after_a),
    "NP": (_is_active,),
    "PP": (),
    "X": (_is_head,),
    "S": (),
}
