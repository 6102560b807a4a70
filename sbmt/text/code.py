"""Code, markup and placeholders in a text: what a machine reads must come out as it stands.

Fenced blocks and code spans as in CommonMark 0.31 (sections 4.5, 6.1), but for spans between more than one backtick,
which would take LaTeX's quotes for code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

CODE = re.compile(
    r"""
      (?<!`)`(?=[^\s`])[^`\n]*(?<=\S)`(?!`)    # `code`
    | \{\{[^{}]*\}\} | \{%[^{}]*%\} | \$?\{[^{}\s]+\} | %\(\w+\)[a-z]  # {{ name }}, {% if %}, {name}, %(name)s
    | <(?:!--[^<>]*-->|/?[a-z][\w:-]*(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*/?>)  # tags
    | &(?:\#\d+|\#x[0-9a-f]+|[a-z]+\d*);         # &amp;
    | \]\([^()\s]+\) # where a [link](leads)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")


def fenced(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is part of a fenced block of code, its fences included."""
    fence = ""
    for line in lines:
        match = _FENCE.match(line.rstrip())
        if fence:
            closes = match and match["fence"].startswith(fence) and not match["info"]
            yield line, True
            fence = "" if closes else fence
        else:
            fence = match["fence"] if match else ""
            yield line, bool(fence)
