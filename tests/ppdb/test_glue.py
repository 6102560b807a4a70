"""The glue rules that docs/decoder.md writes out."""

from __future__ import annotations

from sbmt.ppdb.formats import RuleParser
from sbmt.ppdb.glue import glue_rules


def test_glue_rules() -> None:
    lines = [
        "[S] ||| <s> ||| <s> |||",
        "[S] ||| [S,1] [X,2] ||| [S,1] [X,2] |||",
        "[S] ||| [S,1] [NP,2] ||| [S,1] [NP,2] |||",
        "[S] ||| [S,1] </s> ||| [S,1] </s> |||",
    ]
    assert list(glue_rules(["X", "NP"], "S")) == list(map(RuleParser().parse, lines))
