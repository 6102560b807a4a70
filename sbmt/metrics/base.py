"""The base class of metrics: per-sentence statistics that sum, and a score of statistics.

Corpus scores, bootstrap intervals, paired tests and the tuner all read the same matrix of statistics, one row per
sentence. Scores are on the scale 0-100; grade levels, lengths and distances are in units of their own.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from sbmt.arguments import refuse_text
from sbmt.arrays import Floats
from sbmt.errors import SbmtError, counted
from sbmt.metrics.tokenizers import TOKENIZERS
from sbmt.version import __version__

Prepared = TypeVar("Prepared")  # what a metric precomputes for a sentence, for any hypothesis

_OUTPUTS_FORM = "outputs are a list of lines"
LARGEST = 1e100  # limit of numbers given to a metric, so that sums and squares of many stay finite


@dataclass(frozen=True, slots=True)
class Score:
    """A figure with its parts and the signature of its convention."""

    value: float
    parts: dict[str, float] = field(hash=False)
    signature: str


def bounded_number(option: str, value: str | float, low: float = -LARGEST, high: float = LARGEST) -> float:
    """Return `value` as a number from `low` to `high`; raises SbmtError naming the option."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise SbmtError(f"{option}={value} is not a number")
    if not low <= number <= high:
        raise SbmtError(f"{option}={value} is not from {low:g} to {high:g}")
    return number


def counted_references(references: Sequence[str], blank: str) -> list[str]:
    """Return the references of a sentence that count: all where `blank` is `counted`, else those that are not blank."""
    return [line for line in references if blank == "counted" or line.strip()]


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, broadcasting; 0 where the denominator is not positive."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.zeros(shape), where=np.asarray(denominator) > 0)


