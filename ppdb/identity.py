"""Rules that leave a word as it is: with them copying competes as a rule with features (the paper's second grammar)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbmt.errors import SbmtError
from sbmt.ppdb.formats import named_label
from sbmt.ppdb.rule import BAR, Rule, is_gap


def identity_rules(words: Iterable[str], lhs: str = "X") -> Iterator[Rule]:
    """Copy rules, one a word; `lhs` with or without brackets.

    Raises SbmtError for what is no label, and for what is no word but a gap or separates the fields of a rule.
    """
    label = named_label(lhs)
    for word in words:
        if BAR in word or is_gap(word):
            raise SbmtError(f"{word!r} is no word: in a grammar it is markup")
        yield Rule(label, (word,), (word,), {}, ((0, 0),))
