"""The two releases of PPDB name the same probabilities differently; weights tuned with one need its names.

What 1.0 calls e, the target side, is e1 in 2.0, and f, the source side, e2: so the names correspond in their
alphabetical order, in which both releases write them. Both hold costs, -ln p. No description that came with the data
was at hand to confirm the sides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.rule import Rule
from sbmt.text.whitespace import split_words

_OF_2_0 = {
    "p(LHS|e)": "-logp(LHS|e1)",
    "p(LHS|f)": "-logp(LHS|e2)",
    "p(e|LHS)": "-logp(e1|LHS)",
    "p(e|f)": "-logp(e1|e2)",
    "p(e|f,LHS)": "-logp(e1|e2,LHS)",
    "p(f|LHS)": "-logp(e2|LHS)",
    "p(f|e)": "-logp(e2|e1)",
    "p(f|e,LHS)": "-logp(e2|e1,LHS)",
    "Lex(e|f)": "Lex(e1|e2)",
    "Lex(f|e)": "Lex(e2|e1)",
}
# Release -> {the other release's name: its own}
RELEASES: Mapping[str, Mapping[str, str]] = {"1.0": {new: old for old, new in _OF_2_0.items()}, "2.0": _OF_2_0}


def rename(rule: Rule, release: str) -> Rule:
    """The rule with the names of a release (a key of RELEASES); a value that has the right name already stays."""
    names, given = RELEASES[release], rule.features
    if names.keys().isdisjoint(given):
        return rule
    renamed = {names.get(name, name): value for name, value in given.items() if names.get(name) not in given}
    features: Mapping[str, float] = renamed
    if isinstance(given, ReadFeatures):
        fields = (field.rpartition("=") for field in split_words(given.text))
        text = {names.get(name, name): value for name, _, value in fields if names.get(name) not in given}
        features = ReadFeatures(" ".join(f"{name}={value}" for name, value in text.items()), tuple(renamed), renamed)
    return dataclasses.replace(rule, features=features)
