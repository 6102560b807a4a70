"""What separates the tokens of a line: ASCII white space only, as in KenLM and Joshua.

A no-break space and Unicode's line separators are part of a word, so that every reader of a tokenised text, a grammar
or a parallel corpus finds the same words in it.
"""

from __future__ import annotations

import re

WHITE = " \t\n\v\f\r"
WORD = re.compile(f"[^{WHITE}]+")


def split_words(text: str) -> list[str]:
    """The words of a tokenised text."""
    if text.isascii() and text.isprintable():  # str.split also splits at some control characters
        return text.split()
    return WORD.findall(text)
