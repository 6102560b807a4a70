"""Words that cannot stand where a rule writes them: one check for each kind, and the labels that each is for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sbmt.features.sentence.application import Application
from sbmt.features.sentence.label_context import NOUN_PHRASE, VERBS, Context, PlaceCheck, is_content_word
from sbmt.features.sentence.label_words import (
    AFTER_PHRASES,
    BEFORE_NOUNS,
    BEFORE_SUBJECTS,
    BEFORE_VERBS,
    BEGIN_OBJECTS,
    DETERMINERS,
    FOR_ONE,
    INDEFINITE,
    PASTS_WITHOUT_OBJECT,
    PREPOSITIONS,
)
from sbmt.features.sentence.parting import PARTING_CHECKS
from sbmt.features.sentence.subjects import subject_of
from sbmt.text.words.english import ARTICLES, FORMS_OF_BE, FORMS_OF_DO, MODALS, PARTICLES, TWO_TO_TEN, is_plural_form

# Words after which a verb has its base form, also with an object between ("let them go"); "ca", "wo" and "sha" are what
# "n't" is cut off from.
_TAKE_BASE_FORMS = MODALS | frozenset(
    "better ca cannot 'd help helped helping helps let lets letting 'll made make makes making need sha than to "
    "wo".split()
)
# Words of degree, which adverbs of one word follow.
_DEGREES = frozenset("as how less more most so too very".split())
# Those after which no "too" or "very" goes, beside them.
_DEGREES_TOO = _DEGREES | frozenset("almost extremely just nearly quite rather".split())
# Adverbs after which a participle may go: "mainly derived from" is "mainly from", "newly derived from" is nothing.
_BEFORE_PREPOSITIONS = frozenset("mainly mostly largely partly only directly exactly early chiefly primarily".split())
# Words after which no "more" goes before a noun ("the more money"), and the words of number that may stand between.
_NEVER_BEFORE_MORE = DETERMINERS - {"a", "an"} | frozenset(
    "this that these those all both such each every which whose following same 's".split()
)
_NUMBER_WORDS = frozenset("few following many only other remaining several".split())
# What begins a measure ("by about half").
_MEASURES = TWO_TO_TEN | frozenset("about almost half more nearly over one".split())
# What begins an amount ("less time").
_QUANTITIES = TWO_TO_TEN | frozenset("about fewer less little many more much several some time".split())
# Of the verb forms for one, those of "be" and "have".
_SINGULAR = FOR_ONE - {"does"}
# Words that one thing follows, or what cannot be counted.
_BEFORE_ONE = frozenset("a an another each every less little much one this".split())
# Plurals that do not end in -s.
_PLURALS = frozenset("children clothes men people police women".split())
# What is many, and so no subject of these.
_MANY = frozenset("they we you these those both many several".split())
_AGENT_WINDOW = 4  # words between a passive and "by"
_ORDER_WINDOW = 6  # those between "require" and "to"
_DIRECTIONS = PARTICLES | {"in"}
_BEFORE_FOLLOWING = PREPOSITIONS.union(FORMS_OF_BE, ("into", "like", "not", "than"))  # where it is a verb
_NO_ADJECTIVES = BEFORE_NOUNS | _BEFORE_ONE
_NO_PERSON = _QUANTITIES | {"to"}  # who is ordered does not begin so
_TAKER_WINDOW = 3  # words between what takes a base form and the last one before that: "would in no way"
_ONE = frozenset(("", "he", "i", "it", "she", "that", "this"))  # "are" follows none of them, nor begins a sentence
_SEVERAL = _MANY | frozenset("all both less more most some these they those we who you".split())
_MAY_PRECEDE_PLURALS = frozenset(("NNS", "JJ", "VBN", "VBG"))
_BEFORE_RIGHT = DETERMINERS - INDEFINITE | frozenset("'s all that these this those".split())
_PLURALS_TOO = _PLURALS | frozenset("aircraft cattle deer fish media sheep species staff".split())
_NUMBERS = frozenset(("more", "many", "several"))
_COUNTS = _NUMBERS | {"enough", "most"}
_ADDITIONAL = frozenset(("additional", "further"))
_REDUCE = frozenset("reduce reduced reduces reducing".split())
_AFTER_REDUCE = frozenset("again following further somewhat".split())
_BEFORE_ING_NOUNS = (DETERMINERS | _BEFORE_ONE | {"that", "whose"}) - {"little", "much"}
_AFTER_ING_NOUNS = PREPOSITIONS.union(("at", "into", "on", "to", "under")) - {"of"}
_NEED_ARTICLE = frozenset(("beginning", "break", "end", "start"))  # as nouns
_BEFORE_BARE_NOUNS = AFTER_PHRASES.difference(FORMS_OF_BE) | frozenset("following of pending".split())
_CLEAR_VERBS = VERBS - {"VBG"}  # "very worrying" has a degree


def _is_adverbial(application: Application, context: Context) -> bool:
    """A phrase for an adverb after a word of degree (*so of course*) or, after *the*, what precedes no adjective."""
    before, (*rest, last) = context.word(application.span[0] - 1), map(str, application.target)
    if before not in DETERMINERS:
        return bool(rest) and before in _DEGREES
    follows = bool(rest) and not last.endswith("ly")  # "a very hard fought win"
    return follows or last in _DIRECTIONS  # "the down movement"


def _is_degree(application: Application, context: Context) -> bool:
    """*Very* after a word of degree or before what has no degree ("strikingly, it"), or "more well" for *better*."""
    start, end = application.span
    if application.target == ("well",):
        return context.word(start - 1) in ("less", "more", "most")
    if application.target != ("very",):
        return False
    if context.word(start - 1) in _DEGREES or not context.word(end)[:1].isalpha():
        return True
    labels = context.labels(end)
    return bool(labels) and labels <= _CLEAR_VERBS


def _is_named(application: Application, context: Context) -> bool:
    """An -ing form that is a noun: after an article, before a preposition ("the dwelling in a safe state")."""
    start, end = application.span
    if not (context.word(start).endswith("ing") and str(application.target[0]).endswith("ing")):
        return False
    described = "JJ" in context.labels(start - 1) and context.word(start - 2) in DETERMINERS
    follows = context.word(start + 1 if end - start > 1 else end)
    return (described or context.word(start - 1) in _BEFORE_ING_NOUNS) and follows in _AFTER_ING_NOUNS


def _lacks_article(application: Application, context: Context) -> bool:
    """A noun that needs an article, for one that needs none ("on expiry of", "prior to commencement")."""
    if application.target[0] not in _NEED_ARTICLE and application.target[-1] not in _NEED_ARTICLE:
        return False
    place = application.span[0] - 1
    before = context.word(place)
    if not before:
        return context.words[-1] == "."
    return before in _BEFORE_BARE_NOUNS or not before[:1].isalnum() or context.labels(place) == {"VBG"}


def _varies_shall(application: Application, context: Context) -> bool:
    """Another word for *shall* in a sentence that has *shall* elsewhere as well: they must stay alike."""
    start, end = application.span
    if "shall" not in context.words[start:end] or "shall" in application.target:
        return False
    return context.words.count("shall") > 1


def _drops_participle(application: Application, context: Context) -> bool:
    """A participle that goes and leaves what follows it ("derived from": *from*), after an adverb or *can be*."""
    start, end = application.span
    if not context.word(start).endswith(("ed", "en", "ing")):
        return False
    if application.target != tuple(context.words[start + 1 : end]):
        return False
    if application.target[0] not in PREPOSITIONS:
        return False
    before = context.word(start - 1)
    if context.is_adverb(start - 1):
        return before not in _BEFORE_PREPOSITIONS
    return before == "be" and context.before_adverbs(start - 1) in BEFORE_VERBS


def _loses_passive(application: Application, context: Context) -> bool:
    """*With* or *having* for a participle that a form of *be* needs ("not equipped with" as "they were not with")."""
    start = application.span[0]
    if application.target[0] not in ("with", "having") or not context.word(start).endswith("ed"):
        return False
    return context.before_adverbs(start) in FORMS_OF_BE


def _is_followed(application: Application, context: Context) -> bool:
    """*After* for *following* where that is a verb ("by following the rules", "they were following the rules")."""
    start = application.span[0]
    if application.target[0] != "after" or context.word(start) != "following":
        return False
    return context.word(start - 1) in _BEFORE_FOLLOWING or context.is_adverb(start - 1)


def _loses_agent(application: Application, context: Context) -> bool:
    """An intransitive verb for a passive, before who did it ("came out in 1810 by him")."""
    start, end = application.span
    if application.target[0] not in PASTS_WITHOUT_OBJECT or context.word(start) not in FORMS_OF_BE:
        return False
    after = context.words[end : end + _AGENT_WINDOW]
    return "by" in after and begins_agent(context.word(end + after.index("by") + 1))


def _loses_comma(application: Application, context: Context) -> bool:
    """A word between two commas, for what takes no second one ("In 2011, but the plan" for "however, the plan")."""
    start, end = application.span
    parts = end - start > 1 and context.word(start - 1) == context.word(start + 1) == ","
    return parts and "," not in application.target


def _is_singular(application: Application, context: Context) -> bool:
    """*Was*, *is* or *has* after a plural, for a verb whose form goes with singular and plural alike."""
    start, end = application.span
    if application.target[0] not in _SINGULAR or not _SINGULAR.isdisjoint(context.words[start:end]):
        return False
    subject = subject_of(context, start)
    return context.word(subject) in _MANY or context.is_plural(subject)


def _is_many(application: Application, context: Context) -> bool:
    """A plural for a noun in the singular, after *this*, or before *'s* or a verb for one ("this bags", "bags is")."""
    words = [str(word) for word in application.target]
    head = next((first for first, second in pairwise([*words, "of"]) if second in PREPOSITIONS), words[-1])
    if head not in _PLURALS and not is_plural_form(head):
        return False
    start, end = application.span
    before = context.word(start - 1)
    first = start - (is_content_word(before) and before not in _NO_ADJECTIVES)
    if context.word(first - 1) in _BEFORE_ONE or context.word(end) == "'s":
        return True
    first -= context.word(first - 1) in DETERMINERS
    return context.word(first - 1) not in BEFORE_NOUNS and _precedes_verb_for_one(context, end)


