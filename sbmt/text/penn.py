"""Brackets, quotation marks and contractions as the Penn Treebank writes them."""

from __future__ import annotations

BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
# Marks that are either opening or closing.
QUOTATION_MARKS = {"“": "``", "”": "''", "«": "``", "»": "''", "‘": "`", "’": "'"}
CLOSING_MARKS = {"``": "''", "`": "'"}  # by opening mark
# Regular expressions of what is split off the end of a word, in text and in tokens.
CLITIC = "['’](?:s|m|d|ll|re|ve)"
NOT = "n['’]t"
