"""Checks that also see a sentence without its markup: what can stand at a place does not depend on emphasis.

Beside the `**` of Markdown, a tag of HTML or a quotation mark, a check that looks at the words around a rule sees none.
"You need a **permit**" is checked as it stands, and as "You need a permit".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Protocol

from sbmt.features.application import KEPT, Application
from sbmt.text.elements import is_tag

_MARKS = frozenset("*_~")  # of Markdown, as are the next; links are [text](address)
_OPENS_LINK, _CLOSES_LINK, _OPENS_ADDRESS, _CLOSES_ADDRESS = "-lsb-", "-rsb-", "-lrb-", "-rrb-"
# Of a short quotation or a word in brackets: what opens it -> what closes it, and how many words may be in between.
# Longer ones are clauses of their own.
_PAIRS = {"``": ("''", 3), "`": ("'", 3), _OPENS_ADDRESS: (_CLOSES_ADDRESS, 1)}
_ANY = _MARKS | {_OPENS_LINK, "<"} | _PAIRS.keys()


class Check(Protocol):
    """A stateless feature of one name that is 0 or one other value."""

    names: tuple[str]

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """As `sbmt.decoder.features.StatelessFeature`."""


class Unmarked:
    """A check of the sentence both with and without markup."""

    def __init__(self, check: Check) -> None:
        self._check, self.names = check, check.names

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """What the check says of either."""
        found = self._check.values(sentence, applications)
        if _ANY.isdisjoint(sentence):
            return found
        hidden = set(_markup(sentence, applications))
        place = list(accumulate([i not in hidden for i in range(len(sentence))], initial=0))
        words = [word for i, word in enumerate(sentence) if i not in hidden]
        moved = [_moved(application, place) for application in applications]
        seen = [number for number, application in enumerate(moved) if application.span[0] < application.span[1]]
        again = self._check.values(words, [moved[number] for number in seen])
        return dict.fromkeys([*found, *((seen[k], name, value) for k, name, value in again)])


def _moved(application: Application, place: Sequence[int]) -> Application:
    """An application in a sentence in which the words have these places."""
    start, end = application.span
    gaps = tuple([(place[first], place[last]) for first, last in application.gaps])
    return application._replace(span=(place[start], place[end]), gaps=gaps)


def _markup(sentence: Sequence[str], applications: Iterable[Application]) -> Iterator[int]:
    """The places of marks, brackets and addresses of links, and tags, which are kept as a whole."""
    for i, word in enumerate(sentence):
        if word in _PAIRS:
            closes, longest = _PAIRS[word]
            inside = sentence[i + 1 : i + longest + 2]
            if closes in inside:
                yield from (i, i + 1 + inside.index(closes))
        if word in _MARKS or word == _OPENS_LINK:
            yield i
        elif word == _CLOSES_LINK:
            yield i
            if [*sentence[i + 1 : i + 2], *sentence[i + 3 : i + 4]] == [_OPENS_ADDRESS, _CLOSES_ADDRESS]:
                yield from range(i + 1, i + 4)
    for application in applications:
        if application.rule_id == KEPT and is_tag(sentence[slice(*application.span)]):
            yield from range(*application.span)
