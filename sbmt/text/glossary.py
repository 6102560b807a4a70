"""Glossaries: required and forbidden replacements of terms."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise

from sbmt.text.casing import has_capital, is_shouted
from sbmt.text.penn import CLOSING_MARKS
from sbmt.text.protection.protect import Protected
from sbmt.text.tokens import Token
from sbmt.text.words.english import SENTENCE_ENDS

Words = tuple[str, ...]
Pair = tuple[Words, Words]  # a term and a refused replacement

_AFTER_PERIODS = frozenset(CLOSING_MARKS.values())  # marks that may follow the period of a sentence


@dataclass(frozen=True)
class Glossary:
    """Required and refused replacements of terms.

    `wanted` maps the words of a term to those to write, or to themselves if the term must stay. `refused` are pairs of
    a term and words that must not replace it; an empty term refuses the words whatever the source. Terms are
    lower-cased Penn tokens; the words written for a wanted term keep their case. `acronyms` are the terms written with
    capitals inside words in the file (*US*, *GPs*): they match only with these capitals (*us* is another word), and
    their replacements do not take over the capitals.
    """

    wanted: dict[Words, Words] = field(default_factory=dict)
    refused: tuple[Pair, ...] = ()
    acronyms: frozenset[Words] = frozenset()

    def updated(self, other: Glossary) -> Glossary:
        """Return the union of two glossaries; `other` takes precedence for terms in both."""
        refused_by_first: defaultdict[str, list[Pair]] = defaultdict(list)  # by the first of the refused words
        for pair in other.refused:
            refused_by_first[pair[1][0]].append(pair)

        def allowed(term: Words, words: Words) -> bool:
            lowered = tuple(word.lower() for word in words)
            pairs = chain.from_iterable(refused_by_first.get(word, ()) for word in lowered)
            return not any(is_refused(pair, term, lowered) for pair in pairs)

        kept_terms = {
            term: words for term, words in self.wanted.items() if term not in other.wanted and allowed(term, words)
        }
        acronyms = (term for term in self.acronyms if tuple(word.lower() for word in term) in kept_terms)
        return Glossary({**kept_terms, **other.wanted}, self.refused + other.refused, other.acronyms.union(acronyms))

    @cached_property
    def _by_first(self) -> dict[str, list[Words]]:
        """The wanted terms by first word, longest first."""
        terms_by_word: defaultdict[str, list[Words]] = defaultdict(list)
        for term in sorted(self.wanted, key=len, reverse=True):
            terms_by_word[term[0]].append(term)
        return dict(terms_by_word)

    @cached_property
    def _acronyms_by_term(self) -> dict[Words, Words]:
        """The acronyms by lower-cased term."""
        return {tuple(word.lower() for word in term): term for term in self.acronyms}

    @cached_property
    def _abbreviations(self) -> set[str]:
        """The last words of terms that end with a period."""
        return {term[-1] for term in self.wanted if term[-1].endswith(".")}

    @cached_property
    def may_divide(self) -> bool:
        """Whether a sentence may seem to end inside a wanted term."""
        return any(word[-1] in SENTENCE_ENDS for term in self.wanted for word in term[:-1])

    def spans(self, tokens: Sequence[Token], goes_on: bool = False) -> Iterator[Protected]:
        """Yield the wanted terms of a sentence from left to right, the longest of those that begin at the same token.

        The last period of a sentence may also belong to an abbreviation; it is then written after the replacement,
        unless the sentence `goes_on`.
        """
        words = [token.word.lower() for token in tokens]
        if len(words) > 1 and words[-1] == "." and f"{words[-2]}." in self._abbreviations:
            words[-2] += "."
        is_all_caps = is_shouted(tokens)
        i = 0
        while i < len(words):
            terms = (term for term in self._by_first.get(words[i], ()) if tuple(words[i : i + len(term)]) == term)
            term = next((t for t in terms if self._matches_capitals(tokens[i : i + len(t)], t, is_all_caps)), None)
            if term is None:
                i += 1
                continue
            span = self._span(tokens, i, term, goes_on)
            yield span
            i = span.j

    def _matches_capitals(self, tokens: Sequence[Token], term: Words, is_all_caps: bool) -> bool:
        """Whether words with inner capitals in the file have them in the text too, or the text is all capitals."""
        listed_words = self._acronyms_by_term.get(term, ())
        return all(
            token.text == (word.upper() if is_all_caps else word) or not has_inner_capital(word)
            for token, word in zip(tokens, listed_words, strict=False)
        )

    def _span(self, tokens: Sequence[Token], i: int, term: Words, goes_on: bool) -> Protected:
        """Return the protected span of a term that begins at token i."""
        j, target = i + len(term), self.wanted[term]
        if target == term:
            return Protected(i, j)
        acronym = tuple(token.text for token in tokens[i:j]) in self.acronyms
        as_listed = acronym or any(map(has_capital, target))
        if term[-1].endswith("."):
            ends = not goes_on and {token.word for token in tokens[j:]} <= _AFTER_PERIODS
            if not tokens[j - 1].text.endswith("."):
                j += goes_on  # its period is a separate token
            elif i > 0 and ends and not target[-1].endswith("."):
                target = (*target, ".")
        return Protected(i, j, target=target, as_listed=as_listed, acronym=acronym)


NO_GLOSSARY = Glossary()


def with_terms(protected: Sequence[Protected], terms: Iterable[Protected]) -> list[Protected]:
    """Merge terms into protected spans, in order: a term replaces spans inside it and is dropped inside wider ones."""
    accepted: list[Protected] = []
    for term in terms:
        low = bisect_right(protected, term.i, key=lambda span: span.j)
        high = bisect_left(protected, term.j, key=lambda span: span.i)
        if all(term.i <= span.i and span.j <= term.j for span in protected[low:high]):
            accepted.append(term)
    replaced = {i for term in accepted for i in range(term.i, term.j)}
    return sorted([*accepted, *(span for span in protected if span.i not in replaced)], key=lambda span: span.i)


def is_refused(pair: Pair, source: Words, target: tuple[str | int, ...]) -> bool:
    """Whether a pair refuses a rule with these sides (words and gaps).

    A rule is refused if its source holds the term and its target the words but not the term; if the term is empty, if
    its target holds the words and its source does not.
    """
    term, words = pair
    if not term:
        return holds(target, words) and not holds(source, words)
    return holds(target, words) and holds(source, term) and not holds(target, term)


def holds(symbols: tuple[str | int, ...], words: Words) -> bool:
    """Whether the words occur in the symbols consecutively."""
    return any(symbols[i : i + len(words)] == words for i in range(len(symbols) - len(words) + 1))


def has_inner_capital(word: str) -> bool:
    """Whether a word has capitals that headings do not explain: NHS, U.S., A&E, GPs, but not Sub-Committee."""
    return any(letter.isupper() and (before.isalnum() or before in ".&") for before, letter in pairwise(word))
