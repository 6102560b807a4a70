"""Unwrapping: lines that were broken for width are joined, so that a paragraph becomes one line.

Two lines are joined if the first word of the second would not have fitted on the first; if that word begins with a
small letter, it is enough that the first line is nearly full. The width is that of the text (one for each depth of
quotation), or of a block if all its lines are as full as that width allows. In text that was broken for width most
full lines continue with a small letter; otherwise, as in verse, addresses and text of one sentence per line, there is
no width and nothing is joined. There is no width below 30 columns either: people break lists so narrow, not prose.
Headings, tables, code, subtitles and items of lists keep their lines.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

from sbmt.text.checks.style import SAMPLE
from sbmt.text.protection.code import Line, in_code
from sbmt.text.whitespace import WHITE, WORD
from sbmt.text.words.frequency import zipf

_MIN_WIDTH, _MAX_WIDTH = 30, 132  # characters of a width
_MIN_FULLNESS = 0.75  # minimum length of a line that continues, as a share of the width
_MAX_PART = 64  # characters of a word's part before a hyphen
# How much (in Zipf units) wordfreq overrates hyphenated words, whose frequency it guesses from that of their parts.
# Larger values undo more hyphenations, but also remove more hyphens that belong there:
#   1.5: 98.9 % of hyphenations undone
#   2:   99.8 %
_COMPOUND_EXCESS = 1.5

_QUOTES = re.compile(r"\ufeff?(?: ?>)*")
# Headings, rows of tables, lines of contents, rules and blank lines.
_NOT_PROSE = re.compile(r"^(?:#{1,6}\s|\||[\W_]*$)|[\t\v\f]|\|$| {3}|(?:\. ?){5}")
_ITEM_START = re.compile(
    r"""
      (?:[-*+•‣◦▪●·–—]|(?-i:o)|\d{1,3}[.)]|[a-z][.)]|\((?:[a-z]|[ivx]{1,5}|\d{1,3})\)|[ivx]{1,5}\))\s  # an item
    | \d{1,2}(?:\.\d{1,2})+\.?\s+(?-i:[A-Z])                 # 1.2 Scope
    | \[[^\[\]]+\](?::|[ ]{2}) | :\s | (?-i:[A-Z])[\w-]*:(?!\S)  # a note, a definition, "From:"
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SUBTITLE_TIMES = re.compile(r"(?:\d+:)?\d+:\d+[.,]\d+ +--> ")  # above a subtitle, which a blank line ends
_LABEL = re.compile(r"[^\W\d_][\w-]*:(?!\S)")
_HYPHENATED = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_LETTERS = re.compile(r"[^\W\d_]+")
_SOFT_HYPHEN = "\u00ad"
_AFTER_SUSPENDED = ("and", "or", "nor", "to", "but")  # pre- and post-war
_JOINS_WITHOUT_SPACE = re.compile(r"\S(?:--|—|(?<=\w)[-\u2010])$")  # no space follows these inside a line either


def unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Yield each paragraph of a text as one line, and other lines unchanged; reads a thousand lines ahead."""
    return (line for line, _ in joined_lines(in_code(lines)))


def joined_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """Do the same with lines already marked as code or not."""
    remaining = iter(lines)
    sample = list(islice(remaining, SAMPLE))
    breaks: dict[int, list[_Break]] = defaultdict(list)
    for block in _blocks(sample):
        breaks[block[0].depth] += _breaks(block)
    widths = {depth: _width(line_breaks) for depth, line_breaks in breaks.items()}
    for block in _blocks(chain(sample, remaining)):
        for paragraph in _paragraphs(block, widths.get(block[0].depth, 0)):
            yield _joined(paragraph), block[0].is_code


class _LayoutLine:
    """A line and its layout: `depth` quotation marks, `indent` columns of white space, and its `body`."""

    __slots__ = (
        "body",
        "depth",
        "end",
        "indent",
        "is_code",
        "is_labelled",
        "is_small",
        "is_text",
        "length",
        "line",
        "starts",
    )

    def __init__(self, line: str, is_code: bool) -> None:
        text = line.rstrip(WHITE)
        quotes = _QUOTES.match(text)
        unquoted = text[quotes.end() if quotes else 0 :]
        self.line, self.is_code, self.end = line, is_code, line[len(text) :]
        self.body = unquoted.lstrip(WHITE)
        self.indent = len(unquoted[: len(unquoted) - len(self.body)].expandtabs())
        self.depth = text[: len(text) - len(unquoted)].count(">")
        self.length = len(text) - len(unquoted) + self.indent + len(self.body)
        self.is_text = not is_code and not _NOT_PROSE.search(self.body)
        self.starts = _ITEM_START.match(self.body) is not None
        self.is_labelled = _LABEL.match(self.body) is not None
        self.is_small = next(filter(str.isalnum, self.body), "").islower()

    def may_continue(self, after: _LayoutLine) -> bool:
        """Whether the layout allows the next line to continue the same paragraph."""
        has_hard_break = self.end.startswith("  ") or self.body.endswith("\\")  # Markdown's hard line break
        starts_item = after.starts or (self.is_labelled and after.is_labelled)
        fits_indent = after.indent <= self.indent or self.starts or after.is_small
        is_prose = self.is_text and after.is_text
        return is_prose and self.depth == after.depth and fits_indent and not (has_hard_break or starts_item)


@dataclass(frozen=True, slots=True)
class _Break:
    """A line break: the lengths, in characters, of the line before it and of the first word after it."""

    length: int
    word: int
    is_small: bool  # the word begins with a small letter
    is_alone: bool  # the line before has a single word
    is_cut: bool  # the line before ends with a hyphenated part of a word

    def is_due(self, width: int) -> bool:
        """Whether the word would not have fitted on the line before."""
        return self.length + 1 + self.word > width and (self.length <= width or self.is_alone)

    def is_inside(self, width: int) -> bool:
        """Whether a paragraph continues here; before a small letter the line need not be full: people edit lines."""
        is_near = self.is_small and _MIN_FULLNESS * width < self.length + 1 + self.word and self.length <= _MAX_WIDTH
        return self.is_cut or (width > 0 and (self.is_due(width) or is_near))


def _blocks(lines: Iterable[Line]) -> Iterator[list[_LayoutLine]]:
    """Yield blocks of at most SAMPLE lines that may belong together; a line that is not prose is a block alone."""
    block: list[_LayoutLine] = []
    is_subtitle = False
    for line, is_code in lines:
        layout_line = _LayoutLine(line, is_code)
        is_subtitle = bool(layout_line.body) and (is_subtitle or _SUBTITLE_TIMES.match(layout_line.body) is not None)
        layout_line.is_text &= not is_subtitle
        if block and (len(block) == SAMPLE or not block[-1].may_continue(layout_line)):
            yield block
            block = []
        block.append(layout_line)
    if block:
        yield block


def _breaks(block: Sequence[_LayoutLine]) -> list[_Break]:
    return [_break(line, after) for line, after in pairwise(block)]


def _break(line: _LayoutLine, after: _LayoutLine) -> _Break:
    word = WORD.match(after.body)
    is_alone = WORD.fullmatch(line.body) is not None
    is_cut = after.is_small and _HYPHENATED.search(line.body, max(0, len(line.body) - _MAX_PART)) is not None
    return _Break(line.length, len(word[0]) if word else 0, after.is_small, is_alone, is_cut)


def _width(breaks: Sequence[_Break]) -> int:
    """Return the width (the largest of several) that explains most breaks before small letters; 0 if there is none."""
    small_breaks = [line_break for line_break in breaks if line_break.is_small]

    def count_due(width: int) -> int:
        return sum(line_break.is_due(width) for line_break in small_breaks)

    widths = {line_break.length for line_break in breaks if _MIN_WIDTH <= line_break.length <= _MAX_WIDTH}
    width = max(widths, key=lambda width: (count_due(width), width), default=0)
    due_small = [line_break.is_small for line_break in breaks if line_break.is_due(width)]
    return width if 2 * count_due(width) > len(small_breaks) and 2 * sum(due_small) > len(due_small) else 0


def _paragraphs(block: Sequence[_LayoutLine], width: int) -> Iterator[list[_LayoutLine]]:
    """Yield the lines of each paragraph of a block in a text of this width (0: unknown)."""
    breaks = _breaks(block)
    block_width = max(line.length for line in block)
    is_full = _MIN_WIDTH <= block_width <= _MAX_WIDTH and all(line_break.is_due(block_width) for line_break in breaks)
    if is_full and 2 * sum(line_break.is_small for line_break in breaks) >= len(breaks) > (1 if width else 0):
        width = block_width
    paragraph = [block[0]]
    for line_break, line in zip(breaks, block[1:], strict=True):
        if not line_break.is_inside(width):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def _joined(paragraph: Sequence[_LayoutLine]) -> str:
    """Return the lines as one, which keeps the beginning of the first and the end of the last."""
    if len(paragraph) == 1:
        return paragraph[0].line
    first, last = paragraph[0], paragraph[-1]
    text = first.line.removesuffix(first.end)
    for line in paragraph[1:]:
        text = _append_line(text, line)
    return text + last.end


def _append_line(text: str, line: _LayoutLine) -> str:
    """Append the next line to a text, with a space if needed and without a hyphen that only split a word."""
    hyphenated, next_word = _HYPHENATED.search(text, max(0, len(text) - _MAX_PART)), _first_letters(line.body)
    if hyphenated is None:
        joins = _JOINS_WITHOUT_SPACE.search(text, max(0, len(text) - 3))
        return text + line.body if joins else f"{text} {line.body}"
    if next_word in _AFTER_SUSPENDED:
        return f"{text} {line.body}"
    is_soft = hyphenated[0][-1] == _SOFT_HYPHEN
    is_word = line.is_small and _is_one_word(hyphenated[1].lower(), next_word, is_soft)
    return (text[:-1] if is_word else text) + line.body


def _is_one_word(head: str, tail: str, is_soft: bool) -> bool:
    return is_soft or zipf(head + tail) > zipf(f"{head}-{tail}") - _COMPOUND_EXCESS


def _first_letters(text: str) -> str:
    match = _LETTERS.match(text)
    return match[0].lower() if match else ""
