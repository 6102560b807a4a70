"""User-defined metrics (`sbmt.metrics.custom`) and features (`sbmt.decoder.user_features`), named MODULE:NAME.

A module is searched on Python's path, then in the current folder.
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


class _PrintingToStderr:
    """A context that redirects standard output to standard error; reentrant, and shared by threads."""

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


printing_to_stderr = _PrintingToStderr()  # one per process, like standard output


def load(specification: str, unknown: str) -> Any:
    """Return the object that `MODULE:NAME` names; what the module prints while it is imported goes to standard error.

    Raises SbmtError if the module fails, and, with the words `unknown`, if there is no such module or name.
    """
    module, _, name = specification.partition(":")
    if not module:
        raise SbmtError(f"{specification}: no module is named before the colon")
    if not name:
        raise SbmtError(f"{specification}: no name follows the module: write MODULE:NAME")
    _search_current_folder()
    try:
        with printing_to_stderr:
            loaded = importlib.import_module(module)
    except (Exception, SystemExit) as error:  # user code may raise anything
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise SbmtError(f"{specification}: {unknown}: there is no module {error.name}") from None
        raise SbmtError(f"{specification}: the module cannot be imported: {_reason(error)}") from None
    if not hasattr(loaded, name):
        raise SbmtError(f"{specification}: {unknown}: {getattr(loaded, '__file__', None) or module} has none")
    return getattr(loaded, name)


def _reason(error: BaseException) -> str:
    """Return what an import failed with, and where."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg} ({error.filename}, line {error.lineno})"
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if frame.filename != __file__ and "importlib" not in frame.filename
    ]
    return f"{error!r}{_last_place(frames)}"


def module_file(specification: str) -> Path | None:
    """Return the file of the module of `MODULE:NAME`; None if there is none, which `load` reports."""
    _search_current_folder()
    try:
        with printing_to_stderr:  # parent packages are imported
            spec = importlib.util.find_spec(specification.partition(":")[0])
    except (Exception, SystemExit):
        return None
    return Path(spec.origin) if spec and spec.has_location and spec.origin else None


def _search_current_folder() -> None:
    """Add the current folder to the end of Python's path, which worker processes inherit."""
    with suppress(OSError):  # the folder was deleted
        if (folder := os.getcwd()) not in sys.path:
            sys.path.append(folder)


def place_in(module: str, error: BaseException) -> str:
    """Return where in a user's module an error was raised, as the end of a message; "" if elsewhere."""
    path = getattr(sys.modules.get(module), "__file__", None)
    return _last_place([frame for frame in extract_tb(error.__traceback__) if frame.filename == path])


def _last_place(frames: Sequence[FrameSummary]) -> str:
    return f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
