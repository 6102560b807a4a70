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


# Words after which a verb, a past tense or a noun cannot stand: what untagged input still tells of parts of speech.
_BEFORE_NOUNS = frozenset("a an the its their our my your every".split())
_BEFORE_VERBS = frozenset("will would can could shall should must cannot i you he she we they who".split())
_BEFORE_PARTICIPLES = frozenset("am are be been being is was were had has have having 're 've".split())
_NEVER_AFTER = {
    **dict.fromkeys(("VB", "VBP", "VBZ"), _BEFORE_NOUNS),
    "VBD": _BEFORE_NOUNS | _BEFORE_PARTICIPLES,
    **dict.fromkeys(("NN", "NNS", "JJ"), _BEFORE_VERBS),
}


class LabelClash:
    """LabelClash: 1 for a rule whose label cannot follow the word before it (to get a *permit* is no verb)."""

    names = ("LabelClash",)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """One per clash; the first word of a sentence has nothing to clash with."""
        for number, application in enumerate(applications):
            start = application.span[0]
            if application.grammar >= 0 and start > 0 and application.label in _NEVER_AFTER:
                i, j = application.span
                copied = application.target == tuple(sentence[i:j])
                if not copied and sentence[start - 1] in _NEVER_AFTER[application.label]:
                    yield number, "LabelClash", 1.0
