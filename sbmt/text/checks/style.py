"""What lines look like, as a whole: with capitals or without, tokens or text as people write it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from sbmt.text.words.english import SENTENCE_ENDS

_log = logging.getLogger(__name__)

_CASED = 0.05  # of lines; corpora in lower case have none at all, those in both nearly all lines
SAMPLE = 1000  # lines that tell what a text is like


@dataclass(frozen=True, slots=True)
class Look:
    """`cased`: more than 5 % of the lines have a capital.

    `tokenized`: most marks at the ends of lines have a space before them; None where no line ends with one.
    """

    cased: bool
    tokenized: bool | None


def look(lines: Iterable[str]) -> Look:
    """Tell by all lines that are not blank."""
    written = [line for line in map(str.strip, lines) if line]
    ending = [line for line in written if line[-1] in SENTENCE_ENDS and len(line) > 1]
    spaced = sum(line[-2].isspace() for line in ending)
    cased = sum(line != line.lower() for line in written)
    return Look(cased > _CASED * len(written), 2 * spaced > len(ending) if ending else None)


def remark_on_raw(lines: Iterable[str], name: str, lowercase: bool = True) -> None:
    """Warn if the first thousand lines, which should be tokens (in lower case where that is due), are not."""
    found = look(islice(lines, SAMPLE))
    signs = ["capitals"] * (lowercase and found.cased) + ["punctuation glued to words"] * (found.tokenized is False)
    if signs:
        made_by = "sbmt-text --lowercase" if lowercase else "sbmt-text"
        message = "%s has %s, unlike the text that models are made from: convert it with %s"
        _log.warning(message, name, " and ".join(signs), made_by)


def remark_on_lower_case(lines: Iterable[str], name: str) -> None:
    """Warn if hardly one of the first thousand lines has a capital, where names should be told by theirs."""
    first = list(islice(lines, SAMPLE))
    if any(map(str.strip, first)) and not look(first).cased:
        message = "%s has hardly any capitals, by which the model knows the names that it protects: tune on cased text"
        _log.warning(message, name)


def watched(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines, once `remark_on_raw` has seen the first ones."""
    remaining = iter(lines)
    first = list(islice(remaining, SAMPLE))
    remark_on_raw(first, name)
    yield from chain(first, remaining)
