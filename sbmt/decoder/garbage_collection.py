"""Settings of Python's cycle collector, which slows down search: that makes very many small objects and no cycles."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock


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


class _Pauses:
    """The pauses of all threads; the collector is as it was once there is none left."""

    def __init__(self) -> None:
        self._lock, self._tokens, self._was_on = RLock(), set[object](), False

    def begin(self, token: object) -> None:
        with self._lock:
            if not self._tokens:
                self._was_on = gc.isenabled()
            self._tokens.add(token)
            gc.disable()

    def end(self, token: object) -> None:
        """End a pause, also one whose beginning or end was interrupted."""
        with self._lock:
            if self._was_on and self._tokens == {token}:
                gc.enable()
            self._tokens.discard(token)

    def end_all(self) -> None:
        """End the pauses of the threads that a forked process does not have."""
        self._lock = RLock()
        if self._tokens and self._was_on:
            gc.enable()
        self._tokens.clear()


_pauses = _Pauses()
if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_pauses.end_all)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Switch the collector off (half of the time went into it); reference counts still free everything."""
    token = object()
    try:
        _pauses.begin(token)
        yield
    finally:
        try:
            _pauses.end(token)
        except BaseException:  # Ctrl-C or a timer, just now
            _pauses.end(token)
            raise
