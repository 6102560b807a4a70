"""Files that are built once, on first use, and stay in the user's cache folder."""

from __future__ import annotations

import fcntl
import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from sbmt.errors import FormatError, ModelError, SbmtError

_log = logging.getLogger(__name__)


def cached(name: str, build: Callable[[Path], object], what: str) -> Path:
    """The path of a file that `build` writes if the cache folder ($XDG_CACHE_HOME/sbmt) has none of that name.

    The name should tell all versions apart; `what` stands in messages. Where the folder cannot be written, a folder for
    temporary files takes its place, with a warning. Several processes may call this at once. Raises the errors of
    `build` that are about a model or a format, SbmtError if no folder can be written.
    """
    kept, temporary = _folder() / name, Path(tempfile.gettempdir(), f"sbmt-{os.getuid()}", name)
    if kept.is_file():
        return kept
    if temporary.is_file() and temporary.stat().st_uid == os.getuid():
        return temporary
    try:
        return build_once(kept, build, what)
    except (ModelError, FormatError):
        raise
    except (SbmtError, OSError) as error:
        _log.warning("the cache folder cannot be used (%s); building in %s instead", error, temporary.parent)
    try:
        return build_once(temporary, build, what)
    except OSError as error:
        raise SbmtError(f"{temporary.parent}: cannot be written: {error.strerror}") from None


def _folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sbmt"


def build_once(path: Path, build: Callable[[Path], object], what: str) -> Path:
    """Build a file that is not there; of several processes one does and the others wait for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.is_file():
            _log.info("building %s in %s (once, some seconds)", what, path.parent)
            build(path)
    return path
