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
        ("tokenized", "yes", "tokenized: 'yes' is not True or False"),
        ("strength", "0.5", r"strength: '0.5' is not a number from 0 \(change nothing\) to 1"),
        ("unprotected", "numbers", "unprotected: 'numbers' is not a tuple of kinds of text"),
        ("patterns", re.compile("x"), r"patterns: re.compile\('x'\) is not a tuple of compiled expressions"),
        ("patterns", ("in Ulm",), r"patterns: 'in Ulm' is no compiled expression of text: use re\.compile"),
        ("patterns", (re.compile(b"in Ulm"),), r"patterns: re\.compile\(b'in Ulm'\) is no compiled expression of text"),
        ("glossary", "house.txt", "glossary: 'house.txt' is not a Glossary, such as read_glossary reads from a file"),
        ("nbest", None, "nbest: None is not a whole number"),
        ("nbest", True, "nbest: True is not a whole number"),
        ("nbest", -1, "nbest: -1 is less than 0"),
        ("explain", 1, "explain: 1 is not True or False"),
        ("alternatives", 2.5, "alternatives: 2.5 is not a whole number"),
        ("alternatives", -3, "alternatives: -3 is less than 0"),
    ],
)
def test_what_is_due_is_said(option: str, value: Any, message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        Options(**{option: value})


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
