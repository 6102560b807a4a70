"""Tables of aligned columns as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence


def aligned(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.rjust) -> Iterator[str]:
    """Align columns, the first to the left, the others by `align`; yields one line per row."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [align(cell, width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()
