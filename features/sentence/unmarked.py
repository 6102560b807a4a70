"""Checks that also see a sentence without its markup: what can stand at a place does not depend on emphasis.

Beside the `**` of Markdown, a tag or entity of HTML, a quotation mark or a footnote's number, a check that looks at the
words around a rule sees none. "You need a **permit**" is checked as it stands, and as "You need a permit".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Protocol

from sbmt.features.sentence.application import KEPT, Application, StatelessFeature, Value
from sbmt.text.protection.elements import is_tag
from sbmt.text.protection.entities import mark_of
from sbmt.text.tokens import SUPERSCRIPTS

_MARKS = frozenset("*_~†‡")  # of Markdown and footnotes, as are the next; links are [text](address)
_HIGHLIGHT = "="  # twice
_OPENS_LINK, _CLOSES_LINK, _OPENS_ADDRESS, _CLOSES_ADDRESS = "-lsb-", "-rsb-", "-lrb-", "-rrb-"
_OF_LABELS = frozenset("0123456789,;-–")  # of footnotes: [1], [2, 3]
_LONGEST_LABEL = 8  # words, of [^label] too
_LONGEST_NOTE = 40  # words between <sup> and </sup>, with tags inside
# Of a short quotation or a word in brackets: what opens it -> what closes it, and how many words may be in between.
# Longer ones are clauses of their own.
_PAIRS = {"``": ("''", 3), "`": ("'", 3), _OPENS_ADDRESS: (_CLOSES_ADDRESS, 1)}
# What a sentence in which something is hidden has; most have none of it.
_MAY_HIDE = re.compile(rf"[{SUPERSCRIPTS}*_~†‡=`<&]|{_OPENS_LINK}|{_CLOSES_LINK}|{_OPENS_ADDRESS}")


class Check(StatelessFeature, Protocol):
    """One of one name that is 0 or one other value."""

    names: tuple[str]


class Unmarked:
    """A check of the sentence both with and without markup."""

    def __init__(self, check: Check) -> None:
        self._check, self.names = check, check.names

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """What the check says of either."""
        clashes = self._check.values(sentence, applications)
        if not _MAY_HIDE.search(" ".join(sentence)):
            return clashes
        hidden = {*_marks(_read(sentence)), *_tags(sentence, applications)}
        if not hidden:
            return clashes
        place = list(accumulate([i not in hidden for i in range(len(sentence))], initial=0))
        words = [word for i, word in enumerate(sentence) if i not in hidden]
        moved = [_moved(application, place) for application in applications]
        seen = [number for number, application in enumerate(moved) if application.span[0] < application.span[1]]
        again = self._check.values(words, [moved[number] for number in seen])
        return dict.fromkeys([*clashes, *((seen[k], name, value) for k, name, value in again)])


def _moved(application: Application, place: Sequence[int]) -> Application:
    """An application in a sentence in which the words have these places."""
    start, end = application.span
    gaps = tuple([(place[first], place[last]) for first, last in application.gaps])
    return application._replace(span=(place[start], place[end]), gaps=gaps)


def _read(sentence: Iterable[str]) -> list[str]:
    """The words, entities as the marks that they are; the quotation marks of typewriters open and close in turn."""
    words, is_open = list[str](), False
    for word in sentence:
        mark = mark_of(word) if word.startswith("&") else None
        if mark == '"':
            mark, is_open = "''" if is_open else "``", not is_open
        words.append(word if mark is None else mark)
    return words


def _marks(words: Sequence[str]) -> Iterator[int]:
    """The places of marks, white space, labels of footnotes, and brackets and addresses of links."""
    for i, word in enumerate(words):
        if word in _PAIRS:
            closes, longest = _PAIRS[word]
            inside = words[i + 1 : i + longest + 2]
            if closes in inside:
                yield from (i, i + 1 + inside.index(closes))
        is_highlight = word == _HIGHLIGHT and _HIGHLIGHT in (*words[max(i - 1, 0) : i], *words[i + 1 : i + 2])
        if is_highlight or word in _MARKS or not word.strip(SUPERSCRIPTS):
            yield i
        elif word == _OPENS_LINK:
            yield from range(i, _end_of_label(words, i))
        elif word == _CLOSES_LINK:
            yield i
            if [*words[i + 1 : i + 2], *words[i + 3 : i + 4]] == [_OPENS_ADDRESS, _CLOSES_ADDRESS]:
                yield from range(i + 1, i + 4)


def _end_of_label(words: Sequence[str], i: int) -> int:
    """Where the label of a footnote ends whose bracket is at `i`; after the bracket if there is none."""
    inside = words[i + 1 : i + _LONGEST_LABEL + 2]
    if _CLOSES_LINK in inside:
        inside = inside[: inside.index(_CLOSES_LINK)]
        if inside[:1] == ["^"] or _OF_LABELS.issuperset("".join(inside)):
            return i + len(inside) + 2
    return i + 1


def _tags(sentence: Sequence[str], applications: Iterable[Application]) -> Iterator[int]:
    """The places of tags, which are kept as a whole, and of what is between <sup> and </sup>."""
    if "<" not in sentence:
        return
    for application in applications:
        start, end = application.span
        if application.rule_id == KEPT and is_tag(sentence[start:end]):
            yield from range(start, end)
            if sentence[start + 1] == "sup":
                yield from range(end, _end_of_note(sentence, end))


def _end_of_note(sentence: Sequence[str], start: int) -> int:
    """Where the closing tag of the note that starts there begins; `start` if it is far away."""
    places = range(start, min(start + _LONGEST_NOTE, len(sentence) - 3))
    return next((i for i in places if tuple(sentence[i : i + 3]) == ("<", "/", "sup")), start)
