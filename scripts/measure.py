"""CPU time and memory of pieces of work, for the benchmark scripts."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from sbmt.metrics import AnyMetric

SELF = resource.RUSAGE_SELF
ENDED = resource.RUSAGE_CHILDREN  # child processes that have ended
MB = 1 << 20
Result = TypeVar("Result")


def apart(work: Callable[..., Result], *arguments: Any) -> Result:
    """Run work in its own process, so that its peak memory does not hide that of later work."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def median_cpu(work: Callable[[], object], repeats: int) -> float:
    """Return the median of the CPU seconds of several runs in this process."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def candidate_milliseconds(
    metric: AnyMetric, prepared: Sequence[Any], lists: Sequence[Sequence[str]], repeats: int
) -> float:
    """Return CPU milliseconds per candidate; `lists[i]` are the candidates of the sentence `prepared[i]`."""

    def score() -> None:
        for sentence, candidates in zip(prepared, lists, strict=True):
            metric.score_sentences(metric.statistics_many(sentence, candidates))

    return 1000 * median_cpu(score, repeats) / sum(map(len, lists))


def cpu_seconds(*processes: int) -> float:
    """Return the CPU seconds of SELF, ENDED or both, summed."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, processes))


def peak_bytes(processes: int = SELF) -> int:
    """Return the peak memory of this process (SELF), or of the largest child process that has ended (ENDED)."""
    return resource.getrusage(processes).ru_maxrss * 1024


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes of memory: a process's own, and mapped from files, which processes share and the system can take back."""

    own: int
    files: int


def held_now() -> Held:
    """Return the memory that this process holds, from Linux's /proc."""
    rows = [line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]]
    size = {name: int(kilobytes) * 1024 for name, kilobytes, *_ in rows}
    return Held(size["Anonymous:"], size["Rss:"] - size["Anonymous:"])
