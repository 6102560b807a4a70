"""Splitting of tokenised lines at ASCII white space only, as in KenLM and Joshua.

No-break spaces and Unicode's line separators are parts of words, so that all readers of a tokenised text, a grammar or
a parallel corpus find the same words in it.
"""

from __future__ import annotations

import re

WHITE = " \t\n\v\f\r"
WORD = re.compile(f"[^{WHITE}]+")


def split_words(text: str) -> list[str]:
    """Return the words of a tokenised text."""
    if text.isascii() and text.isprintable():  # str.split also splits at some control characters
        return text.split()
    return WORD.findall(text)
