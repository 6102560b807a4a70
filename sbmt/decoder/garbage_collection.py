"""Python's cycle collector is in the way of search, which makes very many small objects and no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def collect_rarely() -> None:
    """Tune the garbage collector for a process that loads its models once and then only decodes.

    What is loaded is exempt from collection, and it collects less often. This is a setting of the whole process;
    `collector_restored` gives it back.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 20, 20)


@contextmanager
def collector_restored() -> Iterator[None]:
    """Leave the collector as it was before; a program that calls the library may have its own settings.

    Where `collect_rarely` was called, what the program had frozen is thawed, too: Python thaws all or nothing.
    """
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if gc.get_freeze_count() > frozen:
            gc.unfreeze()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Switch the collector off for a while (half of the time went into it); reference counts still free all."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
