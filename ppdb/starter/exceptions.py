"""Where the starter grammar's entries do not hold: a list of words in their contexts.

A line `initial|boundary [condition|conditions] of` says that either word in brackets stays as it is between the others.
Upper-case letters are a Penn tag, for every word that the grammar knows as such (CD: numbers, NNP: names), or START and
END, the ends of a sentence. "#" starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import FormatError
from sbmt.text.comments import read_entries

START, END = "START", "END"
_LINE = re.compile(r"(?P<before>[^][]*)\[(?P<kept>[^][]+)\](?P<after>[^][]*)")
_CHOICE = re.compile(r"[^\s|]+(?:\|[^\s|]+)*")

Choice = frozenset[str]  # words or tags of which one stands at a place


@dataclass(frozen=True, slots=True)
class ExceptionEntry:
    """Choices place by place; those of `kept` are words that stay."""

    before: tuple[Choice, ...]
    kept: tuple[Choice, ...]
    after: tuple[Choice, ...]


def read_exceptions(path: Path) -> Iterator[ExceptionEntry]:
    """Read the list; raises FormatError naming the line."""
    for number, text in read_entries(path):
        match = _LINE.fullmatch(text)
        kept = match["kept"].split() if match else []
        if not match or not kept or any(choice != choice.lower() for choice in kept):
            raise FormatError(
                str(path), number, f"is not an exception: {text!r}", "write lower-case words that stay in [brackets]"
            )
        before, after = match["before"].split(), match["after"].split()
        bad = next((choice for choice in (*before, *kept, *after) if not _CHOICE.fullmatch(choice)), None)
        if bad:
            raise FormatError(str(path), number, f"{bad!r} is no choice of words", "write one|other without spaces")
        yield ExceptionEntry(_choices(before), _choices(kept), _choices(after))


def _choices(texts: list[str]) -> tuple[Choice, ...]:
    return tuple(frozenset(text.split("|")) for text in texts)
