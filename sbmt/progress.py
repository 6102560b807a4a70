"""Progress bars on standard error that vanish when it is not a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
_COLUMNS, _ROWS = 80, 24  # of a terminal that does not tell


def progress(items: Iterable[T], what: str, unit: str, total: int | None = None) -> Iterator[T]:
    """Yield `items`, showing how many have passed, the rate and the time left."""
    from tqdm import tqdm

    size: dict[str, Any] = {"dynamic_ncols": True} if _has_size() else {"ncols": _COLUMNS, "nrows": _ROWS}
    return iter(tqdm(items, desc=what, unit=f" {unit}", total=total, disable=None, file=sys.stderr, **size))


def _has_size() -> bool:
    """Whether standard error is a terminal that tells its size: some say 0 x 0, where no bar would fit."""
    try:
        return 0 not in os.get_terminal_size(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):  # it is no terminal, or what a program has put in its place
        return False
