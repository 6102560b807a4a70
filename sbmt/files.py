"""Atomic and durable writing of files, locks, and hashes."""

from __future__ import annotations

import errno
import fcntl
import glob
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from sbmt.errors import NoRoomError, SbmtError, system_cause
from sbmt.paths import check_replaceable

NO_ROOM = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])  # errors of writing to a full disk
HALF_WRITTEN = ".sbmt-part"  # suffix of files being written; killed processes leave such files behind
_MAX_NAME = 50  # characters of the target's name in a temporary name: file systems allow 255 bytes


def sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes, without decompressing, in hexadecimal."""
    with open(path, "rb") as stream:
        return digest(stream)


def digest(stream: IO[bytes]) -> str:
    """Return the SHA-256 of the rest of an open file or file-like object, in hexadecimal."""
    return hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`, renamed to it on success and removed on failure; it ends in HALF_WRITTEN.

    The content is synced to disk before the renaming: a power failure leaves the new file or the old one, whole. The
    permissions of an existing file are kept; if `path` is a link, its target is replaced. Raises what
    `check_replaceable` does, SbmtError if the file cannot be created, and NoRoomError if the disk is full.
    """
    check_replaceable(path)
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name[:_MAX_NAME]}.{secrets.token_hex(4)}{HALF_WRITTEN}")
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # minus the umask
    except OSError as error:
        raise SbmtError(f"{path}: cannot be written: {system_cause(error)}") from None
    try:
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        yield temporary
        sync_path(temporary)
        os.replace(temporary, target)
    except OSError as error:
        # Errors of writing to an open file name none; of copying or renaming, first the file that is read.
        if error.errno in NO_ROOM and (error.filename is None or error.filename2 is not None):
            raise NoRoomError(f"{path}: cannot be written: {system_cause(error)}") from None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def remove_parts(path: Path) -> None:
    """Remove half-written files that killed processes left for `path`; only safe while nobody is writing it."""
    for part in path.parent.glob(f".{glob.escape(path.name[:_MAX_NAME])}.{'[0-9a-f]' * 8}{HALF_WRITTEN}"):
        part.unlink(missing_ok=True)


def try_lock(stream: IO[Any]) -> bool:
    """Lock an open file; False if another process holds the lock. The lock ends with the process."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # the file system has no locks
        pass
    return True


def is_named(stream: IO[Any], path: Path) -> bool:
    """Whether `path` still names the open file: another process may have replaced it."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


def sync_path(path: Path) -> None:
    """Call fsync on a closed file or a folder, so that its content or entries survive a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
