"""Lines that were broken for width joined again, so that sentences are whole: a paragraph becomes one line.

Two lines are joined if the first word of the second would not have fitted on the first; where that word begins with a
small letter, it is enough that the first line is nearly full. The width is the text's (one for each depth of
quotation), or a block's own if all its lines are as full as it lets them be. In text that was broken for width most
full lines go on with a small letter; where they do not, as in verse, addresses and text of a sentence a line, there is
no width and nothing is joined. Nor is there a width below 30 columns, where people break lists rather than prose.
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

_NARROWEST, _WIDEST = 30, 132  # characters of a width
_RAGGED = 0.75  # of the width, which a line that goes on has at least
_LONGEST = 64  # characters of a word's part before a hyphen
# By so much wordfreq overrates words with hyphens, whose frequency it guesses from that of their parts. A larger number
# undoes more hyphenations (1.5: 98.9 %, 2: 99.8 %), but also takes away more hyphens that belong there.
_GUESSED = 1.5

_QUOTES = re.compile(r"\ufeff?(?: ?>)*")
# Headings, rows of tables, lines of contents, rules and blank lines.
_NO_TEXT = re.compile(r"^(?:#{1,6}\s|\||[\W_]*$)|[\t\v\f]|\|$| {3}|(?:\. ?){5}")
_START = re.compile(
    r"""
      (?:[-*+•‣◦▪●·–—]|(?-i:o)|\d{1,3}[.)]|[a-z][.)]|\((?:[a-z]|[ivx]{1,5}|\d{1,3})\)|[ivx]{1,5}\))\s  # an item
    | \d{1,2}(?:\.\d{1,2})+\.?\s+(?-i:[A-Z])                 # 1.2 Scope
    | \[[^\[\]]+\](?::|[ ]{2}) | :\s | (?-i:[A-Z])[\w-]*:(?!\S)  # a note, a definition, "From:"
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TIMES = re.compile(r"(?:\d+:)?\d+:\d+[.,]\d+ +--> ")  # above a subtitle, which ends with a blank line
_LABEL = re.compile(r"[^\W\d_][\w-]*:(?!\S)")
_CUT = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_LETTERS = re.compile(r"[^\W\d_]+")
_SOFT_HYPHEN = "\u00ad"
_SUSPENDED = ("and", "or", "nor", "to", "but")  # pre- and post-war
_CLOSE = re.compile(r"\S(?:--|—|(?<=\w)[-\u2010])$")  # what no space follows inside a line either


def unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Yield each paragraph of a text as one line, and all else as it is; reads a thousand lines ahead."""
    return (line for line, _ in joined_lines(in_code(lines)))


def joined_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """Do the same with lines of which it is known already which are code."""
    rest = iter(lines)
    first = list(islice(rest, SAMPLE))
    breaks: dict[int, list[_Break]] = defaultdict(list)
    for block in _blocks(first):
        breaks[block[0].depth] += _breaks(block)
    widths = {depth: _width(found) for depth, found in breaks.items()}
    for block in _blocks(chain(first, rest)):
        for paragraph in _paragraphs(block, widths.get(block[0].depth, 0)):
            yield _joined(paragraph), block[0].is_code


class _Laid:
    """A line and how it is laid out: `depth` marks of quotation, `indent` columns of white space, and its `body`."""

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
        after = text[quotes.end() if quotes else 0 :]
        self.line, self.is_code, self.end = line, is_code, line[len(text) :]
        self.body = after.lstrip(WHITE)
        self.indent = len(after[: len(after) - len(self.body)].expandtabs())
        self.depth = text[: len(text) - len(after)].count(">")
        self.length = len(text) - len(after) + self.indent + len(self.body)
        self.is_text = not is_code and not _NO_TEXT.search(self.body)
        self.starts = _START.match(self.body) is not None
        self.is_labelled = _LABEL.match(self.body) is not None
        self.is_small = next(filter(str.isalnum, self.body), "").islower()

    def may_go_on(self, after: _Laid) -> bool:
        """Whether the layout lets the next line belong to the same paragraph."""
        ends = self.end.startswith("  ") or self.body.endswith("\\")  # a line break of Markdown
        starts = after.starts or (self.is_labelled and after.is_labelled)
        hangs = after.indent <= self.indent or self.starts or after.is_small
        return self.is_text and after.is_text and self.depth == after.depth and hangs and not (ends or starts)


@dataclass(frozen=True, slots=True)
class _Break:
    """The end of a line of so many characters, before one that begins with a word of so many."""

    length: int
    word: int
    is_small: bool  # that word's first letter
    is_alone: bool  # there is one word only before it
    is_cut: bool  # a word goes on after its hyphen

    def is_due(self, width: int) -> bool:
        """Whether the word would have made the line too long."""
        return self.length + 1 + self.word > width and (self.length <= width or self.is_alone)

    def is_inside(self, width: int) -> bool:
        """Whether a paragraph goes on here; before a small letter it need not be full, for people edit their lines."""
        is_near = self.is_small and _RAGGED * width < self.length + 1 + self.word and self.length <= _WIDEST
        return self.is_cut or (width > 0 and (self.is_due(width) or is_near))


def _blocks(lines: Iterable[Line]) -> Iterator[list[_Laid]]:
    """Lines that the layout lets belong together, at most SAMPLE; a line that is no text is a block."""
    block: list[_Laid] = []
    is_subtitle = False
    for line, is_code in lines:
        laid = _Laid(line, is_code)
        is_subtitle = bool(laid.body) and (is_subtitle or _TIMES.match(laid.body) is not None)
        laid.is_text &= not is_subtitle
        if block and (len(block) == SAMPLE or not block[-1].may_go_on(laid)):
            yield block
            block = []
        block.append(laid)
    if block:
        yield block


def _breaks(block: Sequence[_Laid]) -> list[_Break]:
    return [_break(line, after) for line, after in pairwise(block)]


def _break(line: _Laid, after: _Laid) -> _Break:
    word = WORD.match(after.body)
    is_alone = WORD.fullmatch(line.body) is not None
    is_cut = after.is_small and _CUT.search(line.body, max(0, len(line.body) - _LONGEST)) is not None
    return _Break(line.length, len(word[0]) if word else 0, after.is_small, is_alone, is_cut)


def _width(breaks: Sequence[_Break]) -> int:
    """The width that makes most of the breaks before small letters due, the largest of several; 0 if there is none."""
    small = [one for one in breaks if one.is_small]

    def fit(width: int) -> int:
        return sum(one.is_due(width) for one in small)

    widths = {one.length for one in breaks if _NARROWEST <= one.length <= _WIDEST}
    width = max(widths, key=lambda width: (fit(width), width), default=0)
    due = [one.is_small for one in breaks if one.is_due(width)]
    return width if 2 * fit(width) > len(small) and 2 * sum(due) > len(due) else 0


def _paragraphs(block: Sequence[_Laid], width: int) -> Iterator[list[_Laid]]:
    """The lines of each paragraph of a block in a text of that width (0: of none)."""
    breaks = _breaks(block)
    own = max(line.length for line in block)
    is_full = _NARROWEST <= own <= _WIDEST and all(one.is_due(own) for one in breaks)
    if is_full and 2 * sum(one.is_small for one in breaks) >= len(breaks) > (1 if width else 0):
        width = own
    paragraph = [block[0]]
    for one, line in zip(breaks, block[1:], strict=True):
        if not one.is_inside(width):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def _joined(paragraph: Sequence[_Laid]) -> str:
    """The lines as one, which begins as the first and ends as the last of them."""
    if len(paragraph) == 1:
        return paragraph[0].line
    first, last = paragraph[0], paragraph[-1]
    text = first.line.removesuffix(first.end)
    for line in paragraph[1:]:
        text = _connected(text, line)
    return text + last.end


def _connected(text: str, line: _Laid) -> str:
    """A text and the line that it goes on in: without a hyphen that only cut a word, with a space where one is due."""
    cut, tail = _CUT.search(text, max(0, len(text) - _LONGEST)), _first_letters(line.body)
    if (cut and tail in _SUSPENDED) or not (cut or _CLOSE.search(text, max(0, len(text) - 3))):
        return f"{text} {line.body}"
    is_word = cut and line.is_small and _is_one_word(cut[1].lower(), tail, cut[0][-1] == _SOFT_HYPHEN)
    return (text[:-1] if is_word else text) + line.body


def _is_one_word(head: str, tail: str, is_soft: bool) -> bool:
    return is_soft or zipf(head + tail) > zipf(f"{head}-{tail}") - _GUESSED


def _first_letters(text: str) -> str:
    found = _LETTERS.match(text)
    return found[0].lower() if found else ""
