"""What a rule changes, weighed by how likely a simplifier is to change these words where they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sbmt.features.sentence.application import Application, Value
from sbmt.features.sentence.change_model import ChangeModel

CHANGED_WORDS, CHANGE_LOG_ODDS = "ChangedWords", "ChangeLogOdds"


class ChangeOdds:
    """What an application changes, by a `ChangeModel`; zero where it copies.

    ChangedWords: source words that are not on the target side. ChangeLogOdds: the sum over these words of
    ln(p/(1-p)), p being the probability that a simplifier changes the word in this sentence. Applications with gaps
    are left out: their rules do not say which words of the span are their own.
    """

    names = (CHANGED_WORDS, CHANGE_LOG_ODDS)

    def __init__(self, model: ChangeModel) -> None:
        self.model = model

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
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
                yield number, CHANGED_WORDS, float(changed)
                yield number, CHANGE_LOG_ODDS, total
