"""An ordered map over worker processes that streams: memory stays flat however long the input is.

joblib's own generator keeps the order too, but reads its input ahead without bound while a slow item blocks
the front; `_WINDOW` bounds that. Each worker builds its (large, unpicklable) state once with `initialise`.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from traceback import format_exception
from typing import Any, Generic, TypeVar

from sbmt.errors import SbmtError

Item = TypeVar("Item")
Result = TypeVar("Result")
State = TypeVar("State")

_INTERRUPTS = frozenset([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])

_state: Any = None  # one per worker process, set by _start
_failure: Exception | None = None
_said: SimpleQueue[logging.LogRecord] = SimpleQueue()  # what a worker logs until a chunk brings it home
_WINDOW = 8  # chunks under way for each process
_MOST_SAID = 1_000  # messages remembered lest they be repeated


@dataclass(frozen=True, slots=True)
class _Done(Generic[Result]):
    """What a worker brings home of a chunk."""

    results: list[Result]
    records: list[logging.LogRecord]  # what it logged, while it started, too
    error: Exception | None
    traceback: str  # of the error, which loses its own on the way


def _start(initialise: Callable[[], Any], levels: Mapping[str, int], leash: Connection) -> None:
    global _state, _failure
    from logging.handlers import QueueHandler

    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    logging.getLogger().addHandler(QueueHandler(_said))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and stops the workers
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    Thread(target=_end_without, args=[leash], daemon=True).start()
    try:
        _state = initialise()
    except Exception as error:
        _failure = error  # raised here it would break the pool; the first chunk brings it home


def _end_without(leash: Connection) -> None:
    """Stop this worker, whatever it is at, once its parent has let go of the other end, or was killed."""
    leash.poll(None)
    os._exit(1)


def _apply(work: Callable[[Any, Item], Result], chunk: list[Item]) -> _Done[Result]:
    results: list[Result] = []
    error = _failure
    if error is None:
        try:
            results.extend(work(_state, item) for item in chunk)
        except Exception as raised:
            error = raised
    records = [_said.get() for _ in range(_said.qsize())]
    if error is None:
        return _Done(results, records, None, "")
    return _Done(results, records, _sendable(error), "".join(format_exception(error)))


def _results(future: Future[_Done[Result]], said: set[str]) -> list[Result]:
    """A chunk's results; what was logged is logged here, except what a worker said before: each loads the same.

    Raises what the worker raised, after what it said.
    """
    done = future.result()
    for record in done.records:
        message = f"{record.name} {record.getMessage()}"
        if message not in said:
            if len(said) < _MOST_SAID:
                said.add(message)
            logging.getLogger(record.name).handle(record)
    if done.error is not None:
        raise done.error from RuntimeError(f"in a worker process:\n{done.traceback}")
    return done.results


def _sendable(error: Exception) -> Exception:
    """An error, or what it says if it cannot be pickled and made again: on its way home it would break the pool."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def check_jobs(jobs: int) -> None:
    """Raise SbmtError for fewer than 0 processes."""
    if jobs < 0:
        raise SbmtError(f"jobs={jobs}: 0 or more (0: as many as there are processors)")


def ordered_map(
    work: Callable[[State, Item], Result],
    items: Iterable[Item],
    initialise: Callable[[], State],
    jobs: int = 1,
    chunk: int = 16,
) -> Iterator[Result]:
    """Yield `work(state, item)` in the order of `items`, the same for any `jobs`.

    `jobs` processes (0 = all cores that we may use; 1 = this process, no pool); at most `_WINDOW * jobs` chunks are
    under way. `work` and `initialise` must be importable (or functools.partial of something importable); what they
    raise is raised here. What workers log is logged here, with its chunk, and a message once. Raises SbmtError for
    fewer than 0 processes.
    """
    check_jobs(jobs)
    if jobs == 0:
        from joblib import cpu_count

        jobs = cpu_count()
    if jobs == 1:
        state = initialise()
        for item in items:
            yield work(state, item)
        return
    levels = {name: logging.getLogger(name).level for name in ("", "sbmt")}
    spawn = get_context("spawn")
    leash, held = spawn.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, spawn, initializer=_start, initargs=(initialise, levels, leash))
    waiting: deque[Future[_Done[Result]]] = deque()
    said: set[str] = set()
    try:
        for piece in _chunks(items, chunk):
            with _interrupts_blocked():
                waiting.append(pool.submit(_apply, work, piece))
            if len(waiting) >= _WINDOW * jobs:
                yield from _results(waiting.popleft(), said)
        while waiting:
            yield from _results(waiting.popleft(), said)
        pool.shutdown()  # waits, lest the interpreter end while the pool does
    except BrokenProcessPool:
        raise SbmtError("a worker process was killed, perhaps for want of memory; try fewer --jobs") from None
    finally:
        held.close()  # who stops early does not wait for what was begun
        pool.shutdown(cancel_futures=True)
        leash.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold Ctrl-C back while a process may be started: it inherits this, and is safe before `_start` runs in it.

    So is this process from a SIGTERM or SIGHUP that would leave it with half a worker.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while piece := list(islice(rest, size)):
        yield piece
