"""A metric, pools and a space of weights in which it is known what is best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Floats
from sbmt.metrics.counted import CountedMetric
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates, Texts
from sbmt.tuning.tuners.tuner import Problem
from sbmt.tuning.weights import WeightSpace

BEST = np.array([1.0, -2.0, 0.5, 0.0])
NAMES = ("lm_0", "a", "b", "c")


class Planted(CountedMetric[Any, Any]):
    """A metric whose statistics are hits, and out of how many: summable, and so good for corpus-level tuners too."""

    name, label, variants = "planted", "Planted", {"x": {}}

    def read(self, lines: Sequence[str]) -> list[Any]:
        raise NotImplementedError

    def prepare_text(self, source: Any, references: Sequence[Any]) -> Any:
        raise NotImplementedError

    def count(self, prepared: Any, hypotheses: Sequence[Any]) -> Floats:
        raise NotImplementedError

    def score(self, statistics: Floats) -> Floats:
        return np.asarray(100 * statistics[..., 0] / statistics[..., 1])

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        return {}


def planted_pool(rng: np.random.Generator, sentences: int = 60, n: int = 30) -> list[Candidates]:
    """Candidates whose metric grows with BEST . h, saturating, so that the ranking and not the scale is learnable."""
    pool = []
    for _ in range(sentences):
        h = rng.normal(size=(n, len(BEST))).astype(np.float32)
        hits = 1 / (1 + np.exp(-(h @ BEST)))
        statistics = np.stack([hits, np.ones(n)], axis=1).astype(np.float32)
        pool.append(candidates(h, statistics))
    return pool


def candidates(features: NDArray[np.float32], statistics: NDArray[np.float32]) -> Candidates:
    gains = Objective(Planted("x")).gains(statistics.astype(np.float64), "a source")
    return Candidates(Texts(map(str, range(len(features)))), features, statistics, gains)


def listed(*rows: tuple[Sequence[float], float, float]) -> Candidates:
    """Candidates of one sentence: the features of each, its hits, and out of how many."""
    features, hits, of = zip(*rows, strict=True)
    return candidates(np.array(features, dtype=np.float32), np.array([hits, of], dtype=np.float32).T)


def space(fixed: dict[str, float] | None = None, ranges: dict[str, tuple[float, float]] | None = None) -> WeightSpace:
    return WeightSpace.build(NAMES, fixed or {}, ranges or {}, [])


def planted_problem(pool: list[Candidates], level: str = "corpus") -> Problem:
    """All weights free, and alike at the start."""
    return Problem(pool, Objective(Planted("x", level=level)), np.full(len(NAMES), 0.1), space())


def plain_problem(pool: list[Candidates], start: Sequence[float], level: str = "corpus") -> Problem:
    """The same with as many weights as `start` has."""
    free = WeightSpace.build([f"w{i}" for i in range(len(start))], {}, {}, [])
    return Problem(pool, Objective(Planted("x", level=level)), np.array(start, dtype=np.float64), free)
