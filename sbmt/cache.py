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


def is_filled(path: Path) -> bool:
    """Whether a file is there that is not empty (as a crash of the machine may leave it)."""
    return os.path.isfile(path) and os.path.getsize(path) > 0  # false, too, where one may not look


def cached(name: str, build: Callable[[Path], object], what: str, is_whole: Callable[[Path], bool] = is_filled) -> Path:
    """The path of a file that `build` writes if the cache folder ($XDG_CACHE_HOME/sbmt) has none of that name.

    The name should tell all versions apart; `what` stands in messages; a file that is not whole is built anew. Where
    the folder cannot be written, a folder for temporary files takes its place, with a warning. Several processes may
    call this at once. Raises the errors of `build` that are about a model or a format, SbmtError if no folder can be
    written.
    """
    kept, temporary = _folder() / name, _temporary_folder() / name
    if is_whole(kept):
        return kept
    if is_whole(temporary) and temporary.stat().st_uid == os.getuid():
        return temporary
    try:
        return build_once(kept, build, what, is_whole)
    except (ModelError, FormatError):
        raise
    except (SbmtError, OSError) as error:
        _log.warning("the cache folder cannot be used (%s); building in %s instead", error, temporary.parent)
    try:
        return build_once(temporary, build, what, is_whole)
    except OSError as error:
        raise SbmtError(f"{temporary.parent}: cannot be written: {error.strerror}") from None


def _folder() -> Path:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sbmt"
    except RuntimeError:  # a user without a home, as in containers
        return _temporary_folder()


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir(), f"sbmt-{os.getuid()}")


def build_once(
    path: Path, build: Callable[[Path], object], what: str, is_whole: Callable[[Path], bool] = is_filled
) -> Path:
    """Build a file that is not there; of several processes one does and the others wait for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(path):
            _log.info("building %s in %s (once, some seconds)", what, path.parent)
            build(path)
    return path
