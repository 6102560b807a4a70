"""Files that are built on first use and kept in the user's cache folder."""

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

from sbmt.errors import FormatError, ModelError, SbmtError, system_cause
from sbmt.files import atomic_path, remove_parts

_DAY = 24 * 60 * 60.0  # seconds
_log = logging.getLogger(__name__)
_warned_of: set[Path | None] = set()  # unusable folders


def has_its_size(path: Path) -> bool:
    """Whether a file exists and is as long as when it was built (a crash or a full disk may truncate it)."""
    try:
        return path.stat().st_size == int(_lock_file(path).read_text(encoding="ascii"))
    except (OSError, ValueError):  # including missing permissions
        return False


def cached(
    name: str, build: Callable[[Path], object], what: str, is_whole: Callable[[Path], bool] = has_its_size
) -> Path:
    """Return the path of a cached file, which `build` writes if $XDG_CACHE_HOME/sbmt has none of that name.

    The name should read BASE-VERSION.SUFFIX: when a file is built, other versions of the same base and suffix that
    have not been used for a day are deleted. `what` names the file in messages; a file that is not whole is rebuilt.
    If the cache folder is not writable, as in containers, a private folder for temporary files is used instead, with a
    warning; a file built there is copied to the cache folder once that is possible. Several processes may call this at
    once. Raises ModelError and FormatError from `build`, SbmtError if neither folder can be used.
    """
    folder, fallback = _cache_folder(), _fallback_folder()
    if folder and is_whole(folder / name):
        return folder / name
    built_copy = fallback / name if _is_private(fallback) and is_whole(fallback / name) else None
    try:
        if folder:
            return build_once(folder / name, partial(_copy, built_copy) if built_copy else build, what, is_whole)
    except (ModelError, FormatError):
        raise
    except (SbmtError, OSError) as error:
        if folder not in _warned_of and not built_copy:
            _warned_of.add(folder)
            problem = f"{folder}: {system_cause(error)}" if isinstance(error, OSError) and error.strerror else error
            _log.warning("the cache folder cannot be used (%s); building in %s", problem, fallback)
    if built_copy:
        return built_copy
    try:
        fallback.mkdir(mode=0o700, exist_ok=True)
        if _is_private(fallback):
            return build_once(fallback / name, build, what, is_whole)
        problem = "is not a folder that you alone can write to (let XDG_CACHE_HOME name one)"
    except OSError as error:
        problem = f"cannot be written: {system_cause(error)} (or let XDG_CACHE_HOME name another folder)"
    raise SbmtError(f"{fallback}: {problem}")


def _copy(source: Path, path: Path) -> None:
    """Copy a file atomically."""
    with atomic_path(path) as part:
        shutil.copyfile(source, part)


def _cache_folder() -> Path | None:
    configured = os.environ.get("XDG_CACHE_HOME", "")  # ignored if relative, as the specification says
    try:
        return Path(configured if os.path.isabs(configured) else Path.home() / ".cache") / "sbmt"
    except RuntimeError:  # no home directory, as in containers
        return None


def _fallback_folder() -> Path:
    try:
        return Path(tempfile.gettempdir(), f"sbmt-{os.getuid()}")
    except FileNotFoundError:  # none is writable: the error message needs a name
        return Path("/tmp", f"sbmt-{os.getuid()}")


def _is_private(folder: Path) -> bool:
    """Whether a folder exists in which nobody else can create files, or links that we would follow."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def build_once(
    path: Path, build: Callable[[Path], object], what: str, is_whole: Callable[[Path], bool] = has_its_size
) -> Path:
    """Build a missing file and return its path; if several processes try, one builds and the others wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(_lock_file(path), "a", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_whole(path):
            _log.info("building %s in %s (once, some seconds)", what, path.parent)
            remove_parts(path)  # safe: only the holder of the lock writes any
            build(path)
            lock.truncate(0)
            lock.write(str(path.stat().st_size))
            _remove_old_versions(path)
    return path


def _lock_file(path: Path) -> Path:
    """Return the file that is locked while `path` is built, and then holds the number of bytes built."""
    return path.with_suffix(".lock")


def _remove_old_versions(path: Path) -> None:
    """Remove other versions of a file that were not used for a day; open ones stay readable."""
    for other in path.parent.glob(f"{glob.escape(path.name.partition('-')[0])}-*{path.suffix}"):
        with suppress(OSError):
            status = other.stat()
            if other != path and max(status.st_atime, status.st_mtime) < time.time() - _DAY:
                other.unlink()
                _lock_file(other).unlink(missing_ok=True)
