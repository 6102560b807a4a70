"""Seconds, CPU seconds and memory used by a piece of work, in this process and its workers."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

_INTERVAL = 1.0  # seconds between measurements
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


class Usage:
    """A context that measures this process and its descendants, in a thread."""

    def __init__(self) -> None:
        self.peak = 0  # bytes resident at once; pages that processes share count for each
        self._first: dict[int, float] = {}  # process -> CPU seconds at the start; new processes are missing
        self._last: dict[int, float] = {}  # process -> CPU seconds when last measured
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Usage:
        self._start = time.monotonic()
        self._first = {pid: seconds for pid, (_, seconds, _) in _family().items()}
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._ended.set()
        self._thread.join()
        self.seconds = time.monotonic() - self._start

    @property
    def cpu(self) -> float:
        """CPU seconds; of a process that has ended, until it was last measured."""
        return sum(seconds - self._first.get(pid, 0.0) for pid, seconds in self._last.items())

    def _watch(self) -> None:
        ended = False
        while not ended:
            ended = self._ended.wait(_INTERVAL)
            family = _family()
            self._last.update((pid, seconds) for pid, (_, seconds, _) in family.items())
            self.peak = max(self.peak, sum(resident for _, _, resident in family.values()))


def _family() -> dict[int, tuple[int, float, int]]:
    """Return this process and its descendants, in the form of `_processes`."""
    table = _processes()
    family, size = {os.getpid()}, 0
    while size < len(family):
        size = len(family)
        family |= {pid for pid, (parent, _, _) in table.items() if parent in family}
    return {pid: table[pid] for pid in family if pid in table}


def _processes() -> dict[int, tuple[int, float, int]]:
    """Return the parent, CPU seconds and resident bytes of every process; empty without /proc."""
    table = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # has ended in the meantime
            continue
        table[int(path.parent.name)] = (
            int(fields[1]),
            (int(fields[11]) + int(fields[12])) / _TICK,
            int(fields[21]) * _PAGE,
        )
    return table
