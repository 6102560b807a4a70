"""What processes cost, as the measuring scripts print it: CPU time and memory."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from pathlib import Path

SELF = resource.RUSAGE_SELF
ENDED = resource.RUSAGE_CHILDREN  # the processes that this one has started and that have ended
MB = 1 << 20


def cpu_seconds(*processes: int) -> float:
    """The sum over SELF, ENDED or both."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, processes))


def peak_bytes(processes: int = SELF) -> int:
    """The most memory that this process has held so far, or the largest of those that have ended."""
    return resource.getrusage(processes).ru_maxrss * 1024


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes of memory: a process's own, and mapped from files, which processes share and the system can take back."""

    own: int
    files: int


def held_now() -> Held:
    """What this process holds; reads Linux's /proc."""
    rows = [line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]]
    size = {name: int(kilobytes) * 1024 for name, kilobytes, *_ in rows}
    return Held(size["Anonymous:"], size["Rss:"] - size["Anonymous:"])
