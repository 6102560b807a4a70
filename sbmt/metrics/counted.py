"""Base classes of metrics that count the hypotheses of one sentence at a time: all but sums and user-defined ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import ClassVar, Generic, TypeVar

import numpy as np

from sbmt.arrays import Floats
from sbmt.metrics.base import MeanMetric, Metric, Prepared, counted_references
from sbmt.metrics.tokenizers import TOKENIZERS, tokenize

Text = TypeVar("Text")  # a line as a metric reads it, mostly its tokens

_CHUNK = 512  # hypotheses counted at once, to limit the memory for long lists


class CountedMetric(Metric[Prepared], Generic[Text, Prepared]):
    """A metric that reads lines, and prepares and counts those of one sentence."""

    @abstractmethod
    def read(self, lines: Sequence[str]) -> list[Text]:
        """Read outputs or references."""

    def read_sources(self, lines: Sequence[str]) -> list[Text]:
        """Read sources: like outputs, unless a convention treats them differently."""
        return self.read(lines)

    @abstractmethod
    def prepare_text(self, source: Text, references: Sequence[Text]) -> Prepared:
        """Precompute for a sentence all that does not depend on the hypothesis."""

    @abstractmethod
    def count(self, prepared: Prepared, hypotheses: Sequence[Text]) -> Floats:
        """Return the statistics [n_hypotheses, n_stats]."""

    def prepare_many(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> list[Prepared]:
        """Read all lines at once, and prepare each sentence."""
        self.check_references(sources, references)
        counted = [counted_references(lines, self.blank) if self.needs_references else [] for lines in references]
        texts = iter(self.read([line for lines in counted for line in lines]))
        return [
            self.prepare_text(source, [next(texts) for _ in lines])
            for source, lines in zip(self.read_sources(sources), counted, strict=True)
        ]

    def statistics_lists(self, prepared: Sequence[Prepared], lists: Sequence[Sequence[str]]) -> list[Floats]:
        """Read all hypotheses at once, and count those of each sentence."""
        texts = self.read([line for lines in lists for line in lines])
        ends = list(accumulate(map(len, lists), initial=0))
        statistics = []
        for sentence, begin, end in zip(prepared, ends[:-1], ends[1:], strict=True):
            chunks = [texts[i : min(i + _CHUNK, end)] for i in range(begin, end, _CHUNK)] or [[]]
            statistics.append(np.concatenate([self.count(sentence, chunk) for chunk in chunks]))
        return statistics


class TokenMetric(CountedMetric[list[str], Prepared]):
    """A metric that reads tokens only."""

    def read(self, lines: Sequence[str]) -> list[list[str]]:
        """Tokenise with the convention's tokeniser and case."""
        return tokenize(lines, self.tok, self.case == "lc")


class SourceTokenMetric(TokenMetric[Prepared]):
    """A metric of tokens that tokenises sources differently in some conventions."""

    choices: ClassVar[Mapping[str, Sequence[str]]] = {**TokenMetric.choices, "src_tok": TOKENIZERS}

    def __init__(self, variant: str, src_tok: str = "", **options: str) -> None:
        """src_tok: the sources' tokeniser; by default `tok`."""
        super().__init__(variant, **options)
        self.src_tok = self.choice("src_tok", src_tok or self.tok)

    @property
    def splits_sources_at_spaces(self) -> bool:
        """Whether words of sources are split at white space alone."""
        return self.src_tok == "none"

    def read_sources(self, lines: Sequence[str]) -> list[list[str]]:
        """Tokenise sources with their own tokeniser."""
        return tokenize(lines, self.src_tok, self.case == "lc")


class MeasuredMetric(CountedMetric[Text, Prepared], MeanMetric[Prepared]):
    """The mean of a number measured for each hypothesis."""

    @abstractmethod
    def measure(self, prepared: Prepared, hypothesis: Text) -> float:
        """Return the number for a hypothesis."""

    def count(self, prepared: Prepared, hypotheses: Sequence[Text]) -> Floats:
        """Return the statistics [n_hypotheses, 2]."""
        rows = [(self.measure(prepared, text), 1) for text in hypotheses]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)
