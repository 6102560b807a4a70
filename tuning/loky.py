"""joblib's loky with workers that end when their parent is killed: waiting for work, they would stay for minutes."""

from __future__ import annotations

import os
import time
from threading import Thread
from typing import Any

from joblib.parallel import LokyBackend

_GLANCES = 2.0  # seconds between them


class OrphanlessLoky(LokyBackend):  # type: ignore[misc]
    """The backend."""

    def configure(self, *args: Any, **kwargs: Any) -> Any:
        """Start workers, each of which keeps an eye on this process."""
        return super().configure(*args, initializer=_end_with, initargs=(os.getpid(),), **kwargs)


def _end_with(parent: int) -> None:
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_GLANCES)
    os._exit(1)
