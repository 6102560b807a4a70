"""Preparation of lines for the decoder: sentences, tokens, and spans that must not change."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from sbmt.config import ConfigError, check_fields
from sbmt.errors import SbmtError
from sbmt.text.glossary import NO_GLOSSARY, Glossary, with_terms
from sbmt.text.protection.patterns import Pattern
from sbmt.text.protection.protect import (
    Protected,
    ProtectOptions,
    inner_capitals,
    kept_characters,
    parted,
    protected_spans,
)
from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import Token, penn_tokens, space_tokens
from sbmt.text.whitespace import WHITE
from sbmt.text.words.language import ENGLISH, Language, language_of

Span = tuple[int, int]  # characters [start, end) of a line

LONGEST = 250  # tokens; longer sentences are decoded in pieces, which keeps time and memory linear in the length
_FIRST_CHARACTER = re.compile(r"[^\w\s]{0,2}(\w)")
_BREAK_MARKS = frozenset([".", ",", ";", ":", "--", "!", "?", "...", "-rrb-"])


@dataclass(frozen=True, slots=True)
class TextOptions:
    """Options of the conversion from text to words and back.

    `lowercase`: rules are matched in lower case. `recase`: case and "a"/"an" are restored in the output. `language`, an
    ISO 639 code, says where sentences end and which words are never names; outside English "a", "i" and possessives
    are left alone. `glossary` and `patterns` are paths of a glossary and a list of protected patterns (as for
    --protect) in the bundle; whoever loads the bundle reads them.
    """

    lowercase: bool = True
    recase: bool = True
    language: str = ENGLISH.code
    glossary: str = ""
    patterns: str = ""
    protect: ProtectOptions = field(default_factory=ProtectOptions)

    @classmethod
    def verbatim(cls) -> TextOptions:
        """Return options that leave words unchanged and protect nothing."""
        return cls(lowercase=False, recase=False, protect=ProtectOptions.none())

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does, and for what is no code of a language."""
        check_fields(self)
        try:
            language_of(self.language)
        except SbmtError as error:
            raise ConfigError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: characters `[start, start + len(text))` of a line, its tokens with offsets relative to `start`.

    `protected` are the token spans that rules must not change, in order and disjoint.
    """

    start: int
    text: str
    tokens: tuple[Token, ...]
    protected: tuple[Protected, ...]
    tokenized: bool = False
    recase: bool = True
    language: Language = ENGLISH

    @property
    def words(self) -> list[str]:
        """The word forms that the decoder matches and copies."""
        return [token.word for token in self.tokens]


class Pipeline:
    """Converts lines to sentences; `tokenized`: a line is one sentence whose tokens ASCII white space separates."""

    def __init__(
        self,
        options: TextOptions,
        tokenized: bool = False,
        patterns: Sequence[Pattern] = (),
        glossary: Glossary = NO_GLOSSARY,
    ) -> None:
        self.options, self.tokenized, self.patterns, self.glossary = options, tokenized, tuple(patterns), glossary
        self.language = language_of(options.language)

    def sentences(self, line: str) -> list[Sentence]:
        """Return the sentences of a line in order, separated by white space only; none ends inside a protected span."""
        sentence_spans = _stripped(line) if self.tokenized else split_sentences(line, self.language.code)
        if not sentence_spans:
            return []
        tokens = {(start, end): self._tokens(line[start:end]) for start, end in sentence_spans}
        known_names = set().union(
            *(inner_capitals(sentence_tokens, self.language) for sentence_tokens in tokens.values())
        )
        kept_spans = _disjoint(self._kept_spans(line, sentence_spans[0][0], sentence_spans[-1][1]))
        spans = _undivided(sentence_spans, _disjoint([*kept_spans, *self._term_spans(line)]))
        result: list[Sentence] = []
        next_starts = [*(start for start, _ in spans[1:]), len(line)]
        for (start, end), next_start in zip(spans, next_starts, strict=True):
            text = line[start:end]
            sentence_tokens = tokens.get((start, end)) or self._tokens(text)
            inside = [(i - start, j - start) for i, j in _between(kept_spans, start, end)]
            protected = protected_spans(text, sentence_tokens, self.options.protect, inside, known_names, self.language)
            goes_on = _goes_on(line, next_start)
            if terms := list(self.glossary.spans(sentence_tokens, goes_on)):
                protected = with_terms(list(parted(protected, terms, sentence_tokens)), terms)
            contents = tuple(sentence_tokens), tuple(protected)
            result += _pieces(Sentence(start, text, *contents, self.tokenized, self.options.recase, self.language))
        return result

    def _tokens(self, text: str) -> list[Token]:
        return (space_tokens if self.tokenized else penn_tokens)(text, self.options.lowercase)

    def _term_spans(self, line: str) -> Iterator[Span]:
        """Yield the characters of the glossary's terms, if sentences may be split inside any."""
        if self.glossary.may_divide:
            tokens = self._tokens(line)
            for term in self.glossary.spans(tokens):
                yield tokens[term.i].start, tokens[term.j - 1].end

    def _kept_spans(self, line: str, start: int, end: int) -> Iterator[Span]:
        """Yield spans of characters in `line[start:end]` that no rule may change."""
        for i, j in kept_characters(line[start:end], self.options.protect, self.patterns):
            yield start + i, start + j


