"""Options of a wrong type raise errors that name the expected type."""

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
        ("strength", "0.5", "strength: expected a number, found '0.5'"),
        ("strength", 2, r"strength: 2\.0 is not from 0 to 1: 0 changes nothing, 1 all that can be changed"),
        ("glossary", "house.txt", "glossary: 'house.txt' is no Glossary: read_glossary reads one from a file"),
        ("glossary", {}, "glossary: {} is no Glossary"),
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


def test_numpys_numbers_lists_and_sets_will_do() -> None:
    for kind in (list, set, frozenset):
        fields: Any = {"nbest": np.int64(3), "unprotected": kind(["numbers"]), "patterns": kind([re.compile("x")])}
        options = Options(strength=np.float32(0.25), **fields)
        assert options == Options(nbest=3, strength=0.25, unprotected=("numbers",), patterns=(re.compile("x"),))


def test_a_dictionary_is_no_options(bundle: Path) -> None:
    model = Model.load(bundle)
    options: Any
    for options in ({"nbest": 3}, {}):
        with pytest.raises(TypeError, match=rf"options: {re.escape(repr(options))} is no Options"):
            Simplifier.load(bundle, options)
        with pytest.raises(TypeError, match=rf"options: {re.escape(repr(options))} is no Options"):
            Simplifier(model.translator(), model.config.text, options)


def test_options_and_results_are_values(bundle: Path) -> None:
    simplifier = Simplifier.load(bundle, Options(nbest=2))
    results = [simplifier.simplify("He utilized numerous tools.") for _ in range(2)]
    assert results[0].changes
    assert results[0].nbest
    assert len({*results}) == len({Options(nbest=2), Options(nbest=2)}) == 1


def test_what_is_no_text_is_told(bundle: Path) -> None:
    simplifier = Simplifier.load(bundle)
    wrong: Any
    for wrong, message in ((5, "not int"), (None, "not NoneType"), (b"x", "not bytes: decode it")):
        for simplify in (simplifier.simplify, simplifier.simplify_line):
            with pytest.raises(TypeError, match=rf"a text \(str\) is simplified, {message}$"):
                simplify(wrong)
