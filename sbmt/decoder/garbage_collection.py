"""Settings of Python's cycle collector, which slows down search: that makes very many small objects and no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def collect_rarely() -> None:
    """Tune the garbage collector for a process that loads its models once and then only decodes.

    Exempts everything loaded from collection and collects less often. This is a setting of the whole process;
    `collector_restored` undoes it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 20, 20)


@contextmanager
def collector_restored() -> Iterator[None]:
    """Restore the collector's settings on exit, for programs that call the library and have their own.

    If `collect_rarely` was called, objects that the program had frozen are unfrozen, too: Python unfreezes all or none.
    """
    threshold, n_frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        if gc.get_freeze_count() > n_frozen:
            gc.unfreeze()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Switch the collector off (half of the time went into it); reference counts still free everything."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
