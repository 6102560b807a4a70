"""Source-context features: does a rule fit the place, and is this a word that a simplifier would change, here?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sbmt.decoder.features import Application
from sbmt.features.context import ChangeModel


class ChangeOdds:
    """What an application changes, by a `ChangeModel`; zero where it copies.

    ChangedWords: source words that are not on the target side. ChangeLogOdds: the sum over these words of
    ln(p/(1-p)), p being the probability that a simplifier changes the word in this sentence. Applications with gaps
    are left out: their rules do not say which words of the span are their own.
    """

    names = ("ChangedWords", "ChangeLogOdds")

    def __init__(self, model: ChangeModel) -> None:
        self.model = model

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """See the class."""
        odds = self.model.log_odds(sentence).tolist()
        for number, application in enumerate(applications):
            if application.grammar < 0 or application.arity:
                continue
            remaining = Counter(application.target)
            changed, total = 0, 0.0
            for position in range(*application.span):
                if remaining[sentence[position]] > 0:
                    remaining[sentence[position]] -= 1
                else:
                    changed, total = changed + 1, total + odds[position]
            if changed:
                yield number, "ChangedWords", float(changed)
                yield number, "ChangeLogOdds", total


# What untagged input still tells of parts of speech: words after which a verb, a past tense or a noun cannot stand ...
_BEFORE_NOUNS = frozenset("a an the its their our my your every".split())
_BEFORE_VERBS = frozenset("will would can could shall should must cannot i you he she we they who".split())
_FORMS_OF_BE = frozenset("am are be been being is was were 're".split())
_BEFORE_PARTICIPLES = _FORMS_OF_BE.union("had has have having 've".split())
_NEVER_AFTER = {
    **dict.fromkeys(("VB", "VBP", "VBZ"), _BEFORE_NOUNS),
    "VBD": _BEFORE_NOUNS | _BEFORE_PARTICIPLES,
    "VBN": frozenset("i he she we they who which".split()),
    **dict.fromkeys(("NN", "NNS", "JJ"), _BEFORE_VERBS),
}
# ... words that begin an object, which a participle has only behind a form of be or have, and what may part the two ...
_BEGIN_OBJECTS = frozenset("a an the its their his our my your these those more some many several all $".split())
_BETWEEN = frozenset("not n't also always already ever first just later never now often once since soon then".split())
# ... and participles that no form of be makes a passive of.
_NO_PASSIVE = frozenset("come died fallen gone happened lived stayed".split())


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
    if sentence[before] in _FORMS_OF_BE:
        return not _NO_PASSIVE.isdisjoint(application.target[:1])
    has_object = end < len(sentence) and _begins_object(sentence[end])
    return has_object and sentence[before] not in _BEFORE_PARTICIPLES


def _begins_object(word: str) -> bool:
    return word in _BEGIN_OBJECTS or word[0].isdigit()
