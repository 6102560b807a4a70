"""What the user wants written for a term, and what never: the words of a house, as files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.io import read_text
from sbmt.text.protect import Protected
from sbmt.text.tokens import Token, penn_words

Words = tuple[str, ...]

_COMMENT = re.compile(r"(?:^|\s)#.*")
_ENTRY = re.compile(r"(?P<source>.+?)\s+(?P<sign>!?=)\s+(?P<target>.+)")
_FORMS = "|"  # between the forms of a term


@dataclass(frozen=True)
class Glossary:
    """`wanted` gives for the words of a term those to be written, themselves if it is to stay; `refused` are pairs.

    The words on the left are lower-cased Penn tokens. Those on the right of a wanted term keep their case.
    """

    wanted: dict[Words, Words] = field(default_factory=dict)
    refused: tuple[tuple[Words, Words], ...] = ()

    @cached_property
    def _by_first(self) -> dict[str, list[Words]]:
        """The wanted terms by their first word, the longest first."""
        found: defaultdict[str, list[Words]] = defaultdict(list)
        for term in sorted(self.wanted, key=len, reverse=True):
            found[term[0]].append(term)
        return dict(found)

    def spans(self, tokens: Sequence[Token]) -> Iterator[Protected]:
        """The wanted terms of a sentence from left to right, of those that begin at one place the longest."""
        words = [token.word.lower() for token in tokens]
        i = 0
        while i < len(words):
            here = (term for term in self._by_first.get(words[i], ()) if tuple(words[i : i + len(term)]) == term)
            term = next(here, None)
            if term is None:
                i += 1
                continue
            target = self.wanted[term]
            yield Protected(i, i + len(term), target=None if target == term else target)
            i += len(term)


NO_GLOSSARY = Glossary()


def with_terms(protected: Sequence[Protected], terms: Iterable[Protected]) -> list[Protected]:
    """Both kinds of spans, in order: a term replaces what is protected inside it, and is none in what is wider."""
    found = list(protected)
    for term in terms:
        touched = [span for span in found if span.i < term.j and term.i < span.j]
        if all(term.i <= span.i and span.j <= term.j for span in touched):
            found = [span for span in found if span not in touched]
            found.append(term)
    return sorted(found)


def read_glossary(path: str | Path, encoding: str = "utf-8") -> Glossary:
    """Read "TERM = WORDS" (always write WORDS for it) and "TERM != WORDS" (never do), one a line.

    Forms stand between bars, as many on both sides, or one on the right: "buy|buys = get|gets". "#" starts a comment at
    the start of a line and after white space. Raises FormatError naming the line for anything else and for a term that
    is to become two things.
    """
    wanted: dict[Words, Words] = {}
    refused: list[tuple[Words, Words]] = []
    for number, line in enumerate(read_text(path, encoding), 1):
        text = _COMMENT.sub("", line).strip()
        if not text:
            continue
        match = _ENTRY.fullmatch(text)
        if match is None:
            raise FormatError(str(path), number, f"neither TERM = WORDS nor TERM != WORDS: {text}")
        sources, targets = _forms(match["source"]), _forms(match["target"])
        if not all((*sources, *targets)):
            raise FormatError(str(path), number, f"a form without words: {text}")
        if match["sign"] == "!=":
            refused += product(map(_lowered, sources), map(_lowered, targets))
            continue
        if len(targets) not in (1, len(sources)):
            cure = "give as many on the right, or one"
            raise FormatError(str(path), number, f"{len(sources)} forms have {len(targets)} equivalents: {text}", cure)
        for source, target in zip(sources, targets * (len(sources) // len(targets)), strict=True):
            term = _lowered(source)
            words = term if term == _lowered(target) else target
            if wanted.setdefault(term, words) != words:
                raise FormatError(str(path), number, f"{' '.join(term)} was to become {' '.join(wanted[term])} before")
    return Glossary(wanted, tuple(refused))


def _forms(text: str) -> list[Words]:
    return [tuple(penn_words(form.strip(), lowercase=False)) for form in text.split(_FORMS)]


def _lowered(words: Words) -> Words:
    return tuple(word.lower() for word in words)
