"""Rules with capitals in their source side, which never apply to text matched in lower case."""

from __future__ import annotations

import logging

import numpy as np

from sbmt.paths import display_name
from sbmt.ppdb.columns import Columns, StringTable
from sbmt.ppdb.rule import Rule, terminals

_log = logging.getLogger(__name__)


def has_capitals(rule: Rule) -> bool:
    """Whether a word of a rule's source side is not in lower case."""
    words = " ".join(terminals(rule.source))
    return words != words.lower()


def count_capitals(columns: Columns) -> int:
    """Count the rules with capitals. Reads the whole trie if any word has capitals."""
    words = columns.word_bytes.tobytes().decode()
    if words == words.lower():
        return 0
    is_cased = np.array([word != word.lower() for word in StringTable(columns.word_start, columns.word_bytes)])
    symbol = columns.node_symbol[1:]  # without the root, which has none
    parent = np.repeat(np.arange(len(columns.node_symbol)), np.diff(columns.node_children))
    cased = np.append(False, np.where(symbol >= 0, is_cased[symbol], False))  # nodes reached by a word with capitals
    while (cased[1:] < cased[parent]).any():  # pass it on to their descendants
        cased[1:] |= cased[parent]
    return int(np.diff(columns.node_rules)[cased].sum())


def warn_of_capitals(name: str, count: int) -> None:
    """Warn that so many rules of a file never apply, if there are any."""
    if count:
        _log.warning(
            "%s: rules with capitals in the source side: %d; they never apply where text is matched in lower case, as "
            "it is by default: lower-case their words",
            display_name(name),
            count,
        )
