"""SARI (Xu et al. 2016, section 3.1-3.2): n-grams rightly added, kept and deleted, against several references.

Symbols as in the paper: I input, O output, R references, r their number. For an n-gram g, `s`, `c` and `t` are its
counts in I, in O and in all references together. The published implementations count differently:

- weighted: sums of counts, all scaled by r (Joshua's STAR, the paper's equations, EASSE);
- relative: each n-gram type counts the fraction of it that is right (the authors' SARI.py);
- joshua: as relative for keeping, but one integer-truncated sum serves as keep-recall's numerator and as
  keep-precision's denominator; deletion is weighted, its recall not defined (Joshua's SARI.java).

docs/metrics.md says which published figures follow which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from sbmt.arrays import Floats
from sbmt.metrics.base import ratio
from sbmt.metrics.counted import SourceTokenMetric
from sbmt.metrics.ngrams import ORDER, NgramIndex, count_ngrams

ADD, KEEP, DELETE = range(3)
OPERATIONS = ("add", "keep", "del")


@dataclass(frozen=True, slots=True)
class SariPrepared:
    """One sentence's source and reference side; the source has S distinct n-grams."""

    index: NgramIndex  # of the source
    in_references: Counter[str]
    r: int
    s: Floats  # [S]
    t: Floats  # [S]
    source_order: Floats  # [S, 4], by ascending order
    to_add: Floats  # [4] distinct n-grams of the references that are not in the source


# A counting returns, for keeping and for deleting, four values per order: numerator and denominator of precision,
# numerator and denominator of recall. Each is [n_hypotheses, 4], or [4] where it does not depend on the hypothesis.
Fields = tuple[Floats, Floats, Floats, Floats]


