"""Whether a file is the published one."""

from __future__ import annotations

from pathlib import Path

from sbmt.data.registry import DataFile
from sbmt.errors import SbmtError
from sbmt.files import sha256


def check_file(path: Path, file: DataFile) -> None:
    """Raise SbmtError unless the file has the registered content."""
    found = sha256(path)
    if found != file.sha256:
        raise SbmtError(
            f"{path} is not the published file: its SHA-256 is {found}, expected {file.sha256} "
            "(a set of your own is named in testsets.yaml)"
        )
