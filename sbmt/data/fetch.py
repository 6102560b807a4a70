"""Copying published files into the data folder from a local copy, or downloading them.

A file appears under its name only once its checksum is verified. An interrupted download leaves `NAME.part`, from which
the next one continues. Where several processes want a file, one downloads it and the others fail with a message.
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


def get(entry: Entry, root: Path, source: Path | None = None, mirror: str | None = None) -> Iterator[str]:
    """Put an entry's files under `root`: copied from the folder `source`, else downloaded.

    mirror: an address to fetch `FOLDER/PATH` below instead of the registered ones. Yields, as each file is done, its
    path after `present`, `copied` or `fetched`. Raises SbmtError for a file of other content, one that is not
    available, and one that another process is downloading.
    """
    for file in entry.files:
        yield f"{_get_file(file, root, source, mirror)} {file.path}"


def _get_file(file: DataFile, root: Path, source: Path | None, mirror: str | None) -> str:
    present = file.find(root)
    if present is not None and file.matches(present):
        return "present"
    if (root / file.path).is_dir():
        raise SbmtError(f"{root / file.path}: a folder is in the place of a file: move it away")
    if source is not None:
        _copy(file, source, root / file.path)
        return "copied"
    _download(f"{mirror.rstrip('/')}/{file.path}" if mirror else file.address, file, root / file.path)
    return "fetched"


def _copy(file: DataFile, source: Path, target: Path) -> None:
    name = Path(file.path).name
    path_in_repository = file.path.partition("/")[2]
    places = [source / path for path in (file.path, path_in_repository, *file.others, name)]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise SbmtError(f"{name} is not under {source} (looked for {', '.join(map(str, places))})")
    file.check(path)
    with atomic_path(target) as temporary:
        shutil.copyfile(path, temporary)


def _download(address: str, file: DataFile, target: Path) -> None:
    """Download into `NAME.part`, continuing an earlier attempt; rename it once its checksum is verified.

    What an earlier attempt left may be damaged: then download once more, from the start.
    """
    if not address.startswith(("http://", "https://")):
        raise SbmtError(f"{address} cannot be fetched: it is no http address (--from DIR takes a local copy)")
    part = target.with_name(target.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    with _locked(part):
        is_left_over = part.stat().st_size > 0
        digest = _fetch_rest(address, part)
        if digest != file.sha256 and is_left_over:
            os.truncate(part, 0)
            digest = _fetch_rest(address, part)
        if digest != file.sha256:
            os.truncate(part, 0)
            raise SbmtError(f"{address} is not the published file: its SHA-256 is {digest}, expected {file.sha256}")
        os.replace(part, target)


@contextmanager
def _locked(part: Path) -> Iterator[None]:
    """Create a partial file, lock it against other processes, and remove it if it is still empty in the end.

    Raises SbmtError where another process is downloading it, or completed it while it was opened here.
    """
    with part.open("ab") as stream:
        if not (try_lock(stream) and is_named(stream, part)):
            raise SbmtError(f"{part}: another process is fetching this file; wait until it ends, or stop it")
        try:
            yield
        finally:
            if is_named(stream, part) and not part.stat().st_size:
                part.unlink()


def _fetch_rest(address: str, part: Path) -> str:
    """Download what is missing of a file and return its SHA-256; raises SbmtError where that fails."""
    try:
        _receive(address, part)
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError, ValueError) as error:
        raise SbmtError(f"{address} cannot be fetched: {error} (--from DIR takes a local copy)") from None
    return sha256(part)


def _receive(address: str, part: Path) -> None:
    size = part.stat().st_size
    request = urllib.request.Request(address, headers={"Range": f"bytes={size}-"} if size else {})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
            # A server without support for ranges answers 200 and sends the whole file.
            with part.open("ab" if answer.status == 206 else "wb") as stream:
                shutil.copyfileobj(answer, stream, _BLOCK)
            if answer.length:  # bytes missing of the announced length
                raise HTTPException(f"the connection ended {answer.length} bytes early")
    except urllib.error.HTTPError as error:
        if error.code != 416:  # 416: the range is empty, so nothing is missing
            raise
