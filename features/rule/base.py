"""The interface of families of rule features: named values, computed from the two sides of a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sbmt.ppdb.rule import Rule

DIGITS = 5
XU_2016 = "Xu et al. 2016, 3.3"
_SCALE: int = 10**DIGITS


@dataclass(frozen=True, slots=True)
class FeatureInfo:
    """An entry of the catalogue. `sign`: what a larger value means; `source`: the origin of the definition."""

    name: str
    meaning: str
    sign: str
    source: str


class FeatureFamily(Protocol):
    """Features that are computed together."""

    info: Sequence[FeatureInfo]

    def values(self, rule: Rule) -> Sequence[float]:
        """Return the features of a rule, in the order of `info`, to at most DIGITS decimals."""


def rounded(value: float) -> float:
    """Round to DIGITS decimals, in a quarter of the time of `round(value, DIGITS)`."""
    return round(value * _SCALE) / _SCALE
