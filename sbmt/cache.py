"""Files that are built once, on first use, and stay in the user's cache folder."""

from __future__ import annotations

import fcntl
import glob
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from sbmt.errors import FormatError, ModelError, SbmtError
from sbmt.files import atomic_path, remove_parts

_A_DAY = 24 * 60 * 60.0  # seconds
_log = logging.getLogger(__name__)
_warned_of: set[Path | None] = set()  # folders that cannot be used


def has_its_size(path: Path) -> bool:
    """Whether a file is there, as long as it was when it was built (a crash or a full disk may cut it)."""
    try:
        return path.stat().st_size == int(_lock(path).read_text(encoding="ascii"))
    except (OSError, ValueError):  # where one may not look, too
        return False


def cached(
    name: str, build: Callable[[Path], object], what: str, is_whole: Callable[[Path], bool] = has_its_size
) -> Path:
    """The path of a file that `build` writes if the cache folder ($XDG_CACHE_HOME/sbmt) has none of that name.

    The name should read BASE-VERSION.SUFFIX: when a file is built, other versions of the same base and suffix that
    nobody has used for a day are deleted. `what` names the file in messages; one that is not whole is built again.
    Where the folder cannot be written, as in containers, one of the user's own among the temporary files takes its
    place, with a warning; what was built there is copied once it can. Several processes may call this at once. Raises
    the errors of `build` that are about a model or a format, SbmtError if neither folder can be used.
    """
    folder, temporary = _folder(), _temporary()
    if folder and is_whole(folder / name):
        return folder / name
    stopgap = temporary / name if _is_own(temporary) and is_whole(temporary / name) else None
    try:
        if folder:
            return build_once(folder / name, partial(_copy, stopgap) if stopgap else build, what, is_whole)
    except (ModelError, FormatError):
        raise
    except (SbmtError, OSError) as error:
        if folder not in _warned_of and not stopgap:
            _warned_of.add(folder)
            problem = f"{folder}: {error.strerror}" if isinstance(error, OSError) and error.strerror else error
            _log.warning("the cache folder cannot be used (%s); building in %s", problem, temporary)
    if stopgap:
        return stopgap
    try:
        temporary.mkdir(mode=0o700, exist_ok=True)
        if _is_own(temporary):
            return build_once(temporary / name, build, what, is_whole)
        problem = "is not a folder that you alone can write to (let XDG_CACHE_HOME name one)"
    except OSError as error:
        problem = f"cannot be written: {error.strerror} (let XDG_CACHE_HOME name a folder with some room)"
    raise SbmtError(f"{temporary}: {problem}")


def _copy(source: Path, path: Path) -> None:
    """Put a copy in place, whole or not at all."""
    with atomic_path(path) as part:
        shutil.copyfile(source, part)


def _folder() -> Path | None:
    named = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return Path(named if os.path.isabs(named) else Path.home() / ".cache") / "sbmt"  # as its specification says
    except RuntimeError:  # a user without a home, as in containers
        return None


def _temporary() -> Path:
    try:
        return Path(tempfile.gettempdir(), f"sbmt-{os.getuid()}")
    except FileNotFoundError:  # none can be written to: the message should name one
        return Path("/tmp", f"sbmt-{os.getuid()}")


def _is_own(folder: Path) -> bool:
    """Whether a folder is there in which nobody else can put files, or links that we would follow."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def build_once(
    path: Path, build: Callable[[Path], object], what: str, is_whole: Callable[[Path], bool] = has_its_size
) -> Path:
    """Build a file that is not there; of several processes one does and the others wait for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(_lock(path), "a", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(path):
            _log.info("building %s in %s (once, some seconds)", what, path.parent)
            remove_parts(path)  # nobody else is writing any: we hold the lock
            build(path)
            lock.truncate(0)
            lock.write(str(path.stat().st_size))
            _remove_others(path)
    return path


def _lock(path: Path) -> Path:
    """The file whose lock says that somebody is building, and whose content how many bytes were built."""
    return path.with_suffix(".lock")


def _remove_others(path: Path) -> None:
    """Remove other versions of a file that were not used of late; who has one open keeps it."""
    for other in path.parent.glob(f"{glob.escape(path.name.partition('-')[0])}-*{path.suffix}"):
        with suppress(OSError):
            status = other.stat()
            if other != path and max(status.st_atime, status.st_mtime) < time.time() - _A_DAY:
                other.unlink()
                _lock(other).unlink(missing_ok=True)
