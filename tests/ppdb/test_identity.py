"""Rules that copy."""

from __future__ import annotations

import pytest

from sbmt.errors import SbmtError
from sbmt.ppdb.identity import identity_rules


def test_identity_rules_copy() -> None:
    assert [(r.source, r.target, r.alignment) for r in identity_rules(["one", "two"])] == [
        (("one",), ("one",), ((0, 0),)),
        (("two",), ("two",), ((0, 0),)),
    ]


@pytest.mark.parametrize("word", ["[NN,1]", "a|||b"])
def test_markup_is_no_word(word: str) -> None:
    with pytest.raises(SbmtError, match=r"is no word: in a grammar it is markup"):
        list(identity_rules([word]))
