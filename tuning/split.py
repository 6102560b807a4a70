"""Which sentences are tuned on and which are held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sbmt.arrays import Int64s
from sbmt.tuning.settings import TuneSettings


def split(sources: Sequence[str], settings: TuneSettings) -> tuple[Int64s, Int64s]:
    """Numbers of the sentences to tune on and of those held out (drawn by the seed), in order.

    Sentences of one source stay together, so a few more may be held out than the settings say.
    """
    first: dict[str, int] = {}
    group = [first.setdefault(line, i) for i, line in enumerate(sources)]
    sizes, drawn, wanted = Counter(group), set(), round(len(sources) * settings.held_out)
    for i in np.random.default_rng(settings.seed).permutation(len(sources)).tolist():
        if wanted <= 0:
            break
        if group[i] not in drawn:
            drawn.add(group[i])
            wanted -= sizes[group[i]]
    held_out = np.array([number in drawn for number in group], dtype=bool)
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)
