"""Does the part of speech of a rule fit the place? Told from the words around it, for input has no tags.

What a grammar has as rules for a single word tells which parts of speech that word can be at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sbmt.features.applications import Application
from sbmt.features.label_words import (
    AFTER_NOUNS,
    AFTER_PARTICIPLES,
    AFTER_PHRASES,
    ARTICLES,
    BEFORE_BASE_FORMS,
    BEFORE_CLAUSE_VERBS,
    BEFORE_COMPARATIVES,
    BEFORE_NOUNS,
    BEFORE_PARTICIPLES,
    BEFORE_PREPOSITIONS,
    BEFORE_SUPERLATIVES,
    BEFORE_VERBS,
    BEGIN_OBJECTS,
    BEGIN_ONLY_OBJECTS,
    BEGIN_PREDICATES,
    BETWEEN,
    DEGREES,
    DETERMINERS,
    FINITE,
    FORMS_OF_HAVE,
    MANY,
    MEASURES,
    NEED_OBJECTS,
    NEVER_AFTER,
    NEVER_BEFORE_OBJECTS,
    NO_PASSIVE,
    PASTS_WITHOUT_OBJECT,
    PREDICATIVE,
    PREPOSITIONS,
    SINGULAR,
    UNCHANGED_PASTS,
    VERBS_TOO,
)
from sbmt.text.english import FORMS_OF_BE, NEVER_BEFORE_NOUNS, UNCOUNTABLE

_IRREGULAR = {"good": "be", "bad": "wors", "far": "fur"}  # how their comparatives and superlatives begin
_AGENT_WINDOW = 4  # words between a passive and "by"
_NOUNS = frozenset(("NN", "NNS"))
_VERBS = frozenset(("VB", "VBD", "VBN", "VBP", "VBZ"))  # "very worrying" has a degree
_NOUN_PHRASE = _NOUNS | {"JJ"}
_COMPARED = frozenset(("JJR", "JJS"))


class LabelClash:
    """LabelClash: 1 for a rule whose label cannot stand where it does (to get a *permit* is no verb).

    The words before and after it tell, and what parts of speech the grammar has for them and for the word itself.
    """

    names = ("LabelClash",)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """One per clash."""
        context = _Context(sentence, applications)
        for number, application in enumerate(applications):
            if application.grammar < 0 or application.label not in _CHECKS:
                continue
            i, j = application.span
            if application.target != tuple(sentence[i:j]) and _clashes(application, context):
                yield number, "LabelClash", 1.0


class _Context:
    """The words of a sentence, and what they can be."""

    def __init__(self, words: Sequence[str], applications: Iterable[Application]) -> None:
        self.words = words
        self._labels: dict[int, set[str]] = {}
        self._degrees: dict[tuple[int, int], set[str]] = {}
        for application in applications:
            start, end = application.span
            if application.grammar < 0 or application.arity:
                continue
            if end - start == 1:
                self._labels.setdefault(start, set()).add(application.label)
            elif application.label in _COMPARED:
                self._degrees.setdefault(application.span, set()).add(str(*application.target[:1]))

    def word(self, i: int) -> str:
        """The word at `i`; outside the sentence an empty one."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def labels(self, i: int) -> set[str]:
        """The labels of the rules for the word at `i` alone."""
        return self._labels.get(i, set())

    def degrees(self, start: int, end: int) -> set[str]:
        """The comparatives and superlatives for some words ("worse" for "more harmful")."""
        return self._degrees.get((start, end), set())

    def before_adverbs(self, end: int) -> str:
        """The word before the adverbs that end at `end`; if there is nothing else, the first of them."""
        before = end - 1
        while before > 0 and (self.words[before] in BETWEEN or self.is_adverb(before)):
            before -= 1
        return self.word(before)

    def is_adverb(self, i: int) -> bool:
        """Whether the word at `i` ends in *-ly* and is no noun, as *family* is."""
        return self.word(i).endswith("ly") and _NOUNS.isdisjoint(self.labels(i))


_Check = Callable[[Application, _Context], bool]


def _clashes(application: Application, context: _Context) -> bool:
    label, before = application.label, context.word(application.span[0] - 1)
    if before in NEVER_AFTER.get(label, ()):
        return True
    return bool(application.target) and any(check(application, context) for check in _CHECKS[label])


