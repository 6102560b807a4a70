"""What became of each word, and how often a system does to it what a reference does.

Labels as MASSAlign's annotator (Paetzold et al. 2017) gives them and EASSE scores them: a source word is deleted,
copied, moved (copied out of order) or replaced; an output word is added, or has its source word's label. EASSE aligns
by a server's parses; here words are aligned from strings (alignment.py), so figures differ from EASSE's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from sbmt.errors import SbmtError, counted
from sbmt.evaluation.alignment import Link, align, moved

COPY, MOVE, REPLACE, DELETE, ADD = LABELS = ("copy", "move", "replace", "delete", "add")
SOURCE_LABELS = (COPY, MOVE, REPLACE, DELETE)
ALL = "all labels"  # in agreements: a word that has its right label, whichever

Pairs = Container[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Transformed:
    """A label for each word of both sides, and the links behind them."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Words given a label rightly, given it by the system, and having it in the reference. x / 0 is None."""

    right: int
    given: int
    expected: int

    @property
    def precision(self) -> float | None:
        """Of the words given the label, the share that has it in the reference."""
        return self.right / self.given if self.given else None

    @property
    def recall(self) -> float | None:
        """Of the words that have the label in the reference, the share given it."""
        return self.right / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall, 0-1."""
        return 2 * self.right / (self.given + self.expected) if self.given + self.expected else None

    def to_dict(self) -> dict[str, float | None]:
        """As JSON has it."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


def transform(source: Sequence[str], output: Sequence[str], pairs: Pairs = ()) -> Transformed:
    """Label the words of a source and an output, given as words; case does not count. Raises what `align` does."""
    links = align(source, output, pairs)
    out_of_order = moved(links)
    here, there = [DELETE] * len(source), [ADD] * len(output)
    for i, j in links:
        same = source[i].lower() == output[j].lower()
        label = REPLACE if not same else MOVE if (i, j) in out_of_order else COPY
        here[i] = there[j] = label
    return Transformed(tuple(here), tuple(there), tuple(links))


def kinds(transformed: Transformed) -> frozenset[str]:
    """Return the labels that occur, without `copy`: the kinds of change."""
    return frozenset((*transformed.source, *transformed.output)) - {COPY}


def agreement(systems: Sequence[Transformed], references: Sequence[Sequence[Transformed]]) -> dict[str, Agreement]:
    """Return how far the labels of source words agree with those of the best reference, summed over sentences.

    ALL is of all words: precision, recall and F1 are then equal, the share of words with the reference's label.
    A sentence's best reference is the one with the most labels in common with the system's (the first of equals).
    Raises SbmtError for another number of sentences, a sentence without a reference, and a reference of a source with
    another number of words.
    """
    if len(systems) != len(references):
        sentences = counted(len(systems), "sentence")
        raise SbmtError(f"a system has {sentences}, the references are of {len(references)}")
    right: Counter[str] = Counter()
    given: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    for number, (system, others) in enumerate(zip(systems, references, strict=True), 1):
        if not others:
            raise SbmtError(f"sentence {number} has no reference to agree with")
        if wrong := [other for other in others if len(other.source) != len(system.source)]:
            lengths = f"{len(wrong[0].source)} source words, the system's {len(system.source)}"
            raise SbmtError(f"sentence {number}: a reference has {lengths}")
        best = max(others, key=lambda other: _same(system.source, other.source))
        given.update(system.source)
        expected.update(best.source)
        right.update(a for a, b in zip(system.source, best.source, strict=True) if a == b)
    found = {label: Agreement(right[label], given[label], expected[label]) for label in SOURCE_LABELS}
    return {**found, ALL: Agreement(right.total(), given.total(), expected.total())}


def shares(transformed: Iterable[Transformed]) -> dict[str, float]:
    """Return each label's share: of source words, for `add` of output words."""
    here: Counter[str] = Counter()
    there: Counter[str] = Counter()
    for one in transformed:
        here.update(one.source)
        there.update(one.output)
    found = {label: here[label] / max(here.total(), 1) for label in SOURCE_LABELS}
    return {**found, ADD: there[ADD] / max(there.total(), 1)}


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))
