"""A line of text as the decoder needs it: sentences of tokens, and which of them must not change."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from sbmt.config import check_fields
from sbmt.text.glossary import NO_GLOSSARY, Glossary, with_terms
from sbmt.text.protection.protect import Protected, ProtectOptions, inner_capitals, kept_characters, protected_spans
from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import Token, penn_tokens, space_tokens
from sbmt.text.whitespace import WHITE

Span = tuple[int, int]  # characters [start, end) of a line

LONGEST = 250  # tokens; a longer sentence is decoded in pieces, so that time and memory stay linear in its length
_BREAKS = frozenset([".", ",", ";", ":", "--", "!", "?", "...", "-rrb-"])


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How text becomes words and words text.

    `lowercase`: rules are matched in lower case; `recase`: case and "a"/"an" are restored in the output; `glossary`
    and `patterns`: the paths of the bundle's own glossary and list of what is kept (as --protect has it), which are
    read by whoever loads the bundle, not here.
    """

    lowercase: bool = True
    recase: bool = True
    glossary: str = ""
    patterns: str = ""
    protect: ProtectOptions = field(default_factory=ProtectOptions)

    @classmethod
    def verbatim(cls) -> TextOptions:
        """Take words as they are, and keep nothing from the rules."""
        return cls(lowercase=False, recase=False, protect=ProtectOptions.none())

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `[start, start + len(text))` of a line; token offsets count from the sentence's own start.

    `protected` are the spans of tokens that are not left to the rules, in order and apart from one another.
    """

    start: int
    text: str
    tokens: tuple[Token, ...]
    protected: tuple[Protected, ...]
    tokenized: bool = False
    recase: bool = True

    @property
    def words(self) -> list[str]:
        """What the decoder matches and copies."""
        return [token.word for token in self.tokens]


class Pipeline:
    """From lines to sentences; `tokenized`: a line is one sentence and ASCII white space separates its tokens."""

    def __init__(
        self,
        options: TextOptions,
        tokenized: bool = False,
        patterns: Sequence[re.Pattern[str]] = (),
        glossary: Glossary = NO_GLOSSARY,
    ) -> None:
        self.options, self.tokenized, self.patterns, self.glossary = options, tokenized, tuple(patterns), glossary

    def sentences(self, line: str) -> list[Sentence]:
        """The sentences of a line, in order; what lies between them is white space, and none ends in what is kept."""
        whole = _stripped(line) if self.tokenized else split_sentences(line)
        if not whole:
            return []
        tokens = {(start, end): self._tokens(line[start:end]) for start, end in whole}
        names = set().union(*map(inner_capitals, tokens.values()))
        kept = _disjoint(self._kept(line, whole[0][0], whole[-1][1]))
        spans = _undivided(whole, _disjoint([*kept, *self._terms(line)]))
        found: list[Sentence] = []
        following = [*(start for start, _ in spans[1:]), len(line)]
        for (start, end), after in zip(spans, following, strict=True):
            text = line[start:end]
            own = tokens.get((start, end)) or self._tokens(text)
            inside = [(i - start, j - start) for i, j in _between(kept, start, end)]
            protected = protected_spans(text, own, self.options.protect, inside, names)
            goes_on = line[after : after + 1].islower()  # the sentence was cut at an abbreviation
            protected = with_terms(protected, self.glossary.spans(own, goes_on))
            parts = tuple(own), tuple(protected)
            found += _pieces(Sentence(start, text, *parts, self.tokenized, self.options.recase))
        return found

    def _tokens(self, text: str) -> list[Token]:
        return (space_tokens if self.tokenized else penn_tokens)(text, self.options.lowercase)

    def _terms(self, line: str) -> Iterator[Span]:
        """Characters of a glossary's terms, if a sentence may seem to end inside one."""
        if self.glossary.may_divide:
            tokens = self._tokens(line)
            for term in self.glossary.spans(tokens):
                yield tokens[term.i].start, tokens[term.j - 1].end

    def _kept(self, line: str, start: int, end: int) -> Iterator[Span]:
        """Characters of a line, between the white space at its ends, of which no rule may change any."""
        for i, j in kept_characters(line[start:end], self.options.protect, self.patterns):
            yield start + i, start + j


def _stripped(line: str) -> list[Span]:
    """The line without the white space around it, if there is more."""
    body = line.strip(WHITE)
    return [(line.index(body), line.index(body) + len(body))] if body else []


def _disjoint(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that overlap as one, without empty ones."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        elif start < end:
            found.append((start, end))
    return found


def _between(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Those of disjoint spans in order that touch `[start, end)`."""
    low = bisect_right(spans, start, key=lambda span: span[1])
    return spans[low : bisect_left(spans, end, key=lambda span: span[0])]


def _undivided(sentences: Sequence[Span], kept: Sequence[Span]) -> list[Span]:
    """The sentences, those as one between which a span begins before the end of the first and ends in the next."""
    found = [sentences[0]]
    for start, end in sentences[1:]:
        if any(i < found[-1][1] and start < j for i, j in _between(kept, found[-1][1] - 1, start + 1)):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _pieces(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence of more than LONGEST tokens in several pieces, cut after punctuation where there is any."""
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
    """Where the piece from `first` on ends: after the last punctuation in its second half, or as late as can be."""
    if len(sentence.tokens) - first <= LONGEST:
        return len(sentence.tokens)
    places = [k for k in range(first + LONGEST, first + LONGEST // 2, -1) if k not in inside]
    after_mark = (k for k in places if sentence.tokens[k - 1].word in _BREAKS)
    return next(after_mark, places[0] if places else first + LONGEST)


def _slice(sentence: Sentence, first: int, end: int) -> Sentence:
    """Tokens `[first, end)` as a sentence of their own."""
    shift = sentence.tokens[first].start
    tokens = tuple(token.shifted(-shift) for token in sentence.tokens[first:end])
    low = bisect_right(sentence.protected, first, key=lambda span: span.j)
    high = bisect_left(sentence.protected, end, key=lambda span: span.i)
    spans = sentence.protected[low:high]
    protected = tuple(s._replace(i=max(s.i, first) - first, j=min(s.j, end) - first) for s in spans)
    text = sentence.text[shift : sentence.tokens[end - 1].end]
    return replace(sentence, start=sentence.start + shift, text=text, tokens=tokens, protected=protected)
