"""Which weights are fixed, bounded or switched off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.tuning.weights import WeightSpace
from tests.tuning.planted import NAMES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"d": 1.0}, {}, []), "no feature is called 'd', which the preset or an option asks for and the model lacks"),
        (({}, {"d": (0, 1)}, []), "no feature is called 'd'"),
        (({}, {"a": (2, 1)}, []), "the range of a is empty: 2 to 1"),
        (({}, {"a": (0, 1e30)}, []), r"the range of a reaches beyond 1e\+09: 0 to 1e\+30"),
        (({}, {"a": (float("inf"), float("inf"))}, []), r"the range of a reaches beyond 1e\+09: inf to inf"),
        (({}, {"a": (2,)}, []), "the range of a has 1 bounds"),
        (({}, {"a": (None, -1e30)}, []), r"the range of a reaches beyond 1e\+09: -inf to -1e\+30"),
        (({"a": np.nan}, {}, []), "the weight of a cannot be fixed at nan"),
        (({"a": -1e308}, {}, []), r"the weight of a cannot be fixed at -1e\+308"),
        (({}, {}, ["x*"]), r"no feature matches 'x\*'"),
        (({}, {}, ["*"]), r"no weight is free.*: all 4 features are .*\(leave one out of fixed"),
        (({"lm_0": 1.0, "a": 1.0, "b": 0.0}, {"c": (2, 2)}, []), "no weight is free, so there is nothing to tune"),
    ],
)
def test_wrong_restrictions(arguments: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        WeightSpace.build(NAMES, *arguments)


def test_a_range_may_be_open() -> None:
    space = WeightSpace.build(("a", "b", "c"), {}, {"a": (0, None), "b": (None, 1.5), "c": (None, None)}, [])
    assert space.clip(np.array([-9.0, -9.0, -9.0])).tolist() == [0, -9, -9]
    assert space.clip(np.array([9.0, 9.0, 9.0])).tolist() == [9, 1.5, 9]
    assert not space.scales
    assert WeightSpace.build(("a", "b"), {}, {"a": (0, None)}, []).scales
    for vector, near in (([0.0, 1.5, 0.0], [True, True, False]), ([1e-9, 1.4, 0.0], [False, False, False])):
        assert space.near_bounds(np.array(vector)).tolist() == near


def test_features_switched_off_by_pattern() -> None:
    space = WeightSpace.build(("lm_0", "SourceSyl", "TargetSyl"), {}, {}, ["*Syl"])
    mask: list[bool] = space.free.tolist()
    assert mask == [True, False, False]
    weights = space.named(space.vector({"lm_0": 2.0, "SourceSyl": 5.0}))
    assert weights == {"lm_0": 2.0, "SourceSyl": 0.0, "TargetSyl": 0.0}


def test_a_name_wins_over_a_pattern() -> None:
    space = WeightSpace.build(
        ("TargetZipf", "MinZipf", "Zipf"), {"MinZipf": 0.3}, {"TargetZipf": (0.1, 0.5)}, ["*Zipf"]
    )
    assert space.low.tolist() == [0.1, 0.3, 0]
    assert space.high.tolist() == [0.5, 0.3, 0]
