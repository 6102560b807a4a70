"""The n-best lists of all iterations merged: what a tuner learns from.

A string stands in the pool once, with the features it had when it was last decoded (its best derivation under the
newest weights), and leaves it when no n-best list of the last `keep` iterations holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Single precision: 2,000 sentences x 2,000 candidates x 90 numbers must fit in memory, and counts stay exact.
Compact = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate translations of one sentence, best first as decoded, with no string twice."""

    texts: tuple[str, ...]
    features: Compact  # [n, n_features]
    statistics: Compact  # [n, n_stats]

    def __len__(self) -> int:
        return len(self.texts)


class Pool:
    """Candidates of every sentence over the iterations."""

    def __init__(self, keep: int) -> None:
        """`keep`: how many iterations a string stays without being decoded again."""
        self.keep = keep
        self.sentences: list[Candidates] = []
        self._ages: list[NDArray[np.int64]] = []

    def merge(self, nbests: Sequence[Candidates]) -> int:
        """Add one iteration's n-best list a sentence; returns how many strings are new."""
        if not self.sentences:
            self.sentences = list(nbests)
            self._ages = [np.zeros(len(nbest), dtype=np.int64) for nbest in nbests]
            return sum(map(len, nbests))
        merged = [
            self._merge(old, ages, new) for old, ages, new in zip(self.sentences, self._ages, nbests, strict=True)
        ]
        self.sentences = [candidates for candidates, _, _ in merged]
        self._ages = [ages for _, ages, _ in merged]
        return sum(fresh for _, _, fresh in merged)

    def _merge(
        self, old: Candidates, ages: NDArray[np.int64], new: Candidates
    ) -> tuple[Candidates, NDArray[np.int64], int]:
        again = set(new.texts)
        known = set(old.texts)
        stay = np.array([i for i, text in enumerate(old.texts) if text not in again and ages[i] < self.keep], dtype=int)
        candidates = Candidates(
            new.texts + tuple(old.texts[i] for i in stay),
            np.concatenate([new.features, old.features[stay]]),
            np.concatenate([new.statistics, old.statistics[stay]]),
        )
        ages = np.concatenate([np.zeros(len(new), dtype=np.int64), ages[stay] + 1])
        return candidates, ages, sum(text not in known for text in new.texts)


def choose(sentences: Sequence[Candidates], weights: Floats) -> list[int]:
    """Index of the best candidate of each sentence under `weights` (the first of equals)."""
    return [int(np.argmax(candidates.features @ weights)) for candidates in sentences]


def chosen_statistics(sentences: Sequence[Candidates], weights: Floats) -> Floats:
    """Statistics of those, [n_sentences, n_stats]."""
    best = choose(sentences, weights)
    return np.array([candidates.statistics[i] for candidates, i in zip(sentences, best, strict=True)], dtype=np.float64)
