"""Settings of learning are checked, also in Python."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from sbmt.config import ConfigError
from sbmt.ppdb.learn.settings import LearnSettings, Limits, PivotSettings, Pruning


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Limits(max_phrase=21), "max_phrase: 21 is not from 1 to 20"),
        (lambda: Limits(max_gaps=3), "max_gaps: 3 is not from 0 to 2"),
        (lambda: Pruning(min_count=0), "min_count: 0 is not at least 1"),
        (lambda: Pruning(top=-1), "top: -1 is not at least 0"),
        (lambda: LearnSettings(folds=-2), "folds: -2 is not at least 0"),
        (lambda: LearnSettings(jobs=1.5), "jobs: expected a whole number, found 1.5"),  # type: ignore[arg-type]
        (lambda: PivotSettings(top_targets=-1), "top_targets: -1 is not at least 0"),
        (lambda: PivotSettings(min_probability=7), "min_probability: 7.0 is not from 0 to 1"),
        (lambda: PivotSettings(min_probability=math.nan), "min_probability: expected a finite number, found nan"),
    ],
)
def test_settings_out_of_range_are_named(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()
