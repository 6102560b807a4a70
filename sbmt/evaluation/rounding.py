"""Comparison of numbers up to rounding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sbmt.arrays import Floats

_ROUNDING = 1e-12  # of the largest of the numbers


def is_constant(values: Sequence[float] | Floats) -> bool:
    """Whether numbers (one at least) are all the same, up to rounding: 0.3 and 0.1 + 0.2 are."""
    return bool(np.ptp(values) <= _ROUNDING * np.abs(values).max())
