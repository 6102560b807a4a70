"""Does a rule write what the user never wants written?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from sbmt.features.applications import Application
from sbmt.text.glossary import Symbol, Symbols, is_refused

Pair = tuple[Symbols, Symbols]

REFUSED = "Refused"


class Refused:
    """Refused: 1 for a rule that does what a pair of a glossary refuses (`sbmt.text.glossary.is_refused`)."""

    names = (REFUSED,)

    def __init__(self, pairs: Iterable[Pair]) -> None:
        """Each pair is a term and what is refused for it, in lower-cased words and gaps."""
        self._by_first: defaultdict[str, list[Pair]] = defaultdict(list)
        for pair in pairs:
            self._by_first[_first(pair[0])].append(pair)

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """One per application that writes what is refused."""
        lowered = tuple(word.lower() for word in sentence)
        by_first: defaultdict[Symbol, list[Pair]] = defaultdict(list)  # by what is written: few rules write such words
        known = {"", *lowered}
        for pair in chain.from_iterable(self._by_first.get(word, ()) for word in known):
            if known.issuperset(symbol for symbol in pair[0] if isinstance(symbol, str)):
                by_first[_first(pair[1])].append(pair)
        for number, application in enumerate(applications) if by_first else ():
            if application.grammar < 0:
                continue
            begin, end = application.span
            target = tuple(symbol.lower() if isinstance(symbol, str) else symbol for symbol in application.target)
            near = chain.from_iterable(by_first.get(symbol, ()) for symbol in ("", *target))
            if any(is_refused(pair, lowered[begin:end], target) for pair in near):
                yield number, REFUSED, 1.0


def _first(symbols: Symbols) -> str:
    """The first word, or "" if there are only gaps or nothing."""
    return next((symbol for symbol in symbols if isinstance(symbol, str)), "")
