"""What a piece of work uses, in this process and its workers: seconds, CPU seconds, memory."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

_INTERVAL = 1.0  # seconds between two looks
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


class Usage:
    """What this process and its descendants use while the block runs, looked at in a thread."""

    def __init__(self) -> None:
        self.peak = 0  # bytes resident at once; pages that processes share count for each
        self._first: dict[int, float] = {}  # process -> CPU seconds when it was first seen; 0 for those that are new
        self._last: dict[int, float] = {}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Usage:
        self._began = time.monotonic()
        self._first = {pid: seconds for pid, (_, seconds, _) in _family().items()}
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._ended.set()
        self._thread.join()
        self.seconds = time.monotonic() - self._began

    @property
    def cpu(self) -> float:
        """CPU seconds; of a process that ended, up to when it was last seen."""
        return sum(seconds - self._first.get(pid, 0.0) for pid, seconds in self._last.items())

    def _watch(self) -> None:
        ended = False
        while not ended:
            ended = self._ended.wait(_INTERVAL)
            family = _family()
            self._last.update((pid, seconds) for pid, (_, seconds, _) in family.items())
            self.peak = max(self.peak, sum(resident for _, _, resident in family.values()))


def _family() -> dict[int, tuple[int, float, int]]:
    """This process and its descendants, as `_processes` has them."""
    table = _processes()
    family, size = {os.getpid()}, 0
    while size < len(family):
        size = len(family)
        family |= {pid for pid, (parent, _, _) in table.items() if parent in family}
    return {pid: table[pid] for pid in family if pid in table}


def _processes() -> dict[int, tuple[int, float, int]]:
    """Of every process: its parent, CPU seconds, resident bytes. Empty where there is no /proc."""
    table = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # gone in the meantime
            continue
        table[int(path.parent.name)] = (
            int(fields[1]),
            (int(fields[11]) + int(fields[12])) / _TICK,
            int(fields[21]) * _PAGE,
        )
    return table
