"""Does the part of speech of a rule fit the place? Told from the words around it, for input has no tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sbmt.features.applications import Application

# What untagged input still tells of parts of speech: words after which a verb, a past tense or a noun cannot stand ...
_BEFORE_NOUNS = frozenset(
    "a an the its their our my your his whose every no such of for with by from in into at".split()
)
_BEFORE_VERBS = frozenset("will would can could shall should must cannot i you he she we they who".split())
_FORMS_OF_BE = frozenset("am are be been being is was were 're".split())
_FORMS_OF_HAVE = frozenset("had has have having 's 've".split())
_BEFORE_PARTICIPLES = _FORMS_OF_BE | _FORMS_OF_HAVE
_NEVER_AFTER = {
    **dict.fromkeys(("VB", "VBP"), _BEFORE_NOUNS),
    "VBZ": _BEFORE_NOUNS.union("'s these those many several few other similar early good better best".split()),
    "VBD": _BEFORE_NOUNS | _BEFORE_PARTICIPLES | {"to"},
    "VBN": frozenset("i he she we they who which".split()),
    **dict.fromkeys(("NN", "NNS", "JJ"), _BEFORE_VERBS),
}
# ... words that begin an object, which a participle has only behind a form of be or have, and what may part the two ...
_BEGIN_OBJECTS = frozenset(
    "a an the its their his our my your this that these those it him them us me more much some many several all no "
    "both each $ two three four five six seven eight nine ten dozens hundreds thousands millions".split()
)
_BETWEEN = frozenset("not n't also always already ever first just later never now often once since soon then".split())
# ... participles that have no passive, and so stand behind a form of have only ...
_NO_PASSIVE = frozenset("become come died fallen gone happened lived stayed".split())
# ... ends of participles that stand before no noun (a given help, the set up camps), and what may follow them then.
_NEVER_BEFORE_NOUNS = frozenset("done given seen shown taken apart away back down off out together up".split())
_FOLLOWERS = frozenset(
    "in on at by for with from to into onto through throughout after before during since until while when where "
    "as like than near over under above below against about among between behind within without across along "
    "around toward towards upon via per and or but nor if because so who which not is are was were be been has "
    "have had do does did can could will would shall should may might must again also earlier first here last "
    "later next now once only then there today twice yesterday".split()
)


class LabelClash:
    """LabelClash: 1 for a rule whose label cannot stand where it does (to get a *permit* is no verb).

    The word before tells and, for past participles, the word behind, and whether they have a passive at all.
    """

    names = ("LabelClash",)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """One per clash; the first word of a sentence has nothing to clash with."""
        for number, application in enumerate(applications):
            i, j = application.span
            if application.grammar < 0 or i == 0 or application.label not in _NEVER_AFTER:
                continue
            if application.target != tuple(sentence[i:j]) and _clashes(application, sentence):
                yield number, "LabelClash", 1.0


def _clashes(application: Application, sentence: Sequence[str]) -> bool:
    start, end = application.span
    if sentence[start - 1] in _NEVER_AFTER[application.label]:
        return True
    if application.label != "VBN":
        return False
    before = start - 1
    while before > 0 and (sentence[before] in _BETWEEN or sentence[before].endswith("ly")):
        before -= 1
    if not _NO_PASSIVE.isdisjoint(application.target[:1]):
        return sentence[before] not in _FORMS_OF_HAVE
    if end == len(sentence) or sentence[before] in _BEFORE_PARTICIPLES or sentence[end - 1] in _FOLLOWERS:
        return False  # behind "provided by" stands no object of the participle
    return _begins_object(sentence[end], application.target)


def _begins_object(word: str, target: tuple[str | int, ...]) -> bool:
    """Whether a noun phrase begins with a word behind a participle; a noun does if `target` cannot stand before it."""
    if word in _BEGIN_OBJECTS or word[0].isdigit():
        return True
    is_noun = word.isalpha() and word not in _FOLLOWERS | _NEVER_BEFORE_NOUNS and not word.endswith("ly")
    return is_noun and not _NEVER_BEFORE_NOUNS.isdisjoint(target[-1:])
