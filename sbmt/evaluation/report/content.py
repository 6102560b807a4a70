"""The content of a report on systems on one test set: scores, features, word labels, lengths, and every sentence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sbmt.arrays import Floats
from sbmt.evaluation.report.scores import Bucket, Row, Scores
from sbmt.evaluation.report.settings import Settings
from sbmt.evaluation.report.system import System
from sbmt.evaluation.transformations import Agreement, Transformed
from sbmt.text.tokens import Token
from sbmt.version import __version__

REFERENCES = "references"  # the column of all references together
# Kinds of change of whole outputs: more sentences; the same words in other capitals, spaces or signs; the same text.
SPLIT, TYPOGRAPHY, UNCHANGED = "split", "typography alone", "unchanged"


@dataclass(frozen=True, slots=True)
class Output:
    """A system's output for a sentence: its tokens, their labels and the kinds of change."""

    text: str
    tokens: list[Token]
    words: Transformed
    kinds: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A source with its references and, for each system, its output."""

    number: int  # from 1, in the test set
    source: str
    references: list[str]
    tokens: list[Token]
    outputs: list[Output]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report:
    """All that the page shows; `total` counts the test set's sentences, of which `sentences` may be a sample.

    `blank`: lines without a word in source, outputs and references; they count in the scores but are not shown.
    """

    settings: Settings
    total: int
    blank: int
    systems: list[System]
    baseline: str
    scores: Scores
    rows: list[Row]
    buckets: list[Bucket]
    features: dict[str, dict[str, float]]  # feature -> system or "references" -> mean
    feature_values: dict[str, dict[str, Floats]]  # system or "references" -> feature -> [n_outputs]
    labels: dict[str, dict[str, float]]  # system or "references" -> label -> share of words
    agreements: dict[str, dict[str, Agreement]]  # system, or SOURCE -> label -> agreement with the best reference
    sentences: list[Sentence]
    lone: int  # lines of fewer than two references

    def __repr__(self) -> str:
        """Systems and number of sentences, on one line."""
        return f"<report on {', '.join(system.name for system in self.systems)}, {len(self.sentences)} sentences>"

    def to_dict(self) -> dict[str, Any]:
        """Return all figures for JSON, without the sentences' texts; `numbers` are those of the sentences scored."""
        settings = self.settings
        return {
            "title": settings.title,
            "version": __version__,
            "origin": dict(settings.origin),
            "baseline": self.baseline,
            "seed": settings.seed,
            "samples": settings.samples,
            "sentences": len(self.sentences),
            "total": self.total,
            "blank": self.blank,
            "numbers": [sentence.number for sentence in self.sentences],
            "scores": {
                row.name: {m: result.to_dict(sentence_level=True) for m, result in row.results.items()}
                for row in self.rows
            },
            "features": self.features,
            "labels": self.labels,
            "agreement": {
                name: {label: label_agreement.to_dict() for label, label_agreement in by_label.items()}
                for name, by_label in self.agreements.items()
            },
            "lengths": [asdict(bucket) for bucket in self.buckets],
        }
