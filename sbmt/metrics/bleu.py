"""BLEU (Papineni et al. 2002) of corpora and sentences, after sacreBLEU, Joshua and Xu et al. 2016.

All clip by the maximum count in one reference, multiply orders 1-4 and smooth exponentially: the k-th order without a
match has precision 1/2^k over its number of n-grams. They differ in tokenisation, in the reference length, and in the
level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sbmt.arrays import Floats, Int64s
from sbmt.metrics.base import ratio
from sbmt.metrics.counted import TokenMetric
from sbmt.metrics.ngrams import ORDER, NgramIndex, Ngrams, count_ngrams

LENGTHS = ("closest", "mean")  # definitions of the reference length (see `Bleu`)
BLEU_STATISTICS = 2 * ORDER + 2  # matches, n-grams (orders 1-4 each), output length, reference length


@dataclass(frozen=True, slots=True)
class BleuSide:
    """A side that outputs are compared with: how often each of K n-grams may match, and possible reference lengths."""

    clip: Floats  # [K]
    order: Floats  # [K, 4]
    lengths: Floats  # ascending

    @staticmethod
    def of(grams: Ngrams, index: NgramIndex, references: Sequence[Sequence[str]], length: str) -> BleuSide:
        """Count the n-grams of references; `length` is one of LENGTHS."""
        clip = index.locate(references).counts().max(axis=0)
        lengths = np.sort(np.array([len(reference) for reference in references], dtype=np.float64))
        if length == "mean":
            lengths = np.floor(lengths.mean(keepdims=True))
        return BleuSide(clip.astype(np.float64), grams.by_order(), lengths)


@dataclass(frozen=True, slots=True)
class BleuPrepared:
    """The references and the columns of their n-grams."""

    index: NgramIndex
    references: BleuSide


def bleu_statistics(side: BleuSide, counts: Int64s, lengths: Floats) -> Floats:
    """Return BLEU's statistics [n, 10], whole numbers, of n-gram counts [n, K] and output lengths [n]."""
    closest = np.abs(lengths[:, None] - side.lengths).argmin(axis=1)
    statistics = np.empty((len(lengths), BLEU_STATISTICS))
    statistics[:, :ORDER] = np.minimum(counts, side.clip) @ side.order
    statistics[:, ORDER : 2 * ORDER] = np.maximum(lengths[:, None] - np.arange(ORDER), 0)
    statistics[:, -2] = lengths
    statistics[:, -1] = side.lengths[closest]
    return statistics


def precisions(statistics: Floats) -> Floats:
    """Return the smoothed n-gram precisions, 0-1: [..., 10] -> [..., 4]."""
    matches, totals = statistics[..., :ORDER], statistics[..., ORDER : 2 * ORDER]
    empty = matches == 0
    return ratio(np.where(empty, 0.5 ** np.cumsum(empty, axis=-1), matches), totals)


def brevity_penalty(statistics: Floats) -> Floats:
    """Return exp(1 - reference length / output length) for outputs that are too short, else 1; 0 without words."""
    output, reference = statistics[..., -2], statistics[..., -1]
    return np.where(output > 0, np.exp(np.minimum(0, 1 - ratio(reference, output))), 0.0)


def score_bleu(statistics: Floats, effective_order: bool) -> Floats:
    """Return BLEU, 0-1, and 0 where nothing matches; `effective_order` leaves out orders without n-grams."""
    p = precisions(statistics)
    totals = statistics[..., ORDER : 2 * ORDER]
    used = totals > 0 if effective_order else np.ones_like(totals, dtype=bool)
    logs = np.where(used, np.log(np.where(p > 0, p, 1.0)), 0.0)
    complete = np.all((p > 0) | ~used, axis=-1) & np.any(statistics[..., :ORDER] > 0, axis=-1)
    mean = logs.sum(axis=-1) / np.maximum(used.sum(axis=-1), 1)
    return np.where(complete, brevity_penalty(statistics) * np.exp(mean), 0.0)


class Bleu(TokenMetric[BleuPrepared]):
    """BLEU; statistics are matches and n-grams of orders 1-4, output length, reference length."""

    name = "bleu"
    label = "BLEU"
    needs_source = False
    choices: ClassVar[Mapping[str, Sequence[str]]] = {**TokenMetric.choices, "length": LENGTHS}
    variants: ClassVar[dict[str, dict[str, Any]]] = {
        "sacrebleu": {"tok": "13a"},
        "easse": {"tok": "13a", "case": "lc"},
        "sentence": {"tok": "13a", "level": "sentence"},
        "joshua": {"level": "sentence"},
        "xu2016": {"tok": "nist", "level": "sentence"},
    }

    def __init__(self, variant: str, length: str = "closest", **options: str) -> None:
        """length: the reference length is the `closest` to the output's (ties: the shorter) or the floored `mean`."""
        super().__init__(variant, **options)
        self.length = self.choice("length", length)

    def conventions(self) -> dict[str, str]:
        """Name the smoothing and the reference length."""
        return {"smooth": "exp", "length": self.length}

    def prepare_text(self, source: list[str], references: Sequence[list[str]]) -> BleuPrepared:
        """Count the references."""
        grams = count_ngrams(*references)
        index = NgramIndex(grams.counts)
        return BleuPrepared(index, BleuSide.of(grams, index, references, self.length))

    def count(self, prepared: BleuPrepared, hypotheses: Sequence[list[str]]) -> Floats:
        """Return the statistics [n_hypotheses, 10]."""
        counts = prepared.index.locate(hypotheses).counts()
        lengths = np.array([len(words) for words in hypotheses], dtype=np.float64)
        return bleu_statistics(prepared.references, counts, lengths)

    def score(self, statistics: Floats) -> Floats:
        """Return BLEU, 0-100; by effective order at the level of sentences."""
        return 100 * score_bleu(statistics, effective_order=self.level == "sentence")

    def score_sentences(self, rows: Floats) -> Floats:
        """Return sentence BLEU of each row, by effective order (a sentence may be shorter than four words)."""
        return 100 * score_bleu(rows, effective_order=True)

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        """Return the precisions p1-p4 (0-100), brevity penalty and mean or total lengths."""
        p = 100 * precisions(statistics)
        return {
            **{f"p{n + 1}": p[..., n] for n in range(ORDER)},
            "bp": brevity_penalty(statistics),
            "output_length": statistics[..., -2],
            "reference_length": statistics[..., -1],
        }