def unequal_lists(sources: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """Return the message for another number of lists of references than of sources."""
    lists = counted(len(references), "list")
    return f"{lists} of references for {counted(len(sources), 'source')}: one list is due for each"


def check_output_count(sentences: Sequence[object], hypotheses: Sequence[str], system: str = "") -> None:
    """Raise SbmtError, naming the system, for more or fewer outputs than sentences, and for no sentence.

    Raise TypeError for a text instead of a list of outputs.
    """
    refuse_text(hypotheses, _OUTPUTS_FORM)
    if len(sentences) != len(hypotheses):
        of_system = f" of {system}" if system else ""
        raise SbmtError(f"{counted(len(hypotheses), 'output')}{of_system} for {counted(len(sentences), 'source')}")
    if len(sentences) == 0:
        raise SbmtError("there is no sentence to score")


class Metric(ABC, Generic[Prepared]):
    """A metric under one convention; subclasses prepare sentences, count hypotheses and score the counts."""

    name: str
    label: ClassVar[str]  # the signature's first field
    variants: ClassVar[Mapping[str, Mapping[str, Any]]]  # options of each named convention; the first is the default
    higher_is_better: bool | None = True  # None: neither more nor less is better
    scale: float = 100  # a perfect output's score; 1 for figures in units of their own
    choices: ClassVar[Mapping[str, Sequence[str]]] = {  # the values of each option that has a fixed set of them
        "tok": TOKENIZERS,
        "case": ("lc", "mixed"),
        "level": ("corpus", "sentence"),
        "blank": ("absent", "counted"),
    }
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}  # minimum and maximum of each numeric option
    needs_source: bool = True
    needs_references: bool = True
    reads_references: bool = False  # uses references, if any, without needing them
    block_size: int | None = 2000  # sentences to prepare and count at a time; None: all, which a function may need

    def __init__(
        self, variant: str, tok: str = "none", case: str = "mixed", level: str = "corpus", blank: str = "absent"
    ) -> None:
        """Set the options that every metric takes.

        tok: a tokeniser's name. case: `lc` lower-cases. level: `corpus` scores summed statistics, `sentence` averages
        sentence scores. blank: a blank reference line is `absent` or `counted` as an (empty) reference.
        """
        self.variant = variant
        self.tok = self.choice("tok", tok)
        self.case = self.choice("case", case)
        self.level = self.choice("level", level)
        self.blank = self.choice("blank", blank)

    def __repr__(self) -> str:
        """The signature of the convention."""
        return f"<{self.signature()}>"

    def choice(self, option: str, value: str) -> str:
        """Return `value`; raises SbmtError unless it is one of the option's."""
        if value not in self.choices[option]:
            raise SbmtError(f"{option}={value} is not known (known: {', '.join(self.choices[option])})")
        return value

    def number(self, option: str, value: str | float) -> float:
        """Return `value` as a number; raises SbmtError unless it is within the option's bounds."""
        return bounded_number(option, value, *self.bounds[option])

    @property
    def splits_at_spaces(self) -> bool:
        """Whether words are split at white space alone."""
        return self.tok == "none"

    @property
    def splits_sources_at_spaces(self) -> bool:
        """Whether words of sources are split at white space alone."""
        return self.needs_source and self.splits_at_spaces

    def terms(self) -> Sequence[AnyMetric]:
        """Return the metrics that this one is a sum of; itself, unless it is a sum."""
        return [self]

    @abstractmethod
    def prepare_many(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> list[Prepared]:
        """Precompute for each sentence all that does not depend on the hypothesis.

        references[i] are those of sources[i], any number. Raises what `check_references` does.
        """

    @abstractmethod
    def statistics_lists(self, prepared: Sequence[Prepared], lists: Sequence[Sequence[str]]) -> list[Floats]:
        """Return the statistics [n, n_stats] of the hypotheses of each sentence; lists[i] are those of prepared[i]."""

    @abstractmethod
    def score(self, statistics: Floats) -> Floats:
        """Score rows or sums of rows: [..., n_stats] -> [...]."""

    @abstractmethod
    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return the parts of the score, each [...] for statistics [..., n_stats]."""

    def conventions(self) -> dict[str, str]:
        """Return the metric's own fields of the signature, beyond tokenisation, case and level."""
        return {}

    def score_sentences(self, rows: Floats) -> Floats:
        """Score each row by itself: [n_sentences, n_stats] -> [n_sentences]."""
        return self.score(rows)

    def prepare(self, source: str, references: Sequence[str]) -> Prepared:
        """Prepare one sentence from raw lines."""
        return self.prepare_many([source], [references])[0]

    def first_without_reference(self, references: Sequence[Sequence[str]]) -> int | None:
        """Return the first sentence (from 1) that lacks a reference, for a metric that needs one."""
        if not self.needs_references:
            return None
        return next((i for i, lines in enumerate(references, 1) if not counted_references(lines, self.blank)), None)

    def check_references(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Raise SbmtError naming the sentence (from 1) without a reference, for a metric that needs one.

        Raise TypeError for a text instead of a list of references.
        """
        refuse_text(sources, "sources are a list of lines")
        for lines in references:
            refuse_text(lines, "a sentence has a list of references")
        if len(sources) != len(references):
            raise SbmtError(unequal_lists(sources, references))
        number = self.first_without_reference(references)
        if number:
            cure = " (blank=counted takes blank lines for empty references)" if len(references[number - 1]) else ""
            raise SbmtError(f"sentence {number} has no reference, which {self.name} needs{cure}")

    def statistics(self, prepared: Prepared, hypothesis: str) -> Floats:
        """Return the statistics [n_stats] of one hypothesis."""
        row: Floats = self.statistics_many(prepared, [hypothesis])[0]
        return row

    def statistics_many(self, prepared: Prepared, hypotheses: Sequence[str]) -> Floats:
        """Return the statistics [n, n_stats] of many hypotheses of one sentence; raises TypeError for a text."""
        refuse_text(hypotheses, _OUTPUTS_FORM)
        return self.statistics_lists([prepared], [hypotheses])[0]

    def corpus_statistics(self, prepared: Sequence[Prepared], hypotheses: Sequence[str]) -> Floats:
        """Return one row per sentence, [n_sentences, n_stats]. Raises what `check_output_count` does."""
        check_output_count(prepared, hypotheses)
        return np.concatenate(self.statistics_lists(prepared, [[line] for line in hypotheses]))

    def count_outputs(
        self, sources: Sequence[str], references: Sequence[Sequence[str]], outputs: Sequence[str]
    ) -> Floats:
        """Prepare sentences and count one output for each: [n_sentences, n_stats].

        Raises what `check_references` and `check_output_count` do.
        """
        return self.corpus_statistics(self.prepare_many(sources, references), outputs)

    def corpus(self, rows: Floats, nrefs: str = "") -> Score:
        """Score a corpus, [n_sentences, n_stats], at the convention's level; `nrefs` goes into the signature."""
        if self.level == "sentence":
            value = float(self.score_sentences(rows).mean())
            parts = {name: float(np.mean(part)) for name, part in self.parts(rows).items()}
        else:
            total = rows.sum(axis=0)
            value = float(self.score(total))
            parts = {name: float(part) for name, part in self.parts(total).items()}
        return Score(value, parts, self.signature(nrefs))

    def by_sentence(self) -> Self:
        """Return the same convention at the level of sentences."""
        metric = copy(self)
        metric.level = "sentence"
        return metric

    def signature(self, nrefs: str = "") -> str:
        """Return the convention, e.g. `SARI|var:easse|nrefs:8|tok:13a|case:lc|del:f1|level:corpus|v:0.1.0`."""
        fields = {"var": self.variant}
        if self.needs_references or self.reads_references:
            fields |= {"nrefs": nrefs} if nrefs else {}
            fields |= {"blank": self.blank} if self.blank == "counted" else {}
        fields |= {"tok": self.tok, "case": self.case, **self.conventions(), "level": self.level, "v": __version__}
        return "|".join([self.label, *(f"{key}:{value}" for key, value in fields.items())])

    @classmethod
    def options(cls) -> dict[str, str]:
        """Return the options that `get_metric` takes for this metric, by name, with their possible values."""
        values = {name: ", ".join(choices) for name, choices in cls.choices.items()}
        for name, (low, high) in cls.bounds.items():
            values[name] = "a number" if high == LARGEST else f"a number from {low:g} to {high:g}"
        return dict(sorted(values.items()))


AnyMetric = Metric[Any]


class MeanMetric(Metric[Prepared]):
    """The mean of one number per sentence, in units of its own; statistics are that number and 1."""

    scale = 1

    def score(self, statistics: Floats) -> Floats:
        """Return the mean."""
        return ratio(statistics[..., 0], statistics[..., 1])

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return nothing: a plain number has no parts."""
        return {}