def _is_verb_here(application: Application, context: _Context) -> bool:
    """A noun or an adjective that can be a verb, before an object or, in the singular, after *to*."""
    start, end = application.span
    if end - start > 1 or context.labels(start).isdisjoint(("VB", "VBP", "VBZ")):
        return False
    if str(application.target[-1]).removesuffix("s") in VERBS_TOO:
        return False
    return context.word(end) in BEGIN_ONLY_OBJECTS or (application.label == "NN" and context.word(start - 1) == "to")


def _is_uncountable(application: Application, context: _Context) -> bool:
    """A noun without a plural after *a*, or after *a* and an adjective."""
    if application.target[-1] not in UNCOUNTABLE:
        return False
    start = application.span[0]
    return context.word(start - 1) in ARTICLES or (
        context.word(start - 2) in ARTICLES and context.word(start - 1) not in AFTER_PHRASES
    )


def _is_modifier(application: Application, context: _Context) -> bool:
    """A noun that is an adjective as well, before a noun ("novel ways", "individual rights")."""
    start, end = application.span
    return "JJ" in context.labels(start) and end - start == 1 and not context.labels(end).isdisjoint(_NOUNS)


def _is_compared(application: Application, context: _Context) -> bool:
    """An adjective after *more* or *most* that has one word for both ("more bad" is "worse")."""
    start, target = application.span[0], str(application.target[-1])
    if len(application.target) > 1 or context.word(start - 1) not in ("more", "most"):
        return False
    stem = _IRREGULAR.get(target, target[:-1])
    return any(form.startswith(stem) for form in context.degrees(start - 1, application.span[1]))


def _is_gerund(application: Application, context: _Context) -> bool:
    """An adjective in *-ing* that is a verb here: it has an object."""
    end = application.span[1]
    return context.word(end - 1).endswith("ing") and context.word(end) in BEGIN_ONLY_OBJECTS | {"from"}


def _is_predicate(application: Application, context: _Context) -> bool:
    """What can follow *is* but precede no noun (*not aware customers*, *rising quickly demand*)."""
    target, (start, end) = application.target, application.span
    if target == ("enough",) and context.word(start - 1) in DETERMINERS:  # "an adequate supply"
        return True
    if context.word(end) in AFTER_PHRASES or context.labels(end).isdisjoint(_NOUNS):
        return False
    if len(target) == 1:
        return target[0] in PREDICATIVE
    if application.label == "VBG" and context.word(start - 1) in DETERMINERS:  # "the circulating water"
        return not str(target[-1]).endswith("ing")
    return target[0] in BEGIN_PREDICATES or str(target[-1]).endswith("ly") or target[-1] in ("worse", "better")


def _is_head(application: Application, context: _Context) -> bool:
    """An adjective that is a noun as well, after *a* and before no noun ("a minor in the town")."""
    start, end = application.span
    if end - start > 1 or "NN" not in context.labels(start) or context.word(start - 1) not in ARTICLES:
        return False
    return context.word(end) in AFTER_NOUNS


def _tells_number(application: Application, context: _Context) -> bool:
    """A comparative for *more* and an adjective where *more* may mean a greater number ("more elderly people")."""
    start, end = application.span
    degree, before = context.word(start), context.word(start - 1)
    if degree not in ("more", "most") or end - start == 1:
        return False
    if degree == "most" or not context.labels(end).isdisjoint(_NOUN_PHRASE):
        return before not in (BEFORE_SUPERLATIVES if degree == "most" else BEFORE_COMPARATIVES)
    return before in ("and", "many")  # "more and more harmful"


def _is_adverbial(application: Application, context: _Context) -> bool:
    """A phrase for an adverb after a word of degree (*so of course*)."""
    return len(application.target) > 1 and context.word(application.span[0] - 1) in DEGREES


def _is_degree(application: Application, context: _Context) -> bool:
    """*Very* after a word of degree or before what has no degree ("strikingly, it"), or "more well" for *better*."""
    start, end = application.span
    if application.target == ("well",):
        return context.word(start - 1) in ("less", "more", "most")
    if application.target != ("very",):
        return False
    if context.word(start - 1) in DEGREES or not context.word(end)[:1].isalpha():
        return True
    labels = context.labels(end)
    return bool(labels) and labels <= _VERBS


