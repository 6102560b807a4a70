"""Elements, comments and tags of HTML that a machine reads as a whole, also where they go on over several lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

COMMENT = "!--"
KEPT_OVER_LINES = frozenset(("script", "style", "pre", "textarea", COMMENT))  # one may speak of <code>

_NAMES = ("script", "style", "pre", "textarea", "code", "kbd", "samp")
# A comment after a quotation mark is spoken of, unless it ends in the line; <!--> is one that does.
_OPENING = re.compile(
    rf"""<(?:({"|".join(_NAMES)})(?![\w-])[^<>]*(?<!/)>|(?=({COMMENT}))!(?:(?<![`'"“‘]<!)|(?=.{{0,1000}}?-->)))""",
    re.IGNORECASE,
)
_CLOSINGS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _NAMES} | {COMMENT: re.compile("-->")}

# Tags and their attributes; names and values are not tried twice, so that time is linear. (Groups are not possessive:
# early releases of Python 3.11 lose their place in one that fails halfway.)
_TAG_NAME, _NAME = r"[a-z][\w:-]*+", r"[\w:@.-]++"
_VALUE = r"""\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'<>]++)"""
TAG = rf"</?{_TAG_NAME}(?:\s++{_NAME}(?:{_VALUE})?)*\s*+/?>"
_CUT = rf"""{_NAME}\s*+=\s*+(?:(?P<quote>["'])[^"'<>]*+)?$"""  # its value goes on in the next line
_OPEN_TAG = re.compile(rf"<{_TAG_NAME}(?:\s++{_NAME}{_VALUE})*(?:\s++(?:{_CUT})?)?$", re.IGNORECASE)
_REST_OF_TAG = re.compile(
    rf"\s*+(?:(?:{_NAME}{_VALUE}|{_NAME}(?=\s*+(?:/?>|$)))(?:\s++|(?=/?>|$)))*(?:{_CUT}|(?P<end>/?>)|$)"
)


def elements(line: str, inside: str = "") -> tuple[list[tuple[int, int]], str]:
    """Characters of the scripts, code and comments of HTML that end in a line, and the name of what is open at its end.

    `inside`: what the line begins in.
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
    """Whether some words, of which there is one, are those of a single tag (or of a comment)."""
    return (words[0], words[-1]) == ("<", ">") and "<" not in words[1:] and ">" not in words[:-1]


def html_spans(line: str) -> list[tuple[int, int]]:
    """Characters of what is HTML as a whole: elements that end in the line, and a tag that its end leaves open."""
    if "<" not in line:
        return []
    tag = _open_tag(line)
    return elements(line)[0] + ([tag.span()] if tag else [])


def opened_tag(line: str) -> str:
    """What closes the tag that a line ends in: ">", or first the quotation mark of a value; "" if it ends in none."""
    tag = _open_tag(line)
    return (tag["quote"] or ">") if tag else ""


def tag_after(line: str, closing: str) -> tuple[bool, str]:
    """Whether a line goes on with a tag that `closing` closes, and what closes the one that it ends in itself.

    A line of mere words does not: it follows what was no tag (List<String).
    """
    start = 0
    if closing != ">":
        start = line.find(closing) + 1
        if not start:
            return bool(line.strip()), closing if line.strip() else ""
    found = _REST_OF_TAG.match(line, start)
    if found is None or not (start or "=" in line or ">" in line):
        return False, opened_tag(line)
    return True, opened_tag(line) if found["end"] else found["quote"] or ">"


def _open_tag(line: str) -> re.Match[str] | None:
    return _OPEN_TAG.search(line, max(0, line.rfind("<")))
