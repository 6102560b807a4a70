"""MERT: minimum error rate training with exact line search (Och 2003; envelopes as in Macherey et al. 2008).

Along a direction d from weights w every candidate's model score is a line a + b x in the step x (a = w.h, b = d.h); the
candidate chosen at x is on the upper envelope of the sentence's lines. The corpus metric changes only where an envelope
turns, so it is computed once per interval, from summed statistics, and the middle of the best interval is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Floats
from sbmt.config import MOST_COUNTED, check_fields
from sbmt.tuning.tuners.tuner import Problem
from sbmt.tuning.weights import WeightSpace

_MARGIN = 0.1  # the step taken beyond the first or last turn into an outermost, unbounded interval
_MIN_GAIN = 1e-6
_NARROW = 1e-9  # relative to a step as long as the weights: coinciding turns differ by rounding


def upper_envelope(a: Floats, b: Floats) -> tuple[list[int], list[float]]:
    """Return the lines of the upper envelope of a + b x, in order of x, and the x where each but the first begins."""
    current = int(np.lexsort((-a, b))[0])
    lines: list[int] = [current]
    turns: list[float] = []
    while True:
        steeper = np.flatnonzero(b > b[current])
        if not len(steeper):
            return lines, turns
        crossing = (a[current] - a[steeper]) / (b[steeper] - b[current])
        first = crossing.min()
        meeting = steeper[crossing == first]
        current = int(meeting[np.argmax(b[meeting])])
        lines.append(current)
        turns.append(float(first))


@dataclass(frozen=True, slots=True)
class Mert:
    """Settings of MERT.

    directions: random directions in a sweep, besides the axes. restarts: random starts besides the current weights.
    sweeps: maximum number of passes over all directions from each start.
    """

    directions: int = 10
    restarts: int = 2
    sweeps: int = 10

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("directions restarts", 0, MOST_COUNTED), ("sweeps", 1, MOST_COUNTED)))

    def fit(self, problem: Problem, rng: np.random.Generator) -> Floats:
        """See `Tuner`."""
        search = LineSearch(problem)
        start, space = problem.start, problem.space
        spread = np.maximum(np.abs(start), np.abs(start).mean() or 1.0)
        starts = [start] + [
            space.clip(start + np.where(space.free, rng.normal(size=len(start)) * spread, 0.0))
            for _ in range(self.restarts)
        ]
        results = [self._climb(search, point, rng) for point in starts]
        return _scaled_to(start, max(results, key=lambda result: result[0])[1], space)

    def _climb(self, search: LineSearch, w: Floats, rng: np.random.Generator) -> tuple[float, Floats]:
        """Sweep over directions until none improves the metric on the pool; return the gain and the weights."""
        best_gain = search.gain(w)
        axes = np.eye(len(w))[search.space.free]
        for _ in range(self.sweeps):
            before = best_gain
            randoms = rng.normal(size=(self.directions, len(w))) * np.where(search.space.free, np.abs(w) + 1e-3, 0.0)
            for direction in rng.permutation(np.concatenate([axes, randoms])):
                gain, step = search.line(w, direction)
                if gain > best_gain + _MIN_GAIN:
                    w, best_gain = search.space.clip(w + step * direction), gain
            if best_gain - before <= _MIN_GAIN:
                break
        return best_gain, w


def _scaled_to(start: Floats, w: Floats, space: WeightSpace) -> Floats:
    """Return the weights scaled to the length of `start`, if the ranges allow scaling; it does not affect the ranking.

    The middle of a wide interval may be thousands of times as long, and would drown other weights in interpolation.
    """
    before, after = np.linalg.norm(start), np.linalg.norm(w)
    return w * (before / after) if space.scales and before > 0 and after > 0 else w


class LineSearch:
    """The pool's features and statistics, ready for line searches."""

    def __init__(self, problem: Problem) -> None:
        self.objective, self.space = problem.objective, problem.space
        self.features = [candidates.features.astype(np.float64) for candidates in problem.pool]
        self.statistics = problem.objective.summable(problem.pool)

    def _total(self, sums: Floats) -> Floats:
        return self.objective.totals(sums / len(self.features) if self.objective.averages_sentences else sums)

    def gain(self, w: Floats) -> float:
        """Return the metric of the candidates that `w` chooses from the pool."""
        chosen = [s[int(np.argmax(h @ w))] for h, s in zip(self.features, self.statistics, strict=True)]
        return float(self._total(np.sum(chosen, axis=0)))

    def line(self, w: Floats, direction: Floats) -> tuple[float, float]:
        """Return the best metric along w + x direction, and its x."""
        turns: list[float] = []
        changes: list[Floats] = []
        first = np.zeros(self.statistics[0].shape[1])
        for h, s in zip(self.features, self.statistics, strict=True):
            slopes = h @ direction
            if np.ptp(slopes) == 0:
                first = first + s[int(np.argmax(h @ w))]
                continue
            lines, crossings = upper_envelope(h @ w, slopes)
            first = first + s[lines[0]]
            turns += crossings
            changes += list(np.diff(s[lines], axis=0))
        if not turns:
            return float(self._total(first)), 0.0
        order = np.argsort(turns, kind="stable")
        ends = np.array(turns)[order]
        sums = np.vstack([first, first + np.cumsum(np.array(changes)[order], axis=0)])
        return self._best(sums, np.append(-np.inf, ends), np.append(ends, np.inf), w, direction)

    def _best(self, sums: Floats, starts: Floats, ends: Floats, w: Floats, direction: Floats) -> tuple[float, float]:
        """Return the best metric of an interval, within the ranges of the weights, and the middle of that interval."""
        low, high = self._allowed(w, direction)
        starts, ends = np.maximum(starts, low), np.minimum(ends, high)
        wide = ends - starts > _NARROW * np.abs(w).max() / np.abs(direction).max()
        if not wide.any():
            return self.gain(w), 0.0
        open_ended = np.where(np.isinf(starts), ends - _MARGIN, starts + _MARGIN)
        middles = np.where(np.isinf(starts) | np.isinf(ends), open_ended, (starts + ends) / 2)
        gains = np.where(wide, self._total(sums), -np.inf)
        best = int(np.argmax(gains))
        return float(gains[best]), float(middles[best])

    def _allowed(self, w: Floats, direction: Floats) -> tuple[float, float]:
        """Return the least and the greatest x for which w + x direction is in the ranges, given that `w` is."""
        moving = direction != 0
        ends = (np.stack([self.space.low, self.space.high]) - w)[:, moving] / direction[moving]
        return float(ends.min(axis=0).max(initial=-np.inf)), float(ends.max(axis=0).min(initial=np.inf))
