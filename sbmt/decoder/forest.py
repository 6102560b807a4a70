"""The parse forest of one sentence: every way the rules cover it, before any language model or weight is looked at.

An *item* is (span, label). An *application* is one rule at one place; its head is an item. Applications of the same
source side at the same place share their tails (the items in its gaps) and form a *cube*. `Cell`s stand bottom-up:
whatever a cell's cubes name as tails is complete when the cell's turn comes.

A forest is plain data: it pickles, and stays valid for any weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sbmt.decoder.features import Application

NO_ITEM = -1


class Cube(NamedTuple):
    """Applications `first` <= a < `last` share the tails."""

    first: int
    last: int
    tails: tuple[int, ...]


class Cell(NamedTuple):
    """What is built over one span: words alone, then cubes, then label changes in an order that needs no repetition."""

    lexical: range
    cubes: list[Cube]
    unary: list[Cube]


@dataclass(slots=True)
class Forest:
    """`sentence` is the source without marks; `goal` the item to reach, or NO_ITEM.

    `entries` are the feature values: (application int32[m], index into `feature_names` int32[m], value float64[m]).
    `shown` maps internal spellings of words to the real ones (a source word "<s>" must not look like the mark).
    """

    sentence: tuple[str, ...]
    cells: list[Cell]
    heads: list[int]
    applications: list[Application]
    n_items: int
    goal: int
    feature_names: tuple[str, ...]
    entries: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]
    shown: dict[str, str] = field(default_factory=dict)

    def scores(self, weights: dict[str, float]) -> list[float]:
        """Weighted feature sum of every application."""
        if not self.applications:
            return []
        vector = np.array([weights.get(name, 0.0) for name in self.feature_names])
        application, feature, value = self.entries
        return np.bincount(application, value * vector[feature], len(self.applications)).tolist()  # type: ignore[no-any-return]
