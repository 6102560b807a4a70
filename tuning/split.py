"""Splitting the sentences into those to tune on and those held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sbmt.arrays import Int64s
from sbmt.tuning.settings import TuneSettings


def split(sources: Sequence[str], settings: TuneSettings) -> tuple[Int64s, Int64s]:
    """Return the indices of the sentences to tune on and of those held out (drawn with the seed), each in order.

    Sentences with the same source stay together, so a few more may be held out than the settings say.
    """
    counts, drawn, remaining = Counter(sources), set[str](), round(len(sources) * settings.held_out)
    for i in np.random.default_rng(settings.seed).permutation(len(sources)).tolist():
        if remaining <= 0:
            break
        if sources[i] not in drawn:
            drawn.add(sources[i])
            remaining -= counts[sources[i]]
    held_out = np.array([source in drawn for source in sources], dtype=bool)
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)
