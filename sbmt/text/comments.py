"""Reading lists of one entry per line, in which "#" starts a comment at the start of a line or after white space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sbmt.io import read_text

_COMMENT = re.compile(r"(?:^|\s)#.*")


def without_comment(line: str) -> str:
    """Return the entry of a line without surrounding white space; "" if there is none."""
    return _COMMENT.sub("", line).strip()


def read_entries(path: str | Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield the line number (from 1) and text of each entry; raises what `read_text` raises."""
    for number, line in enumerate(read_text(path, encoding), 1):
        if entry := without_comment(line):
            yield number, entry
