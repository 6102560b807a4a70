"""What a joiner keeps of a forest: searching it again, as tuning does, need not find that out again."""

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
    """`lexical` are the applications without gaps, None if the forest has none.

    `estimates[rule]` is the value of the rule's words alone, not a number until somebody asks. `glue[cube]`, for the
    first cube of a cell, are all the cell's cubes if they are glue, otherwise none. `chained` says whether glue alone
    makes the goal, which a list needs to know (None: nobody asked).
    """

    __slots__ = ("chained", "estimates", "glue", "lexical")

    def __init__(self, lexical: LexicalGroups | None, n_rules: int) -> None:
        self.lexical, self.estimates = lexical, np.full(n_rules, math.nan)
        self.glue: dict[int, list[GlueCube]] = {}
        self.chained: bool | None = None
