"""Does a rule write for a term what the user never wants written for it?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from sbmt.features.applications import Application, Symbol

Words = tuple[str, ...]

REFUSED = "Refused"


class Refused:
    """Refused: 1 for a rule over a term's words that writes the words refused for it, and not the term itself."""

    names = (REFUSED,)

    def __init__(self, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
        """Each pair is a term and what is refused for it, in lower-cased words."""
        self._by_first: defaultdict[str, list[tuple[Words, Words]]] = defaultdict(list)
        for term, words in pairs:
            self._by_first[term[0]].append((tuple(term), tuple(words)))

    def values(self, sentence: Sequence[str], applications: Sequence[Application]) -> Iterable[tuple[int, str, float]]:
        """One per application that writes what is refused."""
        lowered = [word.lower() for word in sentence]
        near = (pair for word in set(lowered) for pair in self._by_first.get(word, ()))
        pairs = [(term, words) for term, words in near if _holds(lowered, term)]
        for number, application in enumerate(applications) if pairs else ():
            begin, end = application.span
            target = [symbol.lower() if isinstance(symbol, str) else symbol for symbol in application.target]
            if application.grammar >= 0 and any(
                _holds(target, words) and _holds(lowered[begin:end], term) and not _holds(target, term)
                for term, words in pairs
            ):
                yield number, REFUSED, 1.0


def _holds(symbols: Sequence[Symbol], words: Words) -> bool:
    """Whether the symbols have these words somewhere, one after the other."""
    return any(tuple(symbols[i : i + len(words)]) == words for i in range(len(symbols) - len(words) + 1))
