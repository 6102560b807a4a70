"""Progress bars on standard error that vanish when it is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def progress(items: Iterable[T], what: str, unit: str, total: int | None = None) -> Iterator[T]:
    """Yield `items`, showing how many have passed, the rate and the time left."""
    from tqdm import tqdm

    return iter(tqdm(items, desc=what, unit=f" {unit}", total=total, disable=None, file=sys.stderr, dynamic_ncols=True))
