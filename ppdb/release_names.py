"""The names of probabilities in PPDB 1.0 and 2.0; weights tuned with one release need its names.

In 1.0, whose lines are LHS ||| SOURCE ||| TARGET, f is the source and e the target, as in Joshua's grammars. In 2.0 e1
is the original phrase and e2 its paraphrase ("Full list of features distributed with PPDB 2.0", supplement to Pavlick
et al. 2015, *PPDB 2.0*); that list has the alphabetical order of 1.0's names, with e2 for e and e1 for f. Both hold
costs, -ln p.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.rule import Rule
from sbmt.text.whitespace import split_words

_OF_2_0 = {
    "p(LHS|e)": "-logp(LHS|e2)",
    "p(LHS|f)": "-logp(LHS|e1)",
    "p(e|LHS)": "-logp(e2|LHS)",
    "p(e|f)": "-logp(e2|e1)",
    "p(e|f,LHS)": "-logp(e2|e1,LHS)",
    "p(f|LHS)": "-logp(e1|LHS)",
    "p(f|e)": "-logp(e1|e2)",
    "p(f|e,LHS)": "-logp(e1|e2,LHS)",
    "Lex(e|f)": "Lex(e2|e1)",
    "Lex(f|e)": "Lex(e1|e2)",
}
# Release -> {the other release's name: its own}
RELEASES: Mapping[str, Mapping[str, str]] = {"1.0": {new: old for old, new in _OF_2_0.items()}, "2.0": _OF_2_0}


def rename(rule: Rule, release: str) -> Rule:
    """Return the rule with the names of a release (a key of RELEASES); a value already under such a name stays."""
    names, old = RELEASES[release], rule.features
    if names.keys().isdisjoint(old):
        return rule
    renamed = {names.get(name, name): value for name, value in old.items() if names.get(name) not in old}
    features: Mapping[str, float] = renamed
    if isinstance(old, ReadFeatures):
        fields = (field.rpartition("=") for field in split_words(old.text))
        text = {names.get(name, name): value for name, _, value in fields if names.get(name) not in old}
        features = ReadFeatures(" ".join(f"{name}={value}" for name, value in text.items()), tuple(renamed), renamed)
    return dataclasses.replace(rule, features=features)
