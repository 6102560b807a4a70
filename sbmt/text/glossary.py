"""What the user wants written for a term, and what never: the words of a house, as files."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise, product, starmap
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.text.casing import CLOSING_MARKS, is_capitalised, is_shouted
from sbmt.text.comments import read_entries, without_comment
from sbmt.text.protect import Protected
from sbmt.text.tokens import Token, penn_tokens

Words = tuple[str, ...]
Pair = tuple[Words, Words]  # a term and what is refused for it

_AFTER_PERIODS = frozenset(CLOSING_MARKS.values())  # what may follow the period of a sentence
_ENTRY = re.compile(r"(?:(?P<source>.+?)\s+)?(?P<sign>!?=)\s+(?P<target>.+)")
_GAP = re.compile(r"(?<!\S)\[[^\s\[\]]+,[1-9]\](?!\S)")  # as rules are shown
_SIGNS = frozenset(["=", "!="])  # between the sides; alone on a side one is a word
_FORMS = "|"  # between the forms of a term
_FIELDS = "|||"  # between the fields of a rule as it is shown
_INSIDE = " x"  # after a form, whose period is thus no sentence's
_ARTICLES = {"a", "an"}  # which of them is written depends on the next word
_SYMBOLS = frozenset("+#*~<>=/\\^_&@-–—")  # what is written next to its neighbours as the file has it: C++, ~5


@dataclass(frozen=True)
class Glossary:
    """`wanted` gives for the words of a term those to be written, themselves if it is to stay; `refused` are pairs.

    The words on the left are lower-cased Penn tokens. Those on the right of a wanted term keep their case. In a pair
    there may be none on the left (never write those on the right, whatever the source). `acronyms` are the terms with
    capitals inside words, as the file has them: words that have such capitals there are none without them (*US*, *us*),
    and theirs say nothing of what is written.
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
            token.text == (word.upper() if shouted else word) or not _has_inner_capital(word)
            for token, word in zip(tokens, listed, strict=False)
        )

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


def is_refused(pair: Pair, source: Words, target: tuple[str | int, ...]) -> bool:
    """Whether a rule over the words of `source` that writes `target` (words and gaps) does what a pair refuses.

    That is every rule over the term that writes the words and not the term; without a term every rule that writes the
    words where the source does not have them.
    """
    term, words = pair
    if not term:
        return _holds(target, words) and not _holds(source, words)
    return _holds(target, words) and _holds(source, term) and not _holds(target, term)


def _holds(symbols: tuple[str | int, ...], words: Words) -> bool:
    """Whether the symbols have these words somewhere, one after the other."""
    return any(symbols[i : i + len(words)] == words for i in range(len(symbols) - len(words) + 1))


def read_glossary(path: str | Path, encoding: str = "utf-8") -> Glossary:
    """Read "TERM = WORDS" (always write WORDS for it) and "TERM != WORDS" (never do), one a line.

    Bars separate forms, as many on both sides, or one on the right: "buy|buys = get|gets". "!= WORDS" is never to write
    them. "#" starts a comment at the start of a line and after white space. Raises FormatError naming the line for
    anything else, for a term that is to become two things, and for refusing nothing.
    """
    wanted: dict[Words, Words] = {}
    acronyms: set[Words] = set()
    refused: list[Pair] = []
    for number, text in read_entries(path, encoding):
        try:
            sources, sign, targets = _entry(text)
            if sign == "!=":
                refused += _all_refusals(sources, targets)
                continue
            for source, target in zip(sources, targets, strict=True):
                term, words = _wanted(source, target)
                if wanted.setdefault(term, words) != words:
                    before = "stay" if wanted[term] == term else f"become {' '.join(wanted[term])}"
                    raise _EntryError(f"{source} was to {before} before", "keep one line, whatever the capitals")
                if any(_has_inner_capital(token.text) for token in _tokens(source)):
                    acronyms.add(tuple(token.text for token in _tokens(source)))
        except _EntryError as error:
            raise FormatError(str(path), number, *error.args) from None
    return Glossary(wanted, tuple(refused), frozenset(acronyms))


def refusing_line(source: str, target: str) -> str:
    """The line that refuses what a rule does, by its two sides as rules are shown; "" where no line can.

    Without what both sides begin or end with: rules for the rest alone would write the same.
    """
    sides = [source.split(), target.split()]
    for _ in ("beginning", "end"):
        while all(sides) and (sides[0][0] == sides[1][0] or {side[0] for side in sides} == _ARTICLES):
            sides = [side[1:] for side in sides]
        sides = [side[::-1] for side in sides]
    return _line(" ".join(sides[0]), "!=", " ".join(sides[1])) if all(sides) else ""


