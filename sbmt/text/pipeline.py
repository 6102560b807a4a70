"""A line of text as the decoder needs it: sentences of tokens, and which of them must not change."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from sbmt.config import check_fields
from sbmt.text.code import elements
from sbmt.text.glossary import NO_GLOSSARY, Glossary, with_terms
from sbmt.text.protect import Protected, ProtectOptions, inner_capitals, protected_spans
from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import Token, penn_tokens, space_tokens
from sbmt.text.whitespace import WHITE

LONGEST = 250  # tokens; a longer sentence is decoded in pieces, so that time and memory stay linear in its length
_BREAKS = frozenset([".", ",", ";", ":", "--", "!", "?", "...", "-rrb-"])


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How text becomes words and words text.

    `lowercase`: rules are matched in lower case; `recase`: case and "a"/"an" are restored in the output; `glossary`:
    the path of the bundle's own glossary, which is read by whoever loads the bundle, not here.
    """

    lowercase: bool = True
    recase: bool = True
    glossary: str = ""
    protect: ProtectOptions = field(default_factory=ProtectOptions)

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
        """The sentences of a line, in order; what lies between them is white space."""
        if self.tokenized:
            body = line.strip(WHITE)
            spans = [(line.index(body), line.index(body) + len(body))] if body else []
        else:
            spans = split_sentences(line)
        tokenize = space_tokens if self.tokenized else penn_tokens
        tokens = [tokenize(line[start:end], self.options.lowercase) for start, end in spans]
        names = set().union(*map(inner_capitals, tokens))
        kept = elements(line)[0] if self.options.protect.code and not self.tokenized else []
        found: list[Sentence] = []
        following = [*(start for start, _ in spans[1:]), len(line)]
        for (start, end), own, after in zip(spans, tokens, following, strict=False):
            text = line[start:end]
            inside = [(i - start, j - start) for i, j in kept if i < end and start < j]
            protected = protected_spans(text, own, self.options.protect, self.patterns, names, inside)
            goes_on = line[after : after + 1].islower()  # the sentence was cut at an abbreviation
            protected = with_terms(protected, self.glossary.spans(own, goes_on))
            whole = Sentence(start, text, tuple(own), tuple(protected), self.tokenized, self.options.recase)
            found += _pieces(whole)
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
