"""Flesch-Kincaid grade level (Kincaid et al. 1975): 0.39 words/sentences + 11.8 syllables/words - 15.59.

Tools disagree about what words, syllables and sentences are; Xu et al. 2016 used -15.19 where they print -15.59.
Both published conventions count punctuation as words; `plain` counts as readability tools and people do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from sbmt.arrays import Floats
from sbmt.metrics.base import LARGEST, ratio
from sbmt.metrics.counted import CountedMetric
from sbmt.metrics.syllables import SYLLABLES
from sbmt.metrics.tokenizers import tokenize
from sbmt.text.lines import sentences
from sbmt.text.words.english import SENTENCE_ENDS

Counts = tuple[int, int, int]  # words, syllables, sentences

_CLOSING = re.compile(r"[\"')\]}]+")


def grade_level(counts: Floats, constant: float) -> Floats:
    """Return the grade, clipped at 0, of words, syllables and sentences [..., 3]; 0 for no words."""
    words, syllables, sentences = counts[..., 0], counts[..., 1], counts[..., 2]
    grade = 0.39 * ratio(words, sentences) + 11.8 * ratio(syllables, words) - constant
    return np.where(words > 0, np.maximum(grade, 0), 0.0)


def count_marked_sentences(words: Sequence[str]) -> int:
    """Count sentences, which end with a token of their own (`.`, `!`, `?`) and the quotes and brackets after it."""
    sentences, ended = 0, True
    for word in words:
        if ended and not (sentences and _CLOSING.fullmatch(word)):
            sentences, ended = sentences + 1, False
        ended = ended or word in SENTENCE_ENDS
    return sentences


class FleschKincaid(CountedMetric[Counts, None]):
    """The grade level of the outputs alone; statistics are words, syllables and sentences."""

    name = "fk"
    label = "FK"
    higher_is_better = False
    scale = 1
    needs_source = needs_references = False
    choices: ClassVar[Mapping[str, Sequence[str]]] = {
        **CountedMetric.choices,
        "syllables": tuple(SYLLABLES),
        "words": ("tokens", "plain"),
        "sentences": ("line", "marks", "split"),
    }
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {"constant": (-LARGEST, LARGEST)}
    variants: ClassVar[dict[str, dict[str, Any]]] = {
        "xu2016": {"level": "sentence", "constant": 15.19},
        "easse": {"tok": "13a", "case": "lc", "syllables": "easse", "sentences": "marks"},
        "plain": {"words": "plain", "syllables": "sbmt", "sentences": "split"},
    }

    def __init__(
        self,
        variant: str,
        syllables: str = "joshua",
        words: str = "tokens",
        sentences: str = "line",
        constant: str | float = 15.59,
        **options: str,
    ) -> None:
        """Set how to count.

        syllables: a counter of syllables.py. words: all `tokens`, or `plain` ones, with a letter or digit.
        sentences: each `line` is one, they end with `marks` that are tokens, or lines are `split` into sentences.
        """
        super().__init__(variant, **options)
        self.syllables = self.choice("syllables", syllables)
        self.words = self.choice("words", words)
        self.sentences = self.choice("sentences", sentences)
        self.constant = self.number("constant", constant)

    @property
    def splits_at_spaces(self) -> bool:
        """Whether words are split at white space alone, so that punctuation may be part of them."""
        return self.words == "tokens" and super().splits_at_spaces

    def conventions(self) -> dict[str, str]:
        """Name the counters and the constant."""
        words = {} if self.words == "tokens" else {"words": self.words}
        return {**words, "syl": self.syllables, "sent": self.sentences, "const": f"{self.constant:g}"}

    def read(self, lines: Sequence[str]) -> list[Counts]:
        """Count each line."""
        return list(map(self._count, lines, tokenize(lines, self.tok, self.case == "lc")))

    def _count(self, line: str, tokens: Sequence[str]) -> Counts:
        words = tokens if self.words == "tokens" else [token for token in tokens if any(map(str.isalnum, token))]
        if self.sentences == "marks":
            sentence_count = count_marked_sentences(tokens)
        elif self.sentences == "split":
            sentence_count = len(sentences(line)) if words else 0
        else:
            sentence_count = 1
        return len(words), sum(map(SYLLABLES[self.syllables], words)), sentence_count

    def prepare_text(self, source: Counts, references: Sequence[Counts]) -> None:
        """Prepare nothing: no statistic depends on the source."""

    def count(self, prepared: None, hypotheses: Sequence[Counts]) -> Floats:
        """Return the statistics [n_hypotheses, 3], whole numbers."""
        return np.array(hypotheses, dtype=np.float64).reshape(-1, 3)

    def score(self, statistics: Floats) -> Floats:
        """Return the grade level."""
        return grade_level(statistics, self.constant)

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return words per sentence and syllables per word."""
        words, syllables, sentences = statistics[..., 0], statistics[..., 1], statistics[..., 2]
        return {"words_per_sentence": ratio(words, sentences), "syllables_per_word": ratio(syllables, words)}