def keeping_line(source: str, text: str) -> str:
    """The line that keeps what a rule replaced, by the rule's source side as it is shown and by the words of the text.

    "" where no line can.
    """
    words = source if tuple(source.split()) == _lowered(source) else text
    return _line(words, "=", words)


def _line(source: str, sign: str, target: str) -> str:
    """A line, if it would be read as it is meant."""
    line = f"{source} {sign} {target}"
    try:
        return line if _entry(without_comment(line)) == ([source], sign, [target]) else ""
    except _EntryError:
        return ""


class _EntryError(Exception):
    """What is wrong with a line, and the cure."""


def _entry(text: str) -> tuple[list[str], str, list[str]]:
    """The forms of the two sides of a line and the sign between them; where they are wanted, as many on both."""
    sides_alone = "of a rule write the two sides alone: SOURCE != TARGET" if _FIELDS in text else ""
    match = _ENTRY.fullmatch(text)
    if match is None or (match["source"] is None and match["sign"] == "="):
        raise _EntryError(f"neither TERM = WORDS nor TERM != WORDS: {text}", sides_alone)
    targets = _forms(match["target"])
    sources = [""] if match["source"] is None else _forms(match["source"])
    if not all(targets) or (match["source"] and not all(sources)):
        raise _EntryError(f"a form without words: {text}", sides_alone or "take out the bar beside it")
    if _has_sign(match["source"] or "") or _has_sign(match["target"]):
        raise _EntryError(f"more than one sign: {text}", "write TERM = WORDS or TERM != WORDS, on a line each")
    if gap := _GAP.search(text):
        raise _EntryError(f"a gap of a rule is no word: {text}", f"leave {gap[0]} out, or write words for it")
    if match["sign"] == "=":
        if len(targets) not in (1, len(sources)):
            problem = f"{len(sources)} forms have {len(targets)} equivalents: {text}"
            raise _EntryError(problem, "give as many on the right, or one")
        targets *= len(sources) // len(targets)
    elif all(term and _holds(words, term) for term, words in _all_refusals(sources, targets)):
        cure = f"to leave it alone write {sources[0]} = {sources[0]}"
        raise _EntryError(f"refuses nothing, for the term is among the words: {text}", cure)
    return sources, match["sign"], targets


def _has_sign(side: str) -> bool:
    """Whether a sign stands among words; alone it is the word that is meant."""
    return side not in _SIGNS and not _SIGNS.isdisjoint(side.split())


def _forms(side: str) -> list[str]:
    return [form.strip() for form in side.split(_FORMS)]


def _wanted(source: str, target: str) -> tuple[Words, Words]:
    """A term, and what is to be written for it."""
    term = _lowered(source)
    return term, term if source == target else _written(target)


def _all_refusals(sources: Sequence[str], targets: Sequence[str]) -> Iterator[Pair]:
    """What each form on the left is not to become."""
    return chain.from_iterable(starmap(_refusals, product(sources, targets)))


def _refusals(source: str, target: str) -> Iterable[Pair]:
    """The two sides of what is refused: as tokens of a rule that is shown, and as words of a text."""
    shown = tuple(source.lower().split()), tuple(target.lower().split())
    return dict.fromkeys((shown, (_lowered(source), _lowered(target))))


def _has_inner_capital(word: str) -> bool:
    """Whether it has capitals that are not those of a heading: NHS, U.S., A&E, GPs, but not Sub-Committee."""
    return any(letter.isupper() and (before.isalnum() or before in ".&") for before, letter in pairwise(word))


def _tokens(form: str) -> list[Token]:
    return penn_tokens(form + _INSIDE, lowercase=False)[:-1]


def _lowered(form: str) -> Words:
    return tuple(token.word.lower() for token in _tokens(form))


def _written(form: str) -> Words:
    """The words to write: tokens, but for symbols and letters, which are one word with what they touch (*cannot*)."""
    words: list[str] = []
    begin, before = 0, Token(-1, -1, "", "")
    for token in _tokens(form):
        letters = token.text.isalpha() and before.text.isalpha()
        if token.start == before.end and (letters or not _SYMBOLS.isdisjoint((token.text, before.text))):
            words[-1] = form[begin : token.end]
        else:
            begin = token.start
            words.append(token.word)
        before = token
    return tuple(words)
