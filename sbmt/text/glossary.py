"""What the user wants written for a term, and what never: the words of a house, as files."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.io import read_text
from sbmt.text.casing import CLOSING_MARKS, is_capitalised
from sbmt.text.protect import Protected
from sbmt.text.tokens import Token, penn_tokens

Words = tuple[str, ...]

_COMMENT = re.compile(r"(?:^|\s)#.*")
_AFTER_PERIODS = frozenset(CLOSING_MARKS.values())  # what may follow the period of a sentence
_ENTRY = re.compile(r"(?P<source>.+?)\s+(?P<sign>!?=)\s+(?P<target>.+)")
_FORMS = "|"  # between the forms of a term
_INSIDE = " x"  # after a form, whose period is thus no sentence's
_SYMBOLS = frozenset("+#*~<>=/\\^_&@-–—")  # what is written next to its neighbours as the file has it: C++, ~5


@dataclass(frozen=True)
class Glossary:
    """`wanted` gives for the words of a term those to be written, themselves if it is to stay; `refused` are pairs.

    The words on the left are lower-cased Penn tokens. Those on the right of a wanted term keep their case. `acronyms`
    are the terms with capitals after a first letter, as the file has them: theirs say nothing of what is written.
    """

    wanted: dict[Words, Words] = field(default_factory=dict)
    refused: tuple[tuple[Words, Words], ...] = ()
    acronyms: frozenset[Words] = frozenset()

    @cached_property
    def _by_first(self) -> dict[str, list[Words]]:
        """The wanted terms by their first word, the longest first."""
        found: defaultdict[str, list[Words]] = defaultdict(list)
        for term in sorted(self.wanted, key=len, reverse=True):
            found[term[0]].append(term)
        return dict(found)

    @cached_property
    def _abbreviations(self) -> set[str]:
        """The last words of terms that have a period of their own."""
        return {term[-1] for term in self.wanted if term[-1].endswith(".")}

    def spans(self, tokens: Sequence[Token], goes_on: bool = False) -> Iterator[Protected]:
        """The wanted terms of a sentence from left to right, of those that begin at one place the longest.

        A sentence's last period may be that of an abbreviation too, and then comes after what is written for it, unless
        the sentence `goes_on`.
        """
        words = [token.word.lower() for token in tokens]
        if words[-1:] == ["."] and f"{''.join(words[-2:-1])}." in self._abbreviations:
            words[-2] += "."
        i = 0
        while i < len(words):
            here = (term for term in self._by_first.get(words[i], ()) if tuple(words[i : i + len(term)]) == term)
            term = next(here, None)
            if term is None:
                i += 1
                continue
            span = self._span(tokens, i, term, goes_on)
            yield span
            i = span.j

    def _span(self, tokens: Sequence[Token], i: int, term: Words, goes_on: bool) -> Protected:
        """A term at a place of a sentence."""
        j, target = i + len(term), self.wanted[term]
        if target == term:
            return Protected(i, j)
        as_listed = tuple(token.text for token in tokens[i:j]) in self.acronyms or any(map(is_capitalised, target))
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


def read_glossary(path: str | Path, encoding: str = "utf-8") -> Glossary:
    """Read "TERM = WORDS" (always write WORDS for it) and "TERM != WORDS" (never do), one a line.

    Bars separate forms, as many on both sides, or one on the right: "buy|buys = get|gets". "#" starts a comment at the
    start of a line and after white space. Raises FormatError naming the line for anything else and for a term that
    is to become two things.
    """
    wanted: dict[Words, Words] = {}
    acronyms: set[Words] = set()
    refused: list[tuple[Words, Words]] = []
    for number, line in enumerate(read_text(path, encoding), 1):
        text = _COMMENT.sub("", line).strip()
        if not text:
            continue
        match = _ENTRY.fullmatch(text)
        if match is None:
            raise FormatError(str(path), number, f"neither TERM = WORDS nor TERM != WORDS: {text}")
        sources, targets = ([form.strip() for form in side.split(_FORMS)] for side in match.group("source", "target"))
        if not all((*sources, *targets)):
            raise FormatError(str(path), number, f"a form without words: {text}", "take out the bar beside it")
        if match["sign"] == "!=":
            refused += product(map(_lowered, sources), map(_lowered, targets))
            continue
        if len(targets) not in (1, len(sources)):
            cure = "give as many on the right, or one"
            raise FormatError(str(path), number, f"{len(sources)} forms have {len(targets)} equivalents: {text}", cure)
        for source, target in zip(sources, targets * (len(sources) // len(targets)), strict=True):
            term = _lowered(source)
            words = term if term == _lowered(target) else _written(target)
            if wanted.setdefault(term, words) != words:
                problem = f"{' '.join(term)} was to become {' '.join(wanted[term])} before"
                raise FormatError(str(path), number, problem, "keep one of the two")
            if any(is_capitalised(token.text[1:]) for token in _tokens(source)):
                acronyms.add(tuple(token.text for token in _tokens(source)))
    return Glossary(wanted, tuple(refused), frozenset(acronyms))


def _tokens(form: str) -> list[Token]:
    return penn_tokens(form + _INSIDE, lowercase=False)[:-1]


def _lowered(form: str) -> Words:
    return tuple(token.word.lower() for token in _tokens(form))


def _written(form: str) -> Words:
    """The words to write: tokens, but for symbols, which are one word with what they touch."""
    words: list[str] = []
    begin, before = 0, Token(-1, -1, "", "")
    for token in _tokens(form):
        if token.start == before.end and not _SYMBOLS.isdisjoint((token.text, before.text)):
            words[-1] = form[begin : token.end]
        else:
            begin = token.start
            words.append(token.word)
        before = token
    return tuple(words)
