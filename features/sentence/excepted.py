"""Does a rule change words where a list of exceptions says that they stay?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from sbmt.features.sentence.application import Application, Value
from sbmt.ppdb.starter.exceptions import END, START, Choice, ExceptionEntry
from sbmt.text.words.english import ARTICLES

EXCEPTED = "Excepted"
Span = tuple[int, int]


class Excepted:
    """Excepted: 1 for a rule that changes only words that the list keeps.

    Its span is trimmed first: gaps, articles and words that both sides share go at the start, gaps and punctuation
    marks at the end. So an exception for *initial* holds for "an initial" and "initial [NN]", and one for *erect* for
    "must erect". A longer rule that knows the context ("a number of his") may change the word.
    """

    names = (EXCEPTED,)

    def __init__(self, entries: Iterable[ExceptionEntry]) -> None:
        """The exceptions, in any order."""
        self._by_first: defaultdict[str, list[ExceptionEntry]] = defaultdict(list)
        for entry in entries:
            for word in entry.kept[0]:
                self._by_first[word].append(entry)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """One per rule that changes what stays."""
        if self._by_first.keys().isdisjoint(sentence):
            return
        kept = list(self._kept(sentence, _seen(sentence, applications)))
        for number, application in enumerate(applications) if kept else ():
            if application.grammar < 0 or not application.target:
                continue
            start, end = own_span(application, sentence)
            if application.target != tuple(sentence[slice(*application.span)]) and any(
                i <= start < end <= j for i, j in kept
            ):
                yield number, EXCEPTED, 1.0

    def _kept(self, sentence: Sequence[str], seen: Sequence[set[str]]) -> Iterator[Span]:
        """The spans that stay. `seen`: what each place is, the ends of the sentence included."""
        for i, word in enumerate(sentence):
            for entry in self._by_first.get(word, ()):
                start, choices = i + 1 - len(entry.before), (*entry.before, *entry.kept, *entry.after)
                if start >= 0 and _fits(choices, seen[start : start + len(choices)]):
                    yield i, i + len(entry.kept)


def _fits(choices: Sequence[Choice], seen: Sequence[set[str]]) -> bool:
    return not any(map(frozenset.isdisjoint, choices, seen))


def _seen(sentence: Sequence[str], applications: Iterable[Application]) -> list[set[str]]:
    """Each word, from the place before the first to that after the last, and its labels in the grammar.

    Of a name of several words the first and the last have its label.
    """
    seen = [{START}, *({word} for word in sentence), {END}]
    for application in applications:
        start, end = application.span
        if not application.arity and (end - start == 1 or application.grammar < 0):
            seen[start + 1].add(application.label)
            seen[end].add(application.label)
    return seen


def own_span(application: Application, sentence: Sequence[str]) -> Span:
    """The span of a rule without what is not its own at its beginning and end."""
    start, end = application.span
    gaps = dict(application.gaps)
    begins = {last: first for first, last in gaps.items()}
    if start in gaps:
        start = gaps[start]
    elif end - start > 1 and sentence[start] in (*ARTICLES, application.target[0]):
        start += 1
    if end in begins:
        end = begins[end]
    elif not sentence[end - 1][:1].isalnum():
        end -= 1
    return start, end
