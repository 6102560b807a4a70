"""Options of another type are refused with a word on what is due."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.model import Model
from sbmt.simplifier import Options, Simplifier


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("tokenized", "yes", "tokenized: expected true or false, found 'yes'"),
        ("strength", "much", "strength: expected a number, found 'much'"),
        ("unprotected", "numbers", "unprotected: expected a list, found 'numbers'"),
        ("patterns", re.compile("x"), r"patterns: expected a list, found re\.compile\('x'\)"),
        ("patterns", ("in Ulm",), r"patterns\[0\]: expected a compiled expression \(re\.compile\), found 'in Ulm'"),
        ("patterns", (re.compile(b"in Ulm"),), r"patterns: re\.compile\(b'in Ulm'\) is an expression of bytes"),
        ("nbest", None, "nbest: expected a whole number, found None"),
        ("nbest", True, "nbest: expected a whole number, found True"),
        ("nbest", -1, "nbest: -1 is not at least 0"),
        ("explain", 1, "explain: expected true or false, found 1"),
        ("alternatives", 2.5, "alternatives: expected a whole number, found 2.5"),
        ("alternatives", -3, "alternatives: -3 is not at least 0"),
    ],
)
def test_what_is_due_is_said(option: str, value: Any, message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        Options(**{option: value})


def test_a_file_or_a_mapping_is_no_glossary() -> None:
    given: Any
    for given in ("house.txt", {"wanted": {}}):
        with pytest.raises(TypeError, match=rf"glossary: {re.escape(repr(given))} is no Glossary"):
            Options(glossary=given)


def test_numpys_numbers_and_lists_will_do() -> None:
    made: Any = {"nbest": np.int64(3), "unprotected": ["numbers"], "patterns": [re.compile("x")]}
    assert Options(strength=np.float32(0.25), **made).strength == 0.25


def test_a_dictionary_is_no_options(bundle: Path) -> None:
    model = Model.load(bundle)
    given: Any
    for given in ({"nbest": 3}, {}):
        with pytest.raises(TypeError, match=rf"options: {re.escape(repr(given))} is no Options"):
            Simplifier.load(bundle, given)
        with pytest.raises(TypeError, match=rf"options: {re.escape(repr(given))} is no Options"):
            Simplifier(model.translator(), model.config.text, given)


def test_options_and_results_are_values(bundle: Path) -> None:
    simplifier = Simplifier.load(bundle, Options(nbest=2))
    results = [simplifier.simplify("He utilized numerous tools.") for _ in range(2)]
    assert results[0].changes
    assert results[0].nbest
    assert len({*results}) == len({Options(nbest=2), Options(nbest=2)}) == 1
