"""Perplexity: how well a language model predicts a text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import SbmtError, counted
from sbmt.lm.counts import encoded
from sbmt.lm.load import load_kenlm
from sbmt.lm.symbols import MARKS

_MARKS = frozenset(mark.encode() for mark in MARKS)


@dataclass(slots=True)
class Perplexity:
    """Totals over a text; `log10_p` counts words, unknown words and the end of each sentence."""

    sentences: int = 0
    words: int = 0
    unknown: int = 0
    log10_p: float = 0.0
    log10_p_unknown: float = 0.0

    @property
    def all(self) -> float:
        """Perplexity per word or sentence end, unknown words included (as in KenLM's `query`)."""
        return _power_of_ten(-self.log10_p / max(self.words + self.sentences, 1))

    @property
    def known(self) -> float:
        """Perplexity without the unknown words (as in SRILM)."""
        predicted = self.words + self.sentences - self.unknown
        return _power_of_ten(-(self.log10_p - self.log10_p_unknown) / max(predicted, 1))

    def __str__(self) -> str:
        """One line for people."""
        rate = 100 * self.unknown / max(self.words, 1)
        size = f"{counted(self.sentences, 'sentence')}, {counted(self.words, 'word')}"
        return (
            f"perplexity {self.all:.2f}, without unknown words {self.known:.2f}; "
            f"{size}, {self.unknown} unknown ({rate:.2f} %)"
        )


def _power_of_ten(exponent: float) -> float:
    """Return 10 ** exponent; infinity if that overflows."""
    try:
        return float(10.0**exponent)
    except OverflowError:
        return math.inf


def perplexity(model_path: str | Path, lines: Iterable[str], name: str = "the text to evaluate") -> Perplexity:
    """Score tokenised sentences, one per line (blank ones are skipped), with an ARPA or KenLM binary file.

    <s> and </s> in the text are left out, as in estimation; <unk> is an unknown word.

    Raises ModelError if KenLM cannot read the model and SbmtError, with its `name`, for a text without words; also what
    `encoded` does.
    """
    model = load_kenlm(model_path)
    result = Perplexity()
    for line in encoded(lines, name):
        words = [word for word in line.split() if word not in _MARKS]  # bytes: at ASCII white space only
        if not words:
            continue
        result.sentences += 1
        for log10_p, _, is_unknown in model.full_scores(b" ".join(words)):
            result.words += 1
            result.log10_p += log10_p
            result.unknown += is_unknown
            result.log10_p_unknown += log10_p if is_unknown else 0.0
        result.words -= 1  # </s>
    if not result.sentences:
        raise SbmtError(f"{name} has no words")
    return result
