"""The packaged model, and the rules of its lists, made once for all tests."""

from __future__ import annotations

import pytest
from starter.expand import expand_lists

from sbmt.ppdb.rule import Rule
from sbmt.ppdb.starter import LISTS
from sbmt.simplifier import Options, Simplifier


@pytest.fixture(scope="session")
def simplifier() -> Simplifier:
    return Simplifier.load("starter", Options(explain=False))


@pytest.fixture(scope="session")
def rules() -> list[Rule]:
    return expand_lists(LISTS)