def _precedes_verb_for_one(context: Context, end: int) -> bool:
    """Whether a verb for one thing follows a noun, perhaps after *which* or *of* ("leaves of the tree is")."""
    place = end + (context.word(end) == ",")
    if context.word(place) in ("that", "which"):
        return context.word(place + 1) in FOR_ONE
    if context.word(end) == "of":
        end += 1 + (context.word(end + 1) in DETERMINERS)
        while is_content_word(context.word(end)):
            end += 1
    return context.after_adverbs(end) in FOR_ONE or context.labels(end) == {"VBZ"}


def _needs_deed(application: Application, context: Context) -> bool:
    """*Need* for *require* where that is an order ("the law requires employers to keep records")."""
    start, end = application.span
    if not str(application.target[0]).startswith("need") or not context.word(start).startswith("requir"):
        return False
    after = context.words[end : end + _ORDER_WINDOW]
    if "to" not in after[1:] or after[0] in _NO_PERSON:
        return False
    between, deed = after[: after.index("to")], context.word(end + after.index("to") + 1)
    return all(map(str.isalpha, between)) and deed.isalpha() and deed not in BEGIN_OBJECTS


def _is_other_be(application: Application, context: Context) -> bool:
    """*Be* where *are* is due or the other way round ("all dogs be like it", "it may are like it"), or after *do*."""
    start, end = application.span
    alike = _alike(application.target, context.words[start:end])
    start, first = start + alike, application.target[alike] if alike < len(application.target) else ""
    if first not in ("am", "are", "be") or context.word(start) in FORMS_OF_BE:
        return False
    place = context.place_before_adverbs(start)
    before = context.word(place)
    if before in FORMS_OF_DO:
        return True
    if before in _TAKE_BASE_FORMS:
        return first != "be"
    if context.word(place - 1) in FORMS_OF_DO:  # "does it resemble"
        return True
    if first == "am":
        return before != "i"
    takes_base = _takes_base_form(context, place)
    if first == "are":
        return takes_base or before in _ONE
    return not takes_base and (before in _SEVERAL or is_content_word(before))


