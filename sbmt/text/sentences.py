"""Sentence splitting of one line, by sentencex (Wikimedia's splitter; its data is in the package)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

_AT_ONCE = 10_000  # characters: where quotation marks are many, its time grows with the square of what it is given
# sentencex takes a name's initial by its byte length and panics on wider spaces; it needs to know only that there is
# a space. A lone surrogate cannot cross into it at all. One character stays one character: offsets hold.
_SPACE = re.compile(r"[^\S ]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_AFTER_ETC = re.compile(r"(?<=\betc\.)(?=\s+[A-Z])")  # it takes "etc." for no end, whatever follows


def split_sentences(line: str) -> list[tuple[int, int]]:
    """Spans `[start, end)` of the sentences of a line, without the white space around them, in order.

    A sentence of more than 10,000 characters is cut, at white space if there is any.
    """
    if not line or line.isspace():
        return []
    spans = []
    start = 0
    pieces = _segmented(_SURROGATE.sub("?", _SPACE.sub(" ", line)))
    for piece in chain.from_iterable(map(_AFTER_ETC.split, pieces)):
        body = piece.strip()
        if body:
            left = start + piece.index(body)
            spans.append((left, left + len(body)))
        start += len(piece)
    return spans


def _segmented(line: str) -> Iterator[str]:
    """What sentencex makes of a line, with the white space, a part at a time."""
    from sentencex import segment

    start = 0
    while start < len(line):
        part = line[start : start + _AT_ONCE]
        pieces = segment("en", part)
        if start + len(part) < len(line):  # the last sentence may go on
            pieces = pieces[:-1] or [part[: part.rfind(" ") + 1] or part]
        yield from pieces
        start += sum(map(len, pieces))
