"""Folders with data that tests need, which are skipped without: DATA (SBMT_DATA) and CASES (SBMT_DECODER_CASES)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

_Test = TypeVar("_Test", bound=Callable[..., object])

DATA, CASES = (Path(os.environ.get(variable, "")) for variable in ("SBMT_DATA", "SBMT_DECODER_CASES"))


def needs_data(test: _Test) -> _Test:
    """Mark a test, or a class of tests, that reads files in DATA."""
    return _needing("SBMT_DATA", test)


def needs_cases(test: _Test) -> _Test:
    """Mark a test, or a class of tests, that reads files in CASES."""
    return _needing("SBMT_DECODER_CASES", test)


def _needing(variable: str, test: _Test) -> _Test:
    missing = pytest.mark.skipif(not os.environ.get(variable), reason=f"{variable} names no folder")
    return pytest.mark.corpus(missing(test))
