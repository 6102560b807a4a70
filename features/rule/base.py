"""What a family of rule features is: named values of a rule, computed from its two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sbmt.ppdb.rule import Rule

DIGITS = 5
XU_2016 = "Xu et al. 2016, 3.3"  # the source of many
_SCALE: int = 10**DIGITS


@dataclass(frozen=True, slots=True)
class FeatureInfo:
    """One line of the catalogue. `sign` says what a larger value means; `source` where the definition comes from."""

    name: str
    meaning: str
    sign: str
    source: str


class FeatureFamily(Protocol):
    """Some features that are computed together."""

    info: Sequence[FeatureInfo]

    def values(self, rule: Rule) -> Sequence[float]:
        """The features of a rule, in the order of `info`, to at most DIGITS decimals."""


def rounded(value: float) -> float:
    """To DIGITS decimals; a quarter of the time that `round(value, DIGITS)` takes."""
    return round(value * _SCALE) / _SCALE
