"""What a joiner caches about a forest, for searching it again, as tuning does."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sbmt.decoder.search.lexical import LexicalGroups


class GlueCube(NamedTuple):
    """A cube with a single rule of one or two gaps: that rule, its application, the items in the gaps.

    `right` is `NO_ITEM` if there is one gap.
    """

    rule: int
    application: int
    left: int
    right: int


class ForestCache:
    """What does not depend on weights.

    `lexical` holds the applications without gaps, None if the forest has none. `estimates[rule]` is the value of the
    rule's words alone, NaN until it is computed; `joins[rule]` holds the known joins of its target, None until
    one is needed. `glue[cube]`, by the first cube of a cell, holds all the cell's cubes if they are glue, else none.
    `chained` says whether glue alone makes the goal (None: not computed yet), which n-best lists depend on.
    """

    __slots__ = ("chained", "estimates", "glue", "joins", "lexical")

    def __init__(self, lexical: LexicalGroups | None, n_rules: int) -> None:
        self.lexical, self.estimates = lexical, np.full(n_rules, math.nan)
        self.joins: list[dict[tuple[int, ...], tuple[float, int]] | None] = [None] * n_rules
        self.glue: dict[int, list[GlueCube]] = {}
        self.chained: bool | None = None
