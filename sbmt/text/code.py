"""Code, markup and placeholders in a text: what a machine reads must come out as it stands.

Fenced blocks and code spans as in CommonMark 0.31 (sections 4.5, 6.1), with two departures: a span between several
backticks holds no '' and has no space at its ends, unlike LaTeX's quotes; and a fence may be indented in any way and
follow the marks of lists and quotations.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator

_log = logging.getLogger(__name__)

CODE = re.compile(
    r"""
      (?<!`)`(?=[^\s`])[^`\n]*(?<=\S)`(?!`)    # `code`
    | (?<!`)(?P<ticks>`{2,})(?=[^\s`])(?:(?!'')[^`\n])*(?<=\S)(?P=ticks)(?!`)
    | \{\{[^{}]*\}\} | \{%[^{}]*%\} | \$?\{[^{}\s]+\} | %\(\w+\)[a-z]  # {{ name }}, {% if %}, {name}, %(name)s
    | \$[a-z_]\w* | %\w+% | <%[^<>%]*%>   # $name, %name%, <%= name %>
    | (?<![\w.])[a-z_][\w.]*\(\)          # name()
    | <(?:!--.{0,1000}?-->|/?[a-z][\w:-]*(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>)  # tags
    | &(?:\#\d+|\#x[0-9a-f]+|[a-z]+\d*);         # &amp;
    | \]\([^()\s]+\) | \]\[[^\[\]]+\] | \[\[[^\[\]|]+(?=[]|])  # where [links](lead), [or][so], [[or|so]]
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FENCE = re.compile(r"[\s>]*(?P<item>(?:(?:[-*+]|\d{1,9}[.)])\s[\s>]*)*)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")


def fenced(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is part of a fenced block of code, its fences included.

    A block that nothing closes lasts to the end; that is logged.
    """
    fence, opened = "", 0
    for number, line in enumerate(lines, 1):
        match = _FENCE.match(line.rstrip())
        if fence:
            closes = match and match["fence"].startswith(fence) and not (match["item"] or match["info"])
            yield line, True
            fence = "" if closes else fence
        else:
            fence, opened = match["fence"] if match else "", number
            yield line, bool(fence)
    if fence:
        _log.warning(
            "line %d: %s opens a block of code that nothing closes; where code is protected, all from there on is kept",
            opened,
            fence,
        )
