"""Parallel work: on processes of this machine, or on a dask or ray cluster that the user already runs."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sbmt.arguments import check_whole
from sbmt.errors import SbmtError, unknown_name
from sbmt.parallel import check_jobs
from sbmt.progress import progress

_JOBLIB_ALL = -1  # joblib's number for all processors, here or of its cluster


@dataclass(frozen=True, slots=True)
class Workers:
    """The number of parallel `jobs` (0: one per processor) and the `context` that sets joblib's backend."""

    jobs: int = 1
    context: Callable[[], AbstractContextManager[Any]] = field(default=nullcontext)

    def __post_init__(self) -> None:
        """Raises SbmtError for fewer than 0 jobs, TypeError for anything but a whole number."""
        check_whole(jobs=self.jobs)
        check_jobs(self.jobs)

    def map(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], title: str) -> Iterator[Any]:
        """Yield `function(*call)` for each call, in order and as soon as it is available, with a progress bar."""
        from joblib import Parallel, delayed
        from joblib.parallel import LokyBackend, get_active_backend

        from sbmt.tuning.loky import OrphanlessLoky

        with self.context():
            active = get_active_backend()[0]
            backend = OrphanlessLoky() if isinstance(active, LokyBackend) else None
            return_as = "generator" if active.supports_return_generator else "list"  # ray returns all at the end
            parallel = Parallel(n_jobs=self.jobs or _JOBLIB_ALL, backend=backend, return_as=return_as, batch_size=1)
            results = parallel(delayed(function)(*call) for call in calls)
            yield from progress(results, title, "parts", len(calls))


@contextmanager
def connected(jobs: int, backend: str, scheduler: str | None) -> Iterator[Workers]:
    """Yield workers of a joblib backend, connected to its cluster (at the address `scheduler`, if any) until the end.

    Raises SbmtError for an unknown backend, one whose package is missing, a cluster that does not answer, and an
    address for a backend without a cluster.
    """
    from joblib import parallel_config

    # Not joblib's threads: what a decoder keeps between sentences is not thread-safe.
    connect: dict[str, Callable[[str | None], AbstractContextManager[Any]]]
    connect = {"loky": _loky, "dask": _dask, "ray": _ray}
    if backend not in connect:
        raise unknown_name("backend", backend, list(connect))
    if scheduler is not None and backend == "loky":
        raise SbmtError("--scheduler is the address of a cluster: name its kind, --backend dask or ray")
    with ExitStack() as connection:
        try:
            connection.enter_context(connect[backend](scheduler))
        except ImportError as error:
            raise SbmtError(f"--backend {backend} needs the package {error.name}: pip install it first") from None
        except OSError as error:
            place = f"at {scheduler}" if scheduler else "on this machine (name its address with --scheduler)"
            raise SbmtError(f"--backend {backend}: no cluster answers {place}: {error}") from None
        yield Workers(jobs, partial(parallel_config, backend=backend))


@contextmanager
def _loky(_: str | None) -> Iterator[None]:
    """Start the resource trackers of Python and loky so that they ignore SIGHUP, sent when the terminal is closed.

    Otherwise the command would not end silently: loky's tracker prints a traceback, Python's (from 3.14) is missed.
    """
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as loky_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])  # inherited by the trackers
    try:
        resource_tracker.ensure_running()
        loky_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    yield


@contextmanager
def _dask(scheduler: str | None) -> Iterator[None]:
    from dask.distributed import Client

    with Client(scheduler):  # registers itself as joblib's default
        yield


@contextmanager
def _ray(scheduler: str | None) -> Iterator[None]:
    import ray
    from ray.util.joblib import register_ray

    ray.init(address=scheduler or "auto")
    try:
        register_ray()
        yield
    finally:
        ray.shutdown()
