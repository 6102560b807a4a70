"""Does a rule write what the user never wants written?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from sbmt.features.sentence.application import Application, Value
from sbmt.text.glossary import Pair, is_refused

REFUSED = "Refused"


class Refused:
    """Refused: 1 for a rule that does what a pair of a glossary refuses (`sbmt.text.glossary.is_refused`)."""

    names = (REFUSED,)

    def __init__(self, pairs: Iterable[Pair]) -> None:
        """Each pair is a term and what is refused for it, in lower-cased words; the term may be empty."""
        self._by_term: defaultdict[str, list[Pair]] = defaultdict(list)  # by the first word of the term
        self._without_term: defaultdict[str | int, list[Pair]] = defaultdict(list)  # by the first word refused
        for pair in pairs:
            term, words = pair
            if term:
                self._by_term[term[0]].append(pair)
            else:
                self._without_term[words[0]].append(pair)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[Value]:
        """One per application that writes what is refused."""
        lowered = tuple(word.lower() for word in sentence)
        by_first: defaultdict[str | int, list[Pair]] = defaultdict(list)  # by what is written: few rules write that
        known = set(lowered)
        for pair in chain.from_iterable(self._by_term.get(word, ()) for word in known):
            if known.issuperset(pair[0]):
                by_first[pair[1][0]].append(pair)
        for number, application in enumerate(applications) if by_first or self._without_term else ():
            if application.grammar < 0:
                continue
            begin, end = application.span
            target = tuple(symbol.lower() if isinstance(symbol, str) else symbol for symbol in application.target)
            lists = (pairs.get(symbol, ()) for symbol in target for pairs in (by_first, self._without_term))
            near = chain.from_iterable(lists)
            if any(is_refused(pair, lowered[begin:end], target) for pair in near):
                yield number, REFUSED, 1.0
