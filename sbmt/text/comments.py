"""Lists that people write, an entry a line: "#" starts a comment at the start of a line and after white space."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sbmt.io import read_text

_COMMENT = re.compile(r"(?:^|\s)#.*")


def without_comment(line: str) -> str:
    """The entry of a line, without white space around it; "" if there is none."""
    return _COMMENT.sub("", line).strip()


def read_entries(path: str | Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield each entry after the number of its line, from 1; raises what `read_text` raises."""
    for number, line in enumerate(read_text(path, encoding), 1):
        if entry := without_comment(line):
            yield number, entry