def _is_noun_here(application: Application, context: _Context) -> bool:
    """A verb after a word that can only describe a noun."""
    start = application.span[0]
    labels, earlier = context.labels(start - 1), context.word(start - 2)
    if labels == {"JJ"}:
        return earlier != "the"  # "the poor" is a noun itself
    describes = {"JJ", "JJS", "VBD", "VBN"}  # adverbs as well: *an early permit*
    return not labels.isdisjoint(describes) and labels <= describes | {"RB"} and earlier in BEFORE_NOUNS


def _is_subject(application: Application, context: _Context) -> bool:
    """A base form before a finite verb ("reuse can be avoided"), if it is not the verb of a clause itself."""
    start, end = application.span
    if context.word(end) not in FINITE or context.before_adverbs(start) in BEFORE_CLAUSE_VERBS:
        return False
    return application.label == "VB" or "NNS" not in context.labels(start - 1)  # "what they have in common is"


def _is_past(application: Application, context: _Context) -> bool:
    """A base form that may be a past tense as well, without a word that says it is none ("a mob set fire to it")."""
    start = application.span[0]
    return context.word(start) in UNCHANGED_PASTS and context.before_adverbs(start) not in BEFORE_BASE_FORMS


def _parts_again(application: Application, context: _Context) -> bool:
    """A verb with *again*, before an object that should be between the two ("open the shop again")."""
    end = application.span[1]
    if application.target[-1] != "again" or context.word(end - 1) == "again":
        return False
    word, labels = context.word(end), context.labels(end)
    return word in BEGIN_OBJECTS or (_is_content_word(word) and not labels.isdisjoint(_NOUN_PHRASE))


def _is_object(application: Application, context: _Context) -> bool:
    """The form of a verb for *it*, or the plural of a noun, after a past tense ("expressed fears")."""
    labels = context.labels(application.span[0] - 1)
    return "VBD" in labels and labels <= {"JJ", "VBD", "VBN"}


def _is_participle(application: Application, context: _Context) -> bool:
    """A past tense where only a participle can stand."""
    start, end = application.span
    if context.before_adverbs(start) in NEVER_AFTER["VBD"]:
        return True
    before = context.labels(start - 1)
    using = "VBG" in before and before.isdisjoint(_NOUNS)  # "using donated cells"
    can_use = "VB" in before and "RB" not in before and context.word(start - 2) in BEFORE_VERBS
    if not start or using or can_use:
        return context.word(end) not in BEGIN_OBJECTS and _is_content_word(context.word(end))
    return (
        context.word(end) == "by"
        and _begins_agent(context.word(end + 1))
        and application.target[0] not in PASTS_WITHOUT_OBJECT
    )


def _lacks_object(application: Application, context: _Context) -> bool:
    """A past tense that needs an object, after a noun and before none: a participle ("surveys did since 1940")."""
    start, end = application.span
    first, *rest = application.target
    if end - start > 1 or first not in NEED_OBJECTS or rest not in ([], ["away"], ["out"]):
        return False
    if context.word(end) not in AFTER_PARTICIPLES:
        return False
    return context.word(start - 1) == "and" or not context.labels(start - 1).isdisjoint(_NOUNS)


def _has_object(application: Application, context: _Context) -> bool:
    """A participle without a form of *be* or *have* before what must be its object, or one that has no passive."""
    start, end = application.span
    before = context.before_adverbs(start)
    if start and not NO_PASSIVE.isdisjoint(application.target[:1]):
        return before not in FORMS_OF_HAVE
    if end == len(context.words) or before in BEFORE_PARTICIPLES or context.word(end - 1) in AFTER_PHRASES:
        return False  # no object of the participle follows "provided by"
    return _begins_object(context.word(end), application.target, first=not start)


def _begins_object(word: str, target: tuple[str | int, ...], first: bool) -> bool:
    """Whether a noun phrase begins with a word after a participle; a noun does if `target` cannot stand before it.

    A participle that is the `first` word may have an object ("given a choice, he ...").
    """
    if not first and (word in BEGIN_OBJECTS or word[0].isdigit()):
        return True
    if NEVER_BEFORE_OBJECTS.isdisjoint(target[-1:]) or word in BEGIN_OBJECTS:
        return False
    return _is_content_word(word) and word not in NEVER_BEFORE_NOUNS


