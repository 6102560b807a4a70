"""HTML: elements that begin another text, and elements, comments and tags that must not change, over lines too."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Elements that hold a text of their own, and <br> and <hr>, after which another one begins.
BLOCKS = frozenset(
    "address article aside blockquote body br button caption dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 "
    "header hr label legend li main nav ol option p section summary table tbody td th title tr ul".split()
)
COMMENT = "!--"
KEPT_OVER_LINES = frozenset(("script", "style", "pre", "textarea", COMMENT))  # not <code>, which prose may mention

_NAMES = ("script", "style", "pre", "textarea", "code", "kbd", "samp")
# After a quotation mark, "<!--" is a mention unless the comment ends in the line; <!--> is a complete comment.
_OPENING = re.compile(
    rf"""<(?:({"|".join(_NAMES)})(?![\w-])[^<>]*(?<!/)>|(?=({COMMENT}))!(?:(?<![`'"“‘]<!)|(?=.{{0,1000}}?-->)))""",
    re.IGNORECASE,
)
_CLOSINGS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _NAMES} | {COMMENT: re.compile("-->")}

# Tags and their attributes; possessive names and values keep matching linear. (Groups are not possessive: early
# releases of Python 3.11 mishandle a possessive group that fails halfway.)
_TAG_NAME, _NAME = r"[a-z][\w:-]*+", r"[\w:@.-]++"
_VALUE = r"""\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'<>]++)"""
TAG = rf"</?{_TAG_NAME}(?:\s++{_NAME}(?:{_VALUE})?)*\s*+/?>"
_CUT = rf"""{_NAME}\s*+=\s*+(?:(?P<quote>["'])[^"'<>]*+)?$"""  # its value continues on the next line
_OPEN_TAG = re.compile(rf"<{_TAG_NAME}(?:\s++{_NAME}{_VALUE})*(?:\s++(?:{_CUT})?)?$", re.IGNORECASE)
_REST_OF_TAG = re.compile(
    rf"\s*+(?:(?:{_NAME}{_VALUE}|{_NAME}(?=\s*+(?:/?>|$)))(?:\s++|(?=/?>|$)))*(?:{_CUT}|(?P<end>/?>)|$)"
)


def elements(line: str, inside: str = "") -> tuple[list[tuple[int, int]], str]:
    """Return the spans of scripts, code and comments that end in a line, and the name of the element left open, or "".

    `inside` is the name of the element in which the line begins.
    """
    spans: list[tuple[int, int]] = []
    begin = end = 0
    while True:
        if not inside:
            opening = _OPENING.search(line, end)
            if opening is None:
                return spans, ""
            inside, (begin, end) = (opening[1] or opening[2]).lower(), opening.span()
        closing = _CLOSINGS[inside].search(line, end)
        if closing is None:
            return spans, inside
        inside, end = "", closing.end()
        spans.append((begin, end))


def is_tag(words: Sequence[str]) -> bool:
    """Whether words (at least one) are those of a single tag or comment."""
    return (words[0], words[-1]) == ("<", ">") and "<" not in words[1:] and ">" not in words[:-1]


def html_spans(line: str) -> list[tuple[int, int]]:
    """Return the spans of elements that end in the line, and of a tag left open at its end."""
    if "<" not in line:
        return []
    tag = _open_tag(line)
    return elements(line)[0] + ([tag.span()] if tag else [])


def opened_tag(line: str) -> str:
    """Return what closes the tag left open by a line: ">", or a quotation mark of a value first; "" without a tag."""
    tag = _open_tag(line)
    return (tag["quote"] or ">") if tag else ""


def tag_after(line: str, closing: str) -> tuple[bool, str]:
    """Return whether a line continues a tag that `closing` closes, and what closes a tag left open by the line.

    A line of mere words does not continue a tag: what came before was none (List<String).
    """
    start = 0
    if closing != ">":
        start = line.find(closing) + 1
        if not start:
            return bool(line.strip()), closing if line.strip() else ""
    rest = _REST_OF_TAG.match(line, start)
    if rest is None or not (start or "=" in line or ">" in line):
        return False, opened_tag(line)
    return True, opened_tag(line) if rest["end"] else rest["quote"] or ">"


def _open_tag(line: str) -> re.Match[str] | None:
    return _OPEN_TAG.search(line, max(0, line.rfind("<")))
