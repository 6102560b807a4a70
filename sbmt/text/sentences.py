"""Sentence splitting of a line with sentencex (Wikimedia's splitter, which includes its data)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

_MAX_SEGMENT = 10_000  # characters: with many quotation marks its time is quadratic in its input
# sentencex measures initials in bytes and panics on multi-byte spaces, and cannot be passed lone surrogates. Each such
# character is replaced by one character, which keeps offsets valid.
_SPACE = re.compile(r"[^\S ]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_AFTER_ETC = re.compile(r"(?<=\betc\.)(?=\s+[A-Z])")  # sentencex never ends a sentence at "etc."


def split_sentences(line: str, language: str = "en") -> list[tuple[int, int]]:
    """Return spans `[start, end)` of the sentences of a line in order, without surrounding white space.

    `language` is an ISO 639 code; one that sentencex does not know counts as English. A sentence of more than 10,000
    characters is cut, at white space if possible.
    """
    if not line or line.isspace():
        return []
    spans = []
    start = 0
    pieces = _segmented(_SURROGATE.sub("?", _SPACE.sub(" ", line)), language)
    for piece in chain.from_iterable(map(_AFTER_ETC.split, pieces)):
        body = piece.strip()
        if body:
            left = start + piece.index(body)
            spans.append((left, left + len(body)))
        start += len(piece)
    return spans


def _segmented(line: str, language: str) -> Iterator[str]:
    """Yield the segments of a line with their white space; sentencex gets one part at a time."""
    from sentencex import segment

    start = 0
    while start < len(line):
        part = line[start : start + _MAX_SEGMENT]
        pieces = segment(language, part)
        if start + len(part) < len(line):  # the last sentence may continue
            pieces = pieces[:-1] or [part[: part.rfind(" ") + 1] or part]
        yield from pieces
        start += sum(map(len, pieces))
