"""A line of text as the decoder needs it: sentences of tokens, and which of them must not change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from sbmt.text.protect import Protected, ProtectOptions, protected_spans
from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import Token, penn_tokens, space_tokens

LONGEST = 250  # tokens; a longer sentence is decoded in pieces, so that time and memory stay linear in its length
_BREAKS = frozenset([".", ",", ";", ":", "--", "!", "?", "...", "-rrb-"])


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How text becomes words and words text.

    `lowercase`: rules are matched in lower case; `recase`: case and "a"/"an" are restored in the output.
    """

    lowercase: bool = True
    recase: bool = True
    protect: ProtectOptions = field(default_factory=ProtectOptions)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters `[start, start + len(text))` of a line; token offsets count from the sentence's own start.

    `protected` are the spans of tokens that must not change, in order and apart from one another.
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
    """From lines to sentences; `tokenized`: a line is one sentence and white space parts its tokens."""

    def __init__(self, options: TextOptions, tokenized: bool = False, patterns: Sequence[re.Pattern[str]] = ()) -> None:
        self.options, self.tokenized, self.patterns = options, tokenized, tuple(patterns)

    def sentences(self, line: str) -> list[Sentence]:
        """The sentences of a line, in order; what lies between them is white space."""
        if self.tokenized:
            body = line.strip()
            spans = [(line.index(body), line.index(body) + len(body))] if body else []
        else:
            spans = split_sentences(line)
        return [piece for start, end in spans for piece in _pieces(self._sentence(line[start:end], start))]

    def _sentence(self, text: str, start: int) -> Sentence:
        tokenize = space_tokens if self.tokenized else penn_tokens
        tokens = tokenize(text, self.options.lowercase)
        protected = protected_spans(text, tokens, self.options.protect, self.patterns)
        return Sentence(start, text, tuple(tokens), tuple(protected), self.tokenized, self.options.recase)


def _pieces(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence of more than LONGEST tokens in several pieces, cut after punctuation where there is any."""
    first = 0
    while len(sentence.tokens) - first > LONGEST:
        end = _cut(sentence, first)
        yield _slice(sentence, first, end)
        first = end
    yield _slice(sentence, first, len(sentence.tokens)) if first else sentence


def _cut(sentence: Sentence, first: int) -> int:
    """Where the piece from `first` on ends: after the last punctuation in its second half, or as late as can be."""
    inside = {k for span in sentence.protected for k in range(span.i + 1, span.j)}
    places = [k for k in range(first + LONGEST, first + LONGEST // 2, -1) if k not in inside]
    after_mark = (k for k in places if sentence.tokens[k - 1].word in _BREAKS)
    return next(after_mark, places[0] if places else first + LONGEST)


def _slice(sentence: Sentence, first: int, end: int) -> Sentence:
    """Tokens `[first, end)` as a sentence of their own."""
    shift = sentence.tokens[first].start
    tokens = tuple(
        Token(token.start - shift, token.end - shift, token.text, token.word) for token in sentence.tokens[first:end]
    )
    spans = (Protected(max(s.i, first) - first, min(s.j, end) - first, s.label) for s in sentence.protected)
    protected = tuple(span for span in spans if span.i < span.j)
    text = sentence.text[shift : sentence.tokens[end - 1].end]
    return replace(sentence, start=sentence.start + shift, text=text, tokens=tokens, protected=protected)
