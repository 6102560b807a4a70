"""Rules that leave a word as it is: with them copying competes as a rule with features (the paper's second grammar)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbmt.errors import SbmtError
from sbmt.ppdb.formats import is_writable, named_label
from sbmt.ppdb.rule import BAR, Rule


def identity_rules(words: Iterable[str], lhs: str = "X") -> Iterator[Rule]:
    """Copy rules, one for each word; `lhs` with or without brackets.

    Raises SbmtError for what is no label, and for a word that would be read back as something else.
    """
    label = named_label(lhs)
    for word in words:
        if not is_writable(word):
            rule = f"words are not empty, do not hold white space or {BAR} and do not look like a gap, [{label},1]"
            raise SbmtError(f"{word!r} is no word that a rule can hold ({rule}; leave it out)")
        yield Rule(label, (word,), (word,), {}, ((0, 0),))
