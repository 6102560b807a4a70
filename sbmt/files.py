"""Files as files: whole or not at all, on the disk for certain, locked, and told from others by their hashes."""

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

from sbmt.errors import NoRoomError, SbmtError
from sbmt.paths import check_replaceable

NO_ROOM = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])  # what writing fails with where a disk is full
HALF_WRITTEN = ".sbmt-part"  # ends the names that files have while they are written, and keep if the process is killed
_NAMED = 50  # characters of a file's name in such a name, which a file system takes up to 255 bytes


def sha256(path: str | Path) -> str:
    """The SHA-256 of a file's bytes as they stand, in hexadecimal."""
    with open(path, "rb") as stream:
        return digest(stream)


def digest(stream: IO[bytes]) -> str:
    """The SHA-256 of what an open file, or what is read like one, still holds, in hexadecimal."""
    return hashlib.file_digest(cast(Any, stream), "sha256").hexdigest()


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`, renamed to it on success and removed on failure; it ends in HALF_WRITTEN.

    Its content is on the disk before it has its name: a power failure leaves the whole file or the earlier one. A file
    that was there hands on its permissions; where `path` is a link, what it leads to is replaced. Raises what
    `check_replaceable` does, and SbmtError for a place where no file can be made or that has no room for it.
    """
    check_replaceable(path)
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name[:_NAMED]}.{secrets.token_hex(4)}{HALF_WRITTEN}")
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))  # less what the umask forbids
    except OSError as error:
        raise SbmtError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        yield temporary
        sync_path(temporary)
        os.replace(temporary, target)
    except OSError as error:
        if error.errno in NO_ROOM and error.filename is None:  # writing to an open file names none
            raise NoRoomError(f"{path}: cannot be written: {error.strerror}") from None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def remove_parts(path: Path) -> None:
    """Remove what killed processes have left of a file half written; for whoever knows that no other is writing it."""
    for part in path.parent.glob(f".{glob.escape(path.name[:_NAMED])}.{'[0-9a-f]' * 8}{HALF_WRITTEN}"):
        part.unlink(missing_ok=True)


def try_lock(stream: IO[Any]) -> bool:
    """Lock an open file; False if another process has. The lock ends with the process, however that ends."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # not every file system can
        pass
    return True


def is_named(stream: IO[Any], path: Path) -> bool:
    """Whether an open file still has the name: another process may have given it its own."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


def sync_path(path: Path) -> None:
    """fsync a closed file, or a folder's entries: a power failure cannot take what was written."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
