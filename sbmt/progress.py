"""Progress bars on standard error, shown only in terminals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
_COLUMNS, _ROWS = 80, 24  # of a terminal of unknown size


def progress(items: Iterable[T], what: str, unit: str, total: int | None = None) -> Iterator[T]:
    """Iterate over `items`, showing their number, the rate and the time left."""
    from tqdm import tqdm

    size: dict[str, Any] = {"dynamic_ncols": True} if _has_size() else {"ncols": _COLUMNS, "nrows": _ROWS}
    return iter(tqdm(items, desc=what, unit=f" {unit}", total=total, disable=None, file=sys.stderr, **size))


def _has_size() -> bool:
    """Whether standard error is a terminal of known size: some report 0 x 0, which no bar would fit."""
    try:
        return 0 not in os.get_terminal_size(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):  # not a terminal, or replaced by a program
        return False