def _drops_participle(application: Application, context: _Context) -> bool:
    """A preposition for a participle and it ("derived from") after an adverb or *can be*."""
    start, end = application.span
    if not context.word(start).endswith(("ed", "en", "ing")) or application.target != (context.word(end - 1),):
        return False
    if application.target[0] not in PREPOSITIONS:
        return False
    before = context.word(start - 1)
    if context.is_adverb(start - 1):
        return before not in BEFORE_PREPOSITIONS
    return before == "be" and context.before_adverbs(start - 1) in BEFORE_VERBS


def _loses_passive(application: Application, context: _Context) -> bool:
    """*With* or *having* for a participle that a form of *be* needs ("not equipped with" as "they were not with")."""
    start = application.span[0]
    if application.target[0] not in ("with", "having") or not context.word(start).endswith("ed"):
        return False
    return context.before_adverbs(start) in FORMS_OF_BE


def _is_followed(application: Application, context: _Context) -> bool:
    """*After* for *following* where that is a verb ("by following the rules", "they were following the rules")."""
    start = application.span[0]
    if application.target[0] != "after" or context.word(start) != "following":
        return False
    before = context.word(start - 1)
    return before in FORMS_OF_BE or before in PREPOSITIONS or context.is_adverb(start - 1)


def _loses_agent(application: Application, context: _Context) -> bool:
    """An intransitive verb for a passive, before who did it ("came out in 1810 by him")."""
    start, end = application.span
    if application.target[0] not in PASTS_WITHOUT_OBJECT or context.word(start) not in FORMS_OF_BE:
        return False
    after = context.words[end : end + _AGENT_WINDOW]
    return "by" in after and _begins_agent(context.word(end + after.index("by") + 1))


def _loses_comma(application: Application, context: _Context) -> bool:
    """A word between two commas, for what takes no second one ("In 2011, but the plan" for "however, the plan")."""
    start, end = application.span
    parts = end - start > 1 and context.word(start - 1) == context.word(start + 1) == ","
    return parts and "," not in application.target


def _is_singular(application: Application, context: _Context) -> bool:
    """*Was*, *is* or *has* for a verb that has the same form for many, after what is many."""
    start, end = application.span
    if application.target[0] not in SINGULAR or not SINGULAR.isdisjoint(context.words[start:end]):
        return False
    return context.word(start - 1) in MANY or "NNS" in context.labels(start - 1)


def _is_content_word(word: str) -> bool:
    return word.isalpha() and word not in AFTER_PHRASES and not word.endswith("ly")


def _begins_agent(word: str) -> bool:
    """Whether what follows *by* did something: no measure, no "by doing"."""
    return bool(word) and word.isalpha() and not word.endswith("ing") and word not in MEASURES


# By label what is looked at once NEVER_AFTER has nothing against it, in the order of the functions above: each says of
# which rules it is true, and these clash.
_CHECKS: dict[str, tuple[_Check, ...]] = {
    "NN": (_is_verb_here, _is_uncountable, _is_modifier),
    "NNS": (_is_verb_here,),
    "JJ": (_is_verb_here, _is_compared, _is_gerund, _is_predicate, _is_head),
    "JJR": (_tells_number,),
    "JJS": (_tells_number,),
    "RB": (_is_adverbial, _is_degree),
    "IN": (),  # NEVER_AFTER only
    "VB": (_is_noun_here, _is_subject, _is_past, _parts_again),
    "VBP": (_is_noun_here, _is_subject, _is_past, _parts_again),
    "VBZ": (_is_noun_here, _is_object, _parts_again),
    "VBD": (_is_participle, _lacks_object, _parts_again),
    "VBN": (_has_object, _drops_participle, _loses_passive, _parts_again),
    "VBG": (_is_predicate, _drops_participle, _parts_again),
    "X": (_drops_participle, _loses_passive, _is_followed, _loses_agent, _loses_comma, _is_singular),
    "S": (_loses_comma,),
}
