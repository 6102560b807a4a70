"""joblib's loky backend with workers that end when their parent is killed; otherwise idle ones stay for minutes."""

from __future__ import annotations

import os
import time
from threading import Thread
from typing import Any

from joblib.parallel import LokyBackend

_POLL_INTERVAL = 2.0  # seconds


class OrphanlessLoky(LokyBackend):  # type: ignore[misc]
    """A loky backend whose workers watch their parent process."""

    def configure(self, *args: Any, **kwargs: Any) -> Any:
        """Start the workers, each with a thread that watches this process."""
        return super().configure(*args, initializer=_start_watching, initargs=(os.getpid(),), **kwargs)


def _start_watching(parent: int) -> None:
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_INTERVAL)
    os._exit(1)