def _is_finite_do(application: Application, context: Context) -> bool:
    """*Do not* where a base form is due ("should the tenant do not pay" for "should the tenant fail to pay")."""
    start = application.span[0]
    if application.target[:2] != ("do", "not") or context.word(start) in FORMS_OF_DO:
        return False
    place = context.place_before_adverbs(start)
    return context.word(place) in _TAKE_BASE_FORMS or _takes_base_form(context, place)


def _takes_base_form(context: Context, place: int) -> bool:
    """Whether a verb after the word at `place` has its base form, for what stands shortly before that word."""
    near = context.words[max(place - _TAKER_WINDOW, 0) : place]
    return not _TAKE_BASE_FORMS.isdisjoint(_after_last(near, BEFORE_SUBJECTS))


def _alike(first: Sequence[str | int], second: Sequence[str]) -> int:
    """How many words two phrases begin with alike ("savings exceed", "savings are more than")."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (one, other) in pairs if one != other), min(len(first), len(second)))


def _after_last(words: Sequence[str], marks: frozenset[str]) -> Sequence[str]:
    """The words after the last of some marks, or all."""
    return words[max((i for i, word in enumerate(words, 1) if word in marks), default=0) :]


def _is_twice_degree(application: Application, context: Context) -> bool:
    """A phrase with *too* or *very* after a word of degree (*so too painful*), or with *too* after an article."""
    first, before = application.target[0], context.word(application.span[0] - 1)
    if len(application.target) == 1 or first not in ("too", "very"):
        return False
    return before in _DEGREES_TOO or (first == "too" and before in INDEFINITE)


def _is_only(application: Application, context: Context) -> bool:
    """*Only* for an adverb after an article, or for both together ("an exclusively human disease")."""
    first, *_, last = context.word(application.span[0] - 1), *application.target
    return last == "only" and not INDEFINITE.isdisjoint((first, application.target[0]))


def _is_other_number(application: Application, context: Context) -> bool:
    """*More* or *many* for *additional* or *further* after *the*, *this* or an adjective ("the more money")."""
    start, end = application.span
    if application.target[0] not in _NUMBERS or _ADDITIONAL.isdisjoint(context.words[start:end]):
        return False
    first = start - (context.word(start - 1) in _NUMBER_WORDS)
    return context.word(first - 1) in _NEVER_BEFORE_MORE or context.is_adjective(start - 1)


def _is_for_one(application: Application, context: Context) -> bool:
    """*Many*, *a few* and the like with a verb for one ("there was many people" for "there was a number of people")."""
    start, end = application.span
    target = application.target
    counts = target[0] in _COUNTS or target[:2] == ("a", "few") or "total" in context.words[start:end]
    if not counts or context.word(start) not in ARTICLES:
        return False
    before = context.words[max(start - 3, 0) : start]
    if "there" in before and not _SINGULAR.isdisjoint(before):
        return True
    counted = end - (application.arity > 0)  # the noun is the gap, or follows
    return context.is_plural(counted) and context.word(counted + 1) in FOR_ONE


def _counts_one(application: Application, context: Context) -> bool:
    """*Many* or *several* before a noun in the singular ("eat many fruit" for "a variety of fruit")."""
    end = application.span[1]
    labels, last = context.labels(end), application.target[-1]
    if last not in ("many", "several") or "NN" not in labels or context.word(end) in _PLURALS_TOO:
        return False
    if is_plural_form(context.word(end)) or context.is_plural(end + 1):  # "many remains", "many metal rods"
        return False
    if not labels.isdisjoint(_MAY_PRECEDE_PLURALS) or "JJ" in context.labels(end + 2):  # "many state and local offices"
        return False
    return context.word(end + 1) in AFTER_PHRASES or context.labels(end + 1).isdisjoint(NOUN_PHRASE)


def _reduces_nothing(application: Application, context: Context) -> bool:
    """A form of *reduce* without an object ("numbers reduced steadily"), save in a passive."""
    start, end = application.span
    if len(application.target) > 1 or application.target[0] not in _REDUCE:
        return False
    passive = context.before_adverbs(start) in FORMS_OF_BE or context.word(end) == "by"
    if application.label in ("JJ", "VBN") and passive:
        return False
    after = context.after_adverbs(end)
    return not after[:1].isalnum() or after in AFTER_PHRASES or context.word(end) in _AFTER_REDUCE


def _lacks_noun(application: Application, context: Context) -> bool:
    """*Older* after *the*, where no noun follows it ("the older need care" for "the elderly")."""
    start, end = application.span
    if application.target != ("older",) or context.word(start - 1) != "the":
        return False
    labels = context.labels(end)
    if context.word(end) in AFTER_PHRASES or labels.isdisjoint(NOUN_PHRASE):
        return True
    return "NNS" not in labels and not labels.isdisjoint(_CLEAR_VERBS)


def _lacks_the(application: Application, context: Context) -> bool:
    """*Right* before a noun without *the* ("wear appropriate shoes")."""
    start, end = application.span
    if application.target != ("right",) or not is_content_word(context.word(end)):
        return False
    return context.word(start - 1) not in _BEFORE_RIGHT


def begins_agent(word: str) -> bool:
    """Whether what follows *by* did something: no measure, no "by doing"."""
    return bool(word) and word.isalpha() and not word.endswith("ing") and word not in _MEASURES


def _is_second_article(application: Application, context: Context) -> bool:
    """An article that the source has not, after a determiner or an adjective ("the old the population of Ulm")."""
    start = application.span[0]
    if application.target[0] not in ARTICLES or context.word(start) in DETERMINERS:
        return False
    before = context.word(start - 1)
    if before in DETERMINERS or before.endswith("ern") or context.is_adjective(start - 1):
        return True
    return is_content_word(before) and context.word(start - 2) in DETERMINERS


# The checks of each label; a rule clashes if any of them is true of it.
WORD_CHECKS: dict[str, tuple[PlaceCheck, ...]] = {
    "NN": (_is_many, _lacks_article),
    "NP": (_is_other_number, _is_for_one, _counts_one, _is_second_article),
    "JJ": (_is_twice_degree, _counts_one, _reduces_nothing, _lacks_noun, _lacks_the),
    "RB": (_is_adverbial, _is_degree, _is_twice_degree, _is_only),
    **dict.fromkeys(("VB", "VBP"), (*PARTING_CHECKS, _is_other_be, _needs_deed, _reduces_nothing)),
    **dict.fromkeys(("VBD", "VBZ"), (*PARTING_CHECKS, _is_singular, _needs_deed, _reduces_nothing)),
    "VBN": (_drops_participle, _loses_passive, *PARTING_CHECKS, _reduces_nothing),
    "VBG": (_drops_participle, *PARTING_CHECKS, _needs_deed, _reduces_nothing, _is_named),
    "X": (
        _drops_participle,
        _loses_passive,
        _is_followed,
        _loses_agent,
        _loses_comma,
        _is_singular,
        _is_only,
        _is_other_be,
        _is_finite_do,
        _is_other_number,
        _is_for_one,
        _counts_one,
        _is_named,
        _varies_shall,
    ),
    "PP": (_is_followed,),
    "S": (_loses_comma,),
}
