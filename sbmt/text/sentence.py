"""A line of text as the decoder needs it: sentences of tokens, and which of them must not change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sbmt.text.protect import Protected, ProtectOptions, protected_spans
from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import Token, penn_tokens, space_tokens


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
    """Characters `[start, start + len(text))` of a line; token offsets count from the sentence's own start."""

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
        return [self._sentence(line[start:end], start) for start, end in spans]

    def _sentence(self, text: str, start: int) -> Sentence:
        tokenize = space_tokens if self.tokenized else penn_tokens
        tokens = tokenize(text, self.options.lowercase)
        protected = protected_spans(text, tokens, self.options.protect, self.patterns)
        return Sentence(start, text, tuple(tokens), tuple(protected), self.tokenized, self.options.recase)
