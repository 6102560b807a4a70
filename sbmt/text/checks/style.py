"""Style of a text: with capitals or without, tokenised or not, and warnings of the wrong style."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from sbmt.text.words.english import SENTENCE_ENDS

_log = logging.getLogger(__name__)

_MIN_CASED = 0.05  # share of lines with a capital; cased corpora have nearly 1, lower-case ones 0
SAMPLE = 1000  # lines examined


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a text. `cased`: more than 5 % of the lines have a capital.

    `tokenized`: most marks at the ends of lines follow a space; None if no line ends with a mark.
    """

    cased: bool
    tokenized: bool | None


def style_of(lines: Iterable[str]) -> TextStyle:
    """Determine the style of all lines that are not blank."""
    non_blank = [line for line in map(str.strip, lines) if line]
    punctuated = [line for line in non_blank if line[-1] in SENTENCE_ENDS and len(line) > 1]
    spaced = sum(line[-2].isspace() for line in punctuated)
    cased = sum(line != line.lower() for line in non_blank)
    return TextStyle(cased > _MIN_CASED * len(non_blank), 2 * spaced > len(punctuated) if punctuated else None)


def remark_on_raw(lines: Iterable[str], name: str, lowercase: bool = True) -> None:
    """Warn if the first thousand lines are not tokenised or, with `lowercase`, not in lower case."""
    style = style_of(islice(lines, SAMPLE))
    signs = ["capitals"] if lowercase and style.cased else []
    if style.tokenized is False:
        signs.append("punctuation glued to words")
    if signs:
        command = "sbmt-text --lowercase" if lowercase else "sbmt-text"
        message = "%s has %s, unlike the text that models are made from: convert it with %s"
        _log.warning(message, name, " and ".join(signs), command)


def remark_on_lower_case(lines: Iterable[str], name: str) -> None:
    """Warn if hardly any of the first thousand lines has a capital, by which names are recognised."""
    first = list(islice(lines, SAMPLE))
    if any(map(str.strip, first)) and not style_of(first).cased:
        message = "%s has hardly any capitals, by which the model knows the names that it protects: tune on cased text"
        _log.warning(message, name)


def watched(lines: Iterable[str], name: str) -> Iterator[str]:
    """Yield lines after `remark_on_raw` has checked the first ones."""
    remaining = iter(lines)
    first = list(islice(remaining, SAMPLE))
    remark_on_raw(first, name)
    yield from chain(first, remaining)
