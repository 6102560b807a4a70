"""Sampling pairs of candidates to rank (Hopkins & May 2011, figure 4; as Joshua's PRO does it).

`tau` candidate pairs are drawn (Joshua's name; Gamma in the paper), those whose gains differ by at least
`min_difference` are accepted (the paper's step function alpha), and the `xi` most different (Xi) are kept. With few
candidates all pairs are taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sbmt.arrays import Floats, Int64s

_FIRST_LOOK = 4  # x `xi`: the number of most different pairs examined first


@dataclass(frozen=True, slots=True)
class Sampler:
    """Draws `tau` pairs and keeps the `xi` most different that differ by at least `min_difference` in gain."""

    tau: int
    xi: int
    min_difference: float

    def pairs(self, gains: Floats, rng: np.random.Generator) -> tuple[Int64s, Int64s, Floats]:
        """Return indices of the better and the worse candidates and their differences, largest first; [<= xi] each."""
        n = len(gains)
        if self.tau < n * (n - 1):
            a, b = rng.integers(n, size=self.tau), rng.integers(n, size=self.tau)
        else:  # that many draws would take each of the n (n - 1) / 2 pairs twice on average: take all, once
            a, b = np.triu_indices(n, 1)
        difference = np.abs(gains[a] - gains[b])
        accepted = np.flatnonzero((difference >= self.min_difference) & (difference > 0))
        difference = difference[accepted]
        for most in (_FIRST_LOOK * self.xi, len(accepted)):  # few pairs are drawn twice, so the first mostly suffices
            least = np.partition(difference, -most)[-most] if most < len(accepted) else -np.inf
            best = accepted[difference >= least]
            swap = gains[a[best]] < gains[b[best]]
            keys = np.where(swap, b[best], a[best]) * n + np.where(swap, a[best], b[best])
            kept = np.unique(keys)  # a pair drawn twice, or once each way round, counts once
            if len(kept) >= self.xi:
                break
        largest = gains[kept // n] - gains[kept % n]
        order = np.argsort(-largest, kind="stable")[: self.xi]
        return kept[order] // n, kept[order] % n, largest[order]
