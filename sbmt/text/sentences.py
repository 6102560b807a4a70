"""Sentence splitting of one line, by sentencex (Wikimedia's splitter; its data is in the package)."""

from __future__ import annotations

import re
from itertools import chain

# sentencex takes a name's initial by its byte length and panics on wider spaces; it needs to know only that there is
# a space. A lone surrogate cannot cross into it at all. One character stays one character: offsets hold.
_SPACE = re.compile(r"[^\S ]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_AFTER_ETC = re.compile(r"(?<=\betc\.)(?=\s+[A-Z])")  # it takes "etc." for no end, whatever follows


def split_sentences(line: str) -> list[tuple[int, int]]:
    """Spans `[start, end)` of the sentences of a line, without the white space around them, in order."""
    if not line or line.isspace():
        return []
    from sentencex import segment

    spans = []
    start = 0
    pieces = segment("en", _SURROGATE.sub("?", _SPACE.sub(" ", line)))
    for piece in chain.from_iterable(map(_AFTER_ETC.split, pieces)):
        body = piece.strip()
        if body:
            left = start + piece.index(body)
            spans.append((left, left + len(body)))
        start += len(piece)
    return spans
