"""How the Penn Treebank writes brackets, quotation marks and contractions, which people write otherwise."""

from __future__ import annotations

BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
# Those that tell by themselves whether they open or close.
QUOTATION_MARKS = {"“": "``", "”": "''", "«": "``", "»": "''", "‘": "`", "’": "'"}
CLOSING_MARKS = {"``": "''", "`": "'"}  # the quotation mark that closes what each opens
# Expressions for what is cut off the end of a word, in text and in tokens.
CLITIC = "['’](?:s|m|d|ll|re|ve)"
NOT = "n['’]t"
