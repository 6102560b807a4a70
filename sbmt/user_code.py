"""Code of the user's own, named MODULE:NAME: metrics (`metrics/custom`) and features (`decoder/own_features`).

A module is looked for where Python does, then in the current folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from traceback import FrameSummary, extract_tb
from typing import Any

from sbmt.errors import SbmtError


class _Printing:
    """What is printed inside goes to standard error. Several threads may be inside, and a thread more than once."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._stdout, sys.stdout = sys.stdout, sys.stderr
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.stdout = self._stdout


printing_to_stderr = _Printing()  # one for the process, as standard output is


def load(specification: str, unknown: str) -> Any:
    """What `MODULE:NAME` names; what the module prints goes to standard error: standard output is the caller's.

    Raises SbmtError where the module fails, and, saying that it is `unknown`, where there is no such thing.
    """
    module, _, name = specification.partition(":")
    if not module:
        raise SbmtError(f"{specification}: no module is named before the colon")
    if not name:
        raise SbmtError(f"{specification}: no name follows the module: write MODULE:NAME")
    _look_here_last()
    try:
        with printing_to_stderr:
            loaded = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # a module of the user's own may raise anything
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise SbmtError(f"{specification}: {unknown}: {error!r}") from None
        own = [f for f in extract_tb(error.__traceback__) if f.filename != __file__ and "importlib" not in f.filename]
        raise SbmtError(f"{specification}: the module cannot be imported: {error!r}{_end_of(own)}") from None
    if not hasattr(loaded, name):
        raise SbmtError(f"{specification}: {unknown}: {getattr(loaded, '__file__', None) or module} has none")
    return getattr(loaded, name)


def module_file(specification: str) -> Path | None:
    """The file of the module that `MODULE:NAME` names; None where there is no such file, of which `load` says more."""
    _look_here_last()
    try:
        with printing_to_stderr:  # packages that the module is in are imported
            spec = importlib.util.find_spec(specification.partition(":")[0])
    except (Exception, SystemExit):
        return None
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


def _look_here_last() -> None:
    """Find modules in the current folder, too; worker processes take the path over."""
    with suppress(OSError):  # a folder that is gone
        if (here := os.getcwd()) not in sys.path:
            sys.path.append(here)


def place_in(module: str, error: BaseException) -> str:
    """Where in a module of the user's own an error came from, as the end of a message; nothing if it did not."""
    path = getattr(sys.modules.get(module), "__file__", None)
    return _end_of([frame for frame in extract_tb(error.__traceback__) if frame.filename == path])


def _end_of(frames: Sequence[FrameSummary]) -> str:
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
