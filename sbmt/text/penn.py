"""Brackets, quotation marks and contractions as the Penn Treebank writes them."""

from __future__ import annotations

BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
# Marks that are either opening or closing.
QUOTATION_MARKS = {"“": "``", "”": "''", "«": "``", "»": "''", "‘": "`", "’": "'"}
CLOSING_MARKS = {"``": "''", "`": "'"}  # by opening mark
# An apostrophe, also as an entity of HTML.
APOSTROPHE = r"(?:['’]|&(?:rsquo|apos|\#0?39|\#8217|\#x27|\#x2019);)"
# Regular expressions of what is split off the end of a word, in text and in tokens.
CLITIC = f"{APOSTROPHE}(?:s|m|d|ll|re|ve)"
NOT = f"n{APOSTROPHE}t"
