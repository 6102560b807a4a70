"""What the text layer does not leave to the rules, as constraints of a decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbmt.decoder.hypothesis import Constraint
from sbmt.text.pipeline import Sentence


def constraints_of(sentence: Sentence) -> list[Constraint]:
    """What is not left to the rules, as the decoder is told."""
    return [Constraint(span.i, span.j, span.target, span.label) for span in sentence.protected]


def whole_line(sentences: Sequence[Sentence]) -> tuple[list[str], list[Constraint]]:
    """Words and constraints of a line that is decoded as one sentence although the pipeline cuts it in pieces."""
    words: list[str] = []
    constraints = []
    for sentence in sentences:
        shift = len(words)
        constraints += [replace(span, i=span.i + shift, j=span.j + shift) for span in constraints_of(sentence)]
        words += sentence.words
    return words, constraints