def _goes_on(line: str, start: int) -> bool:
    """Whether a sentence was split at an abbreviation: a small letter or a figure comes next."""
    following = _FIRST_CHARACTER.match(line, start)
    return following is not None and (following[1].islower() or following[1].isnumeric())


def _stripped(line: str) -> list[Span]:
    """Return the span of a line without surrounding white space; none for a blank line."""
    body = line.strip(WHITE)
    return [(line.index(body), line.index(body) + len(body))] if body else []


def _disjoint(spans: Iterable[Span]) -> list[Span]:
    """Return the non-empty spans in order, overlapping ones merged."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        elif start < end:
            merged.append((start, end))
    return merged


def _between(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Return those of sorted, disjoint spans that overlap `[start, end)`."""
    low = bisect_right(spans, start, key=lambda span: span[1])
    return spans[low : bisect_left(spans, end, key=lambda span: span[0])]


def _undivided(sentences: Sequence[Span], kept_spans: Sequence[Span]) -> list[Span]:
    """Return the sentences, merging neighbours if a kept span extends from one into the other."""
    merged = [sentences[0]]
    for start, end in sentences[1:]:
        if any(i < merged[-1][1] and start < j for i, j in _between(kept_spans, merged[-1][1] - 1, start + 1)):
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    return merged


def _pieces(sentence: Sentence) -> Iterator[Sentence]:
    """Yield a sentence in pieces of at most LONGEST tokens, cut after punctuation if possible."""
    if len(sentence.tokens) <= LONGEST:
        yield sentence
        return
    inside = {k for span in sentence.protected for k in range(span.i + 1, span.j)}
    first = 0
    while first < len(sentence.tokens):
        end = _cut(sentence, first, inside)
        yield _slice(sentence, first, end)
        first = end


def _cut(sentence: Sentence, first: int, inside: Set[int]) -> int:
    """Return the end of the piece from `first`: after the last mark in its second half, else as late as possible."""
    if len(sentence.tokens) - first <= LONGEST:
        return len(sentence.tokens)
    cuts = [k for k in range(first + LONGEST, first + LONGEST // 2, -1) if k not in inside]
    after_mark = (k for k in cuts if sentence.tokens[k - 1].word in _BREAK_MARKS)
    return next(after_mark, cuts[0] if cuts else first + LONGEST)


def _slice(sentence: Sentence, first: int, end: int) -> Sentence:
    """Return tokens `[first, end)` as a sentence."""
    shift = sentence.tokens[first].start
    tokens = tuple(token.shifted(-shift) for token in sentence.tokens[first:end])
    low = bisect_right(sentence.protected, first, key=lambda span: span.j)
    high = bisect_left(sentence.protected, end, key=lambda span: span.i)
    spans = sentence.protected[low:high]
    protected = tuple(s._replace(i=max(s.i, first) - first, j=min(s.j, end) - first) for s in spans)
    text = sentence.text[shift : sentence.tokens[end - 1].end]
    return replace(sentence, start=sentence.start + shift, text=text, tokens=tokens, protected=protected)
