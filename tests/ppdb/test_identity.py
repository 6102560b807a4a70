"""Rules that copy."""

from __future__ import annotations

import re

import pytest

from sbmt.errors import SbmtError
from sbmt.ppdb.identity import identity_rules


def test_identity_rules_copy() -> None:
    assert [(r.source, r.target, r.alignment) for r in identity_rules(["one", "two"])] == [
        (("one",), ("one",), ((0, 0),)),
        (("two",), ("two",), ((0, 0),)),
    ]


@pytest.mark.parametrize("word", ["[NN,1]", "[NN,10]", "a|||b", "a ||| b", "a b", " ", ""])
def test_what_no_rule_can_hold_is_no_word(word: str) -> None:
    with pytest.raises(SbmtError, match=re.escape(f"{word!r} is no word that a rule can hold (words are not empty, ")):
        list(identity_rules([word]))
