"""Sentences and tokens of a line: outputs often have several sentences where their source has one."""

from __future__ import annotations

from functools import lru_cache

from sbmt.text.sentences import split_sentences
from sbmt.text.tokens import Token, penn_tokens, penn_words


@lru_cache(maxsize=1 << 14)
def sentences(line: str) -> tuple[tuple[int, int], ...]:
    """Return spans `[start, end)` of a line's sentences, none for a blank line."""
    return tuple(split_sentences(line))


def line_tokens(line: str) -> list[Token]:
    """Return the Penn tokens of all sentences; the last period of each sentence is a separate token."""
    if len(sentences(line)) < 2:
        return penn_tokens(line)
    return [token.shifted(start) for start, end in sentences(line) for token in penn_tokens(line[start:end])]


def line_words(line: str, lowercase: bool = True) -> list[str]:
    """Return the words of a line (Penn tokens without offsets), which `sbmt.evaluation` aligns and labels."""
    if len(sentences(line)) < 2:
        return penn_words(line, lowercase)
    return [word for start, end in sentences(line) for word in penn_words(line[start:end], lowercase)]
