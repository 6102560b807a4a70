"""Labels of words by their transformation, and the agreement of systems with references on them.

Labels are those of MASSAlign's annotator (Paetzold et al. 2017), as scored by EASSE: a source word is deleted, copied,
moved (copied out of order) or replaced; an output word is added, or has its source word's label. EASSE aligns with a
server's parses; here words are aligned from strings (alignment.py), so figures differ from EASSE's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from sbmt.errors import SbmtError, counted
from sbmt.evaluation.alignment import Link, align, moved

COPY, MOVE, REPLACE, DELETE, ADD = LABELS = ("copy", "move", "replace", "delete", "add")
SOURCE_LABELS = (COPY, MOVE, REPLACE, DELETE)
ALL = "all labels"  # in agreements: all words, whatever their label

Pairs = Container[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Transformed:
    """A label for each word of both sides, and the links behind them."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Words that have a label on both sides, those the system gives it, and those that have it in the reference."""

    right: int
    given: int
    expected: int

    @property
    def precision(self) -> float | None:
        """The share of the system's words with the label that have it in the reference; None without any."""
        return self.right / self.given if self.given else None

    @property
    def recall(self) -> float | None:
        """The share of the reference's words with the label that the system gives it; None without any."""
        return self.right / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, 0-1; None without any word."""
        return 2 * self.right / (self.given + self.expected) if self.given + self.expected else None

    def to_dict(self) -> dict[str, float | None]:
        """Return the three figures for JSON."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


def transform(source: Sequence[str], output: Sequence[str], pairs: Pairs = ()) -> Transformed:
    """Label the words of a source and an output, given as words; case does not count. Raises what `align` does."""
    links = align(source, output, pairs)
    out_of_order = moved(links)
    source_labels, output_labels = [DELETE] * len(source), [ADD] * len(output)
    for i, j in links:
        same = source[i].lower() == output[j].lower()
        label = REPLACE if not same else MOVE if (i, j) in out_of_order else COPY
        source_labels[i] = output_labels[j] = label
    return Transformed(tuple(source_labels), tuple(output_labels), tuple(links))


def kinds(transformed: Transformed) -> frozenset[str]:
    """Return the labels that occur, without `copy`: the kinds of change."""
    return frozenset((*transformed.source, *transformed.output)) - {COPY}


def agreement(systems: Sequence[Transformed], references: Sequence[Sequence[Transformed]]) -> dict[str, Agreement]:
    """Return how far the labels of source words agree with those of the best reference, summed over sentences.

    For ALL, precision, recall and F1 are equal: the share of words with the reference's label. A sentence's best
    reference is the one with the most labels in common with the system's (the first of equals).
    Raises SbmtError for another number of sentences, a sentence without a reference, and a reference of a source with
    another number of words.
    """
    if len(systems) != len(references):
        sentences = counted(len(systems), "sentence")
        raise SbmtError(f"a system has {sentences}, the references are of {len(references)}")
    right: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    for number, (system, others) in enumerate(zip(systems, references, strict=True), 1):
        if not others:
            raise SbmtError(f"sentence {number} has no reference to agree with")
        if unlike := [other for other in others if len(other.source) != len(system.source)]:
            lengths = f"{len(unlike[0].source)} source words, the system's {len(system.source)}"
            raise SbmtError(f"sentence {number}: a reference has {lengths}")
        best = max(others, key=lambda other: _count_same(system.source, other.source))
        predicted.update(system.source)
        expected.update(best.source)
        right.update(a for a, b in zip(system.source, best.source, strict=True) if a == b)
    by_label = {label: Agreement(right[label], predicted[label], expected[label]) for label in SOURCE_LABELS}
    return {**by_label, ALL: Agreement(right.total(), predicted.total(), expected.total())}


def shares(transformed: Iterable[Transformed]) -> dict[str, float]:
    """Return each label's share of source words, for `add` of output words."""
    source_counts: Counter[str] = Counter()
    output_counts: Counter[str] = Counter()
    for words in transformed:
        source_counts.update(words.source)
        output_counts.update(words.output)
    by_label = {label: source_counts[label] / max(source_counts.total(), 1) for label in SOURCE_LABELS}
    return {**by_label, ADD: output_counts[ADD] / max(output_counts.total(), 1)}


def _count_same(labels: Sequence[str], others: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(labels, others, strict=True))
