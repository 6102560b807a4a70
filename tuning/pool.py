"""The n-best lists of all iterations merged: what a tuner learns from.

Each string is kept once, with the features of its latest decoding (its best derivation under the newest weights). It is
dropped when neither the current n-best list nor those of the `keep` iterations before have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Floats, Int64s

# Single precision: 2,000 sentences x 2,000 candidates x 90 numbers must fit in memory. Statistics that it
# does not hold exactly, as it does counts, stay in double precision.
Compact = NDArray[np.float32]


class Texts(tuple[str, ...]):
    """Outputs, pickled as one string: a million short ones take ten times as long."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Callable[[str], Texts], tuple[str]]:
        return _split, ("\n".join(("", *self)),)


def _split(joined: str) -> Texts:
    return Texts(joined.split("\n")[1:])


@dataclass(frozen=True, slots=True, eq=False)
class NBest:
    """The n-best list of one sentence, best first, with no string twice."""

    texts: Texts
    features: Compact  # [n, n_features]


class Scores(NamedTuple):
    """What the metric says of outputs of one sentence."""

    statistics: Compact | Floats  # [n, n_stats]
    gains: Floats  # [n] see `Objective.gains`


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Candidate translations of one sentence, best first as last decoded, with no string twice."""

    texts: Texts
    features: Compact  # [n, n_features]
    statistics: Compact | Floats  # [n, n_stats]
    gains: Floats  # [n]

    def __len__(self) -> int:
        return len(self.texts)


class Pool:
    """Candidates of every sentence over the iterations."""

    def __init__(self, keep: int) -> None:
        """`keep`: how many iterations a string stays without being decoded again."""
        self.keep = keep
        self.sentences: list[Candidates] = []
        self._ages: list[Int64s] = []

    def unknown(self, sentence: int, texts: Texts) -> Texts:
        """Those of `texts` that are no candidates of the sentence yet; all, if the pool has no such sentence."""
        if sentence >= len(self.sentences):
            return texts
        known = set(self.sentences[sentence].texts)
        return Texts(text for text in texts if text not in known)

    def merge(self, nbests: Sequence[NBest], scores: Iterable[Scores]) -> int:
        """Add one iteration's n-best list per sentence, with the scores of its unknown strings; returns their number.

        `scores` may still be in the making: each is taken when its sentence is merged.
        """
        if not self.sentences:
            self.sentences = [
                Candidates(nbest.texts, nbest.features, *scored) for nbest, scored in zip(nbests, scores, strict=True)
            ]
            self._ages = [np.zeros(len(nbest.texts), dtype=np.int64) for nbest in nbests]
            return sum(map(len, self.sentences))
        new = 0
        for i, (_, nbest, scored) in enumerate(zip(self.sentences, nbests, scores, strict=True)):
            self.sentences[i], self._ages[i] = self._merge(self.sentences[i], self._ages[i], nbest, scored)
            new += len(scored.gains)
        return new

    def _merge(self, old: Candidates, ages: Int64s, nbest: NBest, unknown: Scores) -> tuple[Candidates, Int64s]:
        place = dict(zip(old.texts, count()))
        again = np.array([place.setdefault(text, len(place)) for text in nbest.texts])  # the unknown come after the old
        stays = ages < self.keep
        stays[again[again < len(old)]] = False
        stay = np.flatnonzero(stays)
        rows = np.concatenate([again, stay])
        candidates = Candidates(
            Texts((*nbest.texts, *map(old.texts.__getitem__, stay.tolist()))),
            np.concatenate([nbest.features, old.features[stay]]),
            np.concatenate([old.statistics, unknown.statistics])[rows],
            np.concatenate([old.gains, unknown.gains])[rows],
        )
        return candidates, np.concatenate([np.zeros(len(again), dtype=np.int64), ages[stay] + 1])


def chosen_statistics(sentences: Sequence[Candidates], weights: Floats) -> Floats:
    """Statistics of each sentence's best candidate under `weights` (the first of equals): [n_sentences, n_stats]."""
    best = (int(np.argmax(candidates.features @ weights)) for candidates in sentences)
    return np.array([candidates.statistics[i] for candidates, i in zip(sentences, best, strict=True)], dtype=np.float64)
