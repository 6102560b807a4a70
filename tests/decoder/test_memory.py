"""What a process that settled holds for good, and what it lets go."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from sbmt.decoder.memory import settle


class _Cycle:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def collector_as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_a_model_loaded_before_is_let_go_when_another_has_settled() -> None:
    cycle = _Cycle()
    seen = weakref.ref(cycle)
    settle()
    del cycle
    gc.collect()
    assert seen() is not None
    settle()
    assert seen() is None