def _kept_and_deleted(p: SariPrepared, c: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return how often each n-gram is kept, to be kept, deleted, to be deleted, times r: [n_hypotheses, S] or [S]."""
    kept, to_keep = p.r * np.minimum(p.s, c), np.minimum(p.r * p.s, p.t)
    deleted, to_delete = p.r * np.maximum(p.s - c, 0), np.maximum(p.r * p.s - p.t, 0)
    return kept, to_keep, deleted, to_delete


def _weighted(p: SariPrepared, c: Floats) -> tuple[Fields, Fields]:
    kept, to_keep, deleted, to_delete = _kept_and_deleted(p, c)
    rightly_kept = np.minimum(kept, to_keep) @ p.source_order
    rightly_deleted = np.minimum(deleted, to_delete) @ p.source_order
    return (
        (rightly_kept, kept @ p.source_order, rightly_kept, to_keep @ p.source_order),
        (rightly_deleted, deleted @ p.source_order, rightly_deleted, to_delete @ p.source_order),
    )


def _relative(p: SariPrepared, c: Floats) -> tuple[Fields, Fields]:
    kept, to_keep, deleted, to_delete = _kept_and_deleted(p, c)
    return (
        _fractions(np.minimum(kept, to_keep), kept, to_keep, p.source_order),
        _fractions(np.maximum(deleted - p.t, 0), deleted, to_delete, p.source_order),
    )


def _fractions(right: Floats, output: Floats, references: Floats, order: Floats) -> Fields:
    return (
        _sum_by_order(ratio(right, output), order),
        (output > 0) @ order,
        _sum_by_order(ratio(right, references), order),
        (references > 0) @ order,
    )


def _sum_by_order(values: Floats, order: Floats) -> Floats:
    """Return `values @ order`, summing fractions in the same sequence for any number of hypotheses."""
    ends = order.sum(axis=0).cumsum().astype(int)
    return np.stack([part.sum(axis=-1) for part in np.split(values, ends[:-1], axis=-1)], axis=-1)


def _joshua(p: SariPrepared, c: Floats) -> tuple[Fields, Fields]:
    (keep, _, recalled, to_keep), _ = _relative(p, c)
    _, delete = _weighted(p, c)
    recalled = np.floor(recalled)
    return (np.floor(1e6 * keep) / 1e6, recalled, recalled, to_keep), delete


COUNTINGS: dict[str, Callable[[SariPrepared, Floats], tuple[Fields, Fields]]] = {
    "weighted": _weighted,
    "relative": _relative,
    "joshua": _joshua,
}


class Sari(SourceTokenMetric[SariPrepared]):
    """SARI; statistics are [operation (add, keep, del), field (see `Fields`), order 1-4], flattened to 48."""

    name = "sari"
    label = "SARI"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {
        **SourceTokenMetric.choices,
        "counting": tuple(COUNTINGS),
        "average": ("f1", "precision-recall"),
        "deletion": ("f1", "precision"),
    }
    variants: ClassVar[dict[str, dict[str, Any]]] = {
        "easse": {"tok": "13a", "case": "lc"},
        "easse-legacy": {"tok": "13a", "src_tok": "none"},
        "xu2016": {"case": "lc", "level": "sentence", "counting": "relative", "deletion": "precision"},
        "joshua": {"level": "sentence", "counting": "joshua", "deletion": "precision"},
        "star": {},
        "equations": {"average": "precision-recall", "deletion": "precision"},
    }

    def __init__(
        self,
        variant: str,
        counting: str = "weighted",
        average: str = "f1",
        deletion: str = "f1",
        **options: str,
    ) -> None:
        """Set the options; the module explains `counting`.

        deletion: `f1`, or `precision` alone as the paper defines it. average: over the orders, average the F1 of each
        (`f1`), or precision and recall first (`precision-recall`, the paper's equations).
        """
        super().__init__(variant, **options)
        self.counting = self.choice("counting", counting)
        self.average = self.choice("average", average)
        self.deletion = self.choice("deletion", deletion)

    def conventions(self) -> dict[str, str]:
        """Name deletion, and other options that differ from the default."""
        fields = {"src": self.src_tok} if self.src_tok != self.tok else {}
        fields |= {"count": self.counting} if self.counting != "weighted" else {}
        fields |= {"avg": self.average} if self.average != "f1" else {}
        return {"del": self.deletion, **fields}

    def prepare_text(self, source: list[str], references: Sequence[list[str]]) -> SariPrepared:
        """Count the n-grams of the source and of all references together."""
        in_source, in_references = count_ngrams(source), count_ngrams(*references)
        s, order = np.fromiter(in_source.counts.values(), np.float64), in_source.by_order()
        t = np.fromiter(map(in_references.counts.get, in_source.counts, repeat(0)), np.float64)
        return SariPrepared(
            index=NgramIndex(in_source.counts),
            in_references=in_references.counts,
            r=len(references),
            s=s,
            t=t,
            source_order=order,
            to_add=in_references.distinct - (t > 0) @ order,
        )

    def count(self, prepared: SariPrepared, hypotheses: Sequence[list[str]]) -> Floats:
        """Return the statistics [n_hypotheses, 48]; whole numbers, except where a counting is relative."""
        p = prepared
        located = p.index.locate(hypotheses)
        kept_or_deleted = COUNTINGS[self.counting](p, located.counts().astype(np.float64))
        added = located.distinct_others(marked=p.in_references)
        statistics = np.empty((len(hypotheses), 3, 4, ORDER))
        statistics[:, ADD, 0] = statistics[:, ADD, 2] = added[:, 1]
        statistics[:, ADD, 1] = added[:, 0]
        statistics[:, ADD, 3] = p.to_add
        for operation, fields in zip((KEEP, DELETE), kept_or_deleted, strict=True):
            for i, field in enumerate(fields):
                statistics[:, operation, i] = field
        return statistics.reshape(len(hypotheses), 12 * ORDER)

    def _operations(self, statistics: Floats) -> Floats:
        """Score the three operations, 0-1: [..., 48] -> [..., 3]."""
        fields = statistics.reshape(*statistics.shape[:-1], 3, 4, ORDER)
        precision = ratio(fields[..., 0, :], fields[..., 1, :])  # [..., 3, 4]
        recall = ratio(fields[..., 2, :], fields[..., 3, :])
        if self.average == "precision-recall":
            precision, recall = precision.mean(axis=-1), recall.mean(axis=-1)
            operations = ratio(2 * precision * recall, precision + recall)
        else:
            operations = ratio(2 * precision * recall, precision + recall).mean(axis=-1)
            precision = precision.mean(axis=-1)
        if self.deletion == "precision":
            operations[..., DELETE] = precision[..., DELETE]
        return operations

    def score(self, statistics: Floats) -> Floats:
        """Return the mean of the three operations, 0-100."""
        return np.asarray(100 * self._operations(statistics).mean(axis=-1))

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return add, keep and del, 0-100 each."""
        operations = 100 * self._operations(statistics)
        return {name: operations[..., i] for i, name in enumerate(OPERATIONS)}
