"""What the user wants written for a term, and what never: the words of a house."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from sbmt.text.casing import has_capital, is_shouted
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.protection.protect import Protected
from sbmt.text.tokens import Token
from sbmt.text.words.english import SENTENCE_ENDS

Words = tuple[str, ...]
Pair = tuple[Words, Words]  # a term and what is refused for it

_AFTER_PERIODS = frozenset(CLOSING_MARKS.values())  # what may follow the period of a sentence


@dataclass(frozen=True)
class Glossary:
    """`wanted` gives for the words of a term those to be written, themselves if it is to stay; `refused` are pairs.

    The words on the left are lower-cased Penn tokens. Those on the right of a wanted term keep their case. In a pair
    there may be none on the left (never write those on the right, whatever the source). `acronyms` are the terms that
    the file writes with capitals inside words (*US*, *GPs*): they are found only with these capitals (*us* is another
    word), and what is written for them does not take over their capitals.
    """

    wanted: dict[Words, Words] = field(default_factory=dict)
    refused: tuple[Pair, ...] = ()
    acronyms: frozenset[Words] = frozenset()

    def updated(self, other: Glossary) -> Glossary:
        """Both in one; where they say different things of a term, what `other` says."""

        def stays(term: Words, words: Words) -> bool:
            lowered = tuple(word.lower() for word in words)
            return not any(is_refused(pair, term, lowered) for pair in other.refused)

        own = {term: words for term, words in self.wanted.items() if term not in other.wanted and stays(term, words)}
        acronyms = (term for term in self.acronyms if tuple(word.lower() for word in term) in own)
        return Glossary({**own, **other.wanted}, self.refused + other.refused, other.acronyms.union(acronyms))

    @cached_property
    def _by_first(self) -> dict[str, list[Words]]:
        """The wanted terms by their first word, the longest first."""
        found: defaultdict[str, list[Words]] = defaultdict(list)
        for term in sorted(self.wanted, key=len, reverse=True):
            found[term[0]].append(term)
        return dict(found)

    @cached_property
    def _capitals(self) -> dict[Words, Words]:
        """The acronyms by their lower-cased words."""
        return {tuple(word.lower() for word in term): term for term in self.acronyms}

    @cached_property
    def _abbreviations(self) -> set[str]:
        """The last words of terms that have a period of their own."""
        return {term[-1] for term in self.wanted if term[-1].endswith(".")}

    @cached_property
    def may_divide(self) -> bool:
        """Whether a sentence may seem to end inside a wanted term."""
        return any(word[-1] in SENTENCE_ENDS for term in self.wanted for word in term[:-1])

    def spans(self, tokens: Sequence[Token], goes_on: bool = False) -> Iterator[Protected]:
        """The wanted terms of a sentence from left to right, of those that begin at one place the longest.

        A sentence's last period may be that of an abbreviation too, and then comes after what is written for it, unless
        the sentence `goes_on`.
        """
        words = [token.word.lower() for token in tokens]
        if len(words) > 1 and words[-1] == "." and f"{words[-2]}." in self._abbreviations:
            words[-2] += "."
        shouted = is_shouted(tokens)
        i = 0
        while i < len(words):
            here = (term for term in self._by_first.get(words[i], ()) if tuple(words[i : i + len(term)]) == term)
            term = next((term for term in here if self._has_capitals(tokens[i : i + len(term)], term, shouted)), None)
            if term is None:
                i += 1
                continue
            span = self._span(tokens, i, term, goes_on)
            yield span
            i = span.j

    def _has_capitals(self, tokens: Sequence[Token], term: Words, shouted: bool) -> bool:
        """Whether the words of a term that the file writes with capitals inside have these, or are shouted."""
        listed = self._capitals.get(term, ())
        return all(
            token.text == (word.upper() if shouted else word) or not has_inner_capital(word)
            for token, word in zip(tokens, listed, strict=False)
        )

    def _span(self, tokens: Sequence[Token], i: int, term: Words, goes_on: bool) -> Protected:
        """A term at a place of a sentence."""
        j, target = i + len(term), self.wanted[term]
        if target == term:
            return Protected(i, j)
        as_listed = tuple(token.text for token in tokens[i:j]) in self.acronyms or any(map(has_capital, target))
        if term[-1].endswith("."):
            ends = not goes_on and {token.word for token in tokens[j:]} <= _AFTER_PERIODS
            if not tokens[j - 1].text.endswith("."):
                j += goes_on  # its period is a token of its own
            elif i > 0 and ends and not target[-1].endswith("."):
                target = (*target, ".")
        return Protected(i, j, target=target, as_listed=as_listed)


NO_GLOSSARY = Glossary()


def with_terms(protected: Sequence[Protected], terms: Iterable[Protected]) -> list[Protected]:
    """Both kinds of spans, in order: a term replaces what is protected inside it, and is none in what is wider."""
    found: list[Protected] = []
    for term in terms:
        low = bisect_right(protected, term.i, key=lambda span: span.j)
        high = bisect_left(protected, term.j, key=lambda span: span.i)
        if all(term.i <= span.i and span.j <= term.j for span in protected[low:high]):
            found.append(term)
    replaced = {place for term in found for place in range(term.i, term.j)}
    return sorted([*found, *(span for span in protected if span.i not in replaced)], key=lambda span: span.i)


def is_refused(pair: Pair, source: Words, target: tuple[str | int, ...]) -> bool:
    """Whether a rule over the words of `source` that writes `target` (words and gaps) does what a pair refuses.

    That is every rule over the term that writes the words and not the term; without a term every rule that writes the
    words where the source does not have them.
    """
    term, words = pair
    if not term:
        return holds(target, words) and not holds(source, words)
    return holds(target, words) and holds(source, term) and not holds(target, term)


def holds(symbols: tuple[str | int, ...], words: Words) -> bool:
    """Whether the symbols have these words somewhere, one after the other."""
    return any(symbols[i : i + len(words)] == words for i in range(len(symbols) - len(words) + 1))


def has_inner_capital(word: str) -> bool:
    """Whether it has capitals that are not those of a heading: NHS, U.S., A&E, GPs, but not Sub-Committee."""
    return any(letter.isupper() and (before.isalnum() or before in ".&") for before, letter in pairwise(word))
