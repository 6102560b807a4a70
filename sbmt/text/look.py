"""What lines look like, as a whole: with capitals or without, tokens or text as people write it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_CASED = 0.05  # of lines; corpora in lower case have none at all, those in both nearly all lines
_MARKS = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Look:
    """`tokenized`: most marks at the ends of lines have a space before them; None where no line ends with one."""

    cased: bool
    tokenized: bool | None


def look(lines: Iterable[str]) -> Look:
    """Tell by all lines that are not blank."""
    written = [line for line in map(str.strip, lines) if line]
    ending = [line for line in written if line.endswith(_MARKS) and len(line) > 1]
    spaced = sum(line[-2].isspace() for line in ending)
    cased = sum(line != line.lower() for line in written)
    return Look(cased > _CASED * len(written), 2 * spaced > len(ending) if ending else None)
