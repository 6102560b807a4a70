"""An ordered, streaming map over worker processes, whose memory does not grow with the input.

joblib's generator keeps the order too, but reads its input ahead without bound while a slow item blocks the front;
`_WINDOW` bounds that. Each worker builds its (large, unpicklable) state once with `initialise`.
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
_log_records: SimpleQueue[logging.LogRecord] = SimpleQueue()  # logged by a worker since its last chunk
_WINDOW = 8  # unfinished chunks per process
_MAX_REMEMBERED = 1_000  # messages that are not repeated


@dataclass(frozen=True, slots=True)
class _ChunkResult(Generic[Result]):
    """What a worker returns for a chunk."""

    results: list[Result]
    records: list[logging.LogRecord]  # including those of its start
    error: Exception | None
    traceback: str  # of the error: pickling drops it


def _start(initialise: Callable[[], Any], levels: Mapping[str, int], parent_pipe: Connection) -> None:
    global _state, _failure
    from logging.handlers import QueueHandler

    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    logging.getLogger().addHandler(QueueHandler(_log_records))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and stops the workers
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    Thread(target=_exit_after_parent, args=[parent_pipe], daemon=True).start()
    try:
        _state = initialise()
    except Exception as error:
        _failure = error  # raising it here would break the pool; the first chunk returns it


def _exit_after_parent(parent_pipe: Connection) -> None:
    """Stop this worker at once when its parent closes the other end of the pipe or is killed."""
    parent_pipe.poll(None)
    os._exit(1)


def _apply(work: Callable[[Any, Item], Result], chunk: list[Item]) -> _ChunkResult[Result]:
    results: list[Result] = []
    error = _failure
    if error is None:
        try:
            results.extend(work(_state, item) for item in chunk)
        except Exception as raised:
            error = raised
    records = [_log_records.get() for _ in range(_log_records.qsize())]
    if error is None:
        return _ChunkResult(results, records, None, "")
    return _ChunkResult(results, records, _sendable(error), "".join(format_exception(error)))


def _results(future: Future[_ChunkResult[Result]], logged_messages: set[str]) -> list[Result]:
    """Return a chunk's results after logging its records, once per message: all workers load the same files.

    Raises what the worker raised.
    """
    chunk_result = future.result()
    for record in chunk_result.records:
        message = f"{record.name} {record.getMessage()}"
        if message not in logged_messages:
            if len(logged_messages) < _MAX_REMEMBERED:
                logged_messages.add(message)
            logging.getLogger(record.name).handle(record)
    if chunk_result.error is not None:
        raise chunk_result.error from RuntimeError(f"in a worker process:\n{chunk_result.traceback}")
    return chunk_result.results


def _sendable(error: Exception) -> Exception:
    """Return an error that can be pickled (another would break the pool): itself, or a RuntimeError of its message."""
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

    `jobs` processes (0: all available cores; 1: this process, no pool) have at most `_WINDOW * jobs` unfinished chunks.
    `work` and `initialise` must be importable (or functools.partial of something importable); what they raise is raised
    here. Log records of workers are handled here, with their chunk, each message once. Raises SbmtError for fewer than
    0 processes.
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
    parent_pipe, parent_end = spawn.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, spawn, initializer=_start, initargs=(initialise, levels, parent_pipe))
    pending: deque[Future[_ChunkResult[Result]]] = deque()
    logged_messages: set[str] = set()
    try:
        for chunk_items in _chunks(items, chunk):
            with _interrupts_blocked():
                pending.append(pool.submit(_apply, work, chunk_items))
            if len(pending) >= _WINDOW * jobs:
                yield from _results(pending.popleft(), logged_messages)
        while pending:
            yield from _results(pending.popleft(), logged_messages)
        pool.shutdown()  # wait, so that the interpreter does not exit during the shutdown
    except BrokenProcessPool:
        raise SbmtError("a worker process was killed, perhaps for want of memory; try fewer --jobs") from None
    finally:
        parent_end.close()  # stops workers at once if the caller stops early
        pool.shutdown(cancel_futures=True)
        parent_pipe.close()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block signals while a process may be started, which inherits the mask until `_start` runs in it.

    It also keeps SIGTERM and SIGHUP from leaving this process with a half-started worker.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk
