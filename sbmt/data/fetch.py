"""Bringing published files into the data folder: from a local copy, or, when asked, from their address.

A file appears under its name only after its checksum was right. A download that was cut off leaves `NAME.part`, and
the next one goes on from there. Of several processes one fetches a file, and the others say so.
"""

from __future__ import annotations

import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from sbmt.data.registry import DataFile, Entry
from sbmt.errors import SbmtError
from sbmt.files import atomic_path, is_named, sha256, try_lock

_BLOCK = 1 << 20
_TIMEOUT = 30  # seconds without an answer


def get(entry: Entry, root: Path, source: Path | None = None, mirror: str | None = None) -> list[str]:
    """Bring an entry's files under `root`: copied from the folder `source`, else downloaded.

    mirror: an address to fetch `FOLDER/PATH` below instead of the registered ones. Returns what was done to each file
    (`present`, `copied`, `fetched`). Raises SbmtError for a file of other content, one that cannot be had, and one
    that another process is fetching.
    """
    return [f"{_get_file(file, root, source, mirror)} {file.path}" for file in entry.files]


def _get_file(file: DataFile, root: Path, source: Path | None, mirror: str | None) -> str:
    present = file.find(root)
    if present is not None and file.matches(present):
        return "present"
    if source is not None:
        _copy(file, source, root / file.path)
        return "copied"
    _download(f"{mirror.rstrip('/')}/{file.path}" if mirror else file.address, file, root / file.path)
    return "fetched"


def _copy(file: DataFile, source: Path, target: Path) -> None:
    name = Path(file.path).name
    inside = file.path.partition("/")[2]  # as in the collection's own repository
    places = [source / path for path in (file.path, inside, *file.others, name)]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise SbmtError(f"{name} is not under {source} (looked for {', '.join(map(str, places))})")
    file.check(found)
    with atomic_path(target) as temporary:
        shutil.copyfile(found, temporary)


def _download(address: str, file: DataFile, target: Path) -> None:
    """Fetch into `NAME.part`, going on where an earlier attempt stopped; rename it once its checksum is right.

    What an earlier attempt left may be damaged: then once more, from the start.
    """
    if not address.startswith(("http://", "https://")):
        raise SbmtError(f"{address} cannot be fetched: it is no http address (--from DIR takes a local copy)")
    part = target.with_name(target.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    with _held(part):
        is_left_over = part.stat().st_size > 0
        found = _received(address, part)
        if found != file.sha256 and is_left_over:
            os.truncate(part, 0)
            found = _received(address, part)
        if found != file.sha256:
            os.truncate(part, 0)
            raise SbmtError(f"{address} is not the published file: its SHA-256 is {found}, expected {file.sha256}")
        os.replace(part, target)


@contextmanager
def _held(part: Path) -> Iterator[None]:
    """Keep other processes from a file that is being fetched; makes it, and does not leave it behind empty.

    Raises SbmtError where another process fetches it, or had it ready while it was opened here.
    """
    with part.open("ab") as stream:
        if not (try_lock(stream) and is_named(stream, part)):
            raise SbmtError(f"{part}: another process is fetching this file; wait until it ends, or stop it")
        try:
            yield
        finally:
            if is_named(stream, part) and not part.stat().st_size:
                part.unlink()


def _received(address: str, part: Path) -> str:
    """Fetch what is missing of a file; its SHA-256."""
    try:
        _receive(address, part)
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        raise SbmtError(f"{address} cannot be fetched: {error} (--from DIR takes a local copy)") from None
    return sha256(part)


def _receive(address: str, part: Path) -> None:
    have = part.stat().st_size
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            # A server that knows no ranges answers 200 and sends the whole file.
            with part.open("ab" if answer.status == 206 else "wb") as stream:
                shutil.copyfileobj(answer, stream, _BLOCK)
            if answer.length:  # what is missing of the length announced
                raise HTTPException(f"the connection ended {answer.length} bytes early")
    except urllib.error.HTTPError as error:
        if error.code != 416:  # 416: nothing is missing after what there is
            raise
