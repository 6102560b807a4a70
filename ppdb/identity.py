"""Copy rules, which let copying compete as a rule with features (the second grammar of Xu et al. 2016)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbmt.errors import SbmtError
from sbmt.ppdb.rule import BAR, DEFAULT_LABEL, Rule
from sbmt.ppdb.symbols import is_writable, named_label


def identity_rules(words: Iterable[str], lhs: str = DEFAULT_LABEL) -> Iterator[Rule]:
    """Yield a copy rule for each word; `lhs` may have brackets.

    Raises SbmtError for an impossible label, and for a word that would not be read back as the same word.
    """
    label = named_label(lhs)
    for word in words:
        if not is_writable(word):
            rule = f"words are not empty, do not hold white space or {BAR} and do not look like a gap, [{label},1]"
            raise SbmtError(f"{word!r} is no word that a rule can hold ({rule}; leave it out)")
        yield Rule(label, (word,), (word,), {}, ((0, 0),))
