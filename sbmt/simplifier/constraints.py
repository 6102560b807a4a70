"""Protected spans of sentences as constraints of a decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbmt.decoder.hypothesis import Constraint
from sbmt.text.pipeline import Sentence


def constraints_of(sentence: Sentence) -> list[Constraint]:
    """Return the constraints of a sentence's protected spans."""
    return [Constraint(span.i, span.j, span.target, span.label) for span in sentence.protected]


def whole_line(sentences: Sequence[Sentence]) -> tuple[list[str], list[Constraint]]:
    """Return words and constraints of a line that is decoded as one sentence although the pipeline splits it."""
    words: list[str] = []
    constraints = []
    for sentence in sentences:
        shift = len(words)
        constraints += [replace(span, i=span.i + shift, j=span.j + shift) for span in constraints_of(sentence)]
        words += sentence.words
    return words, constraints
