"""joblib's backends: processes on this machine, or a dask or ray cluster that the user already runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from sbmt.errors import SbmtError


def backend_context(backend: str, scheduler: str | None) -> Callable[[], AbstractContextManager[Any]]:
    """A maker of contexts in which joblib uses `backend`, connected to `scheduler` if one is named.

    Raises SbmtError for an unknown backend, one whose package is missing, and a cluster that does not answer.
    """
    from joblib import parallel_config

    connect = {"loky": None, "threading": None, "dask": _dask, "ray": _ray}
    if backend not in connect:
        raise SbmtError(f"unknown backend {backend!r} (known: {', '.join(connect)})")
    connector = connect[backend]
    if connector:
        try:
            connector(scheduler)
        except ImportError as error:
            raise SbmtError(f"--backend {backend} needs the package {error.name}: pip install it first") from None
        except OSError as error:
            place = f"at {scheduler}" if scheduler else "on this machine (name its address with --scheduler)"
            raise SbmtError(f"--backend {backend}: no cluster answers {place}: {error}") from None
    return partial(parallel_config, backend=backend)


def _dask(scheduler: str | None) -> None:
    from dask.distributed import Client

    Client(scheduler) if scheduler else Client()  # registers itself as joblib's default


def _ray(scheduler: str | None) -> None:
    import ray
    from ray.util.joblib import register_ray

    ray.init(address=scheduler or "auto")
    register_ray()
