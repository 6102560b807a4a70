"""The candidate pool: the merged n-best lists of all iterations, which tuners learn from.

Each string is kept once, with the features of its latest decoding (its best derivation under the newest weights). It is
dropped when neither the current n-best list nor those of the `keep` iterations before contain it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Floats, Int64s

# Single precision: 2,000 sentences x 2,000 candidates x 90 numbers must fit in memory. Statistics that single precision
# does not represent exactly, as it does counts, stay in double precision.
Compact = NDArray[np.float32]


class Texts(tuple[str, ...]):
    """Output strings, pickled as one string: pickling a million short ones takes ten times as long."""

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
    """The metric's statistics and gains of outputs of one sentence."""

    statistics: Compact | Floats  # [n, n_stats]
    gains: Floats  # [n], see `Objective.gains`


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
        """Return those of `texts` that are not yet candidates of the sentence; all, if it is not in the pool."""
        if sentence >= len(self.sentences):
            return texts
        pooled = set(self.sentences[sentence].texts)
        return Texts(text for text in texts if text not in pooled)

    def merge(self, nbests: Sequence[NBest], scores: Iterable[Scores]) -> int:
        """Add one iteration's n-best list per sentence, with the scores of its new strings; return their total number.

        `scores` may be computed lazily: each is taken when its sentence is merged.
        """
        if not self.sentences:
            self.sentences = [
                Candidates(nbest.texts, nbest.features, *new) for nbest, new in zip(nbests, scores, strict=True)
            ]
            self._ages = [np.zeros(len(nbest.texts), dtype=np.int64) for nbest in nbests]
            return sum(map(len, self.sentences))
        new_count = 0
        for i, (_, nbest, new) in enumerate(zip(self.sentences, nbests, scores, strict=True)):
            self.sentences[i], self._ages[i] = self._merge(self.sentences[i], self._ages[i], nbest, new)
            new_count += len(new.gains)
        return new_count

    def _merge(self, old: Candidates, ages: Int64s, nbest: NBest, new: Scores) -> tuple[Candidates, Int64s]:
        """Return the merged candidates of a sentence and their ages; `new`: scores of the strings not in `old`."""
        index = dict(zip(old.texts, count()))
        decoded = np.array([index.setdefault(text, len(index)) for text in nbest.texts])  # new strings follow the old
        is_kept = ages < self.keep
        is_kept[decoded[decoded < len(old)]] = False
        kept = np.flatnonzero(is_kept)
        rows = np.concatenate([decoded, kept])
        candidates = Candidates(
            Texts((*nbest.texts, *map(old.texts.__getitem__, kept.tolist()))),
            np.concatenate([nbest.features, old.features[kept]]),
            np.concatenate([old.statistics, new.statistics])[rows],
            np.concatenate([old.gains, new.gains])[rows],
        )
        return candidates, np.concatenate([np.zeros(len(decoded), dtype=np.int64), ages[kept] + 1])


def chosen_statistics(sentences: Sequence[Candidates], weights: Floats) -> Floats:
    """Return the statistics of each sentence's best candidate (first of ties) by `weights`, [n_sentences, n_stats]."""
    best = (int(np.argmax(candidates.features @ weights)) for candidates in sentences)
    return np.array([candidates.statistics[i] for candidates, i in zip(sentences, best, strict=True)], dtype=np.float64)
