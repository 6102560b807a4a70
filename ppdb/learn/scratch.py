"""Arrays in memory-mapped files, which need not fit in memory; worker processes share their pages."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def scratch(folder: Path, dtype: DTypeLike, size: int) -> NDArray[Any]:
    """Return an array of zeros in an unnamed file of `folder`, which is removed together with the array.

    Raises OSError if the disk has no room for it.
    """
    with tempfile.TemporaryFile(dir=folder) as stream:
        _reserve(stream, size * np.dtype(dtype).itemsize)
        mapped: np.memmap[Any, Any] = np.memmap(stream, dtype, "w+", shape=(size,))
    return np.asarray(mapped)


def save_arrays(folder: Path, kind: str, **arrays: NDArray[Any]) -> None:
    """Write a .npy file for each array; a file that it replaces stays unchanged where it is mapped."""
    for name, array in arrays.items():
        path = folder / f"{kind}.{name}.npy"
        path.unlink(missing_ok=True)
        np.save(path, array)


def open_arrays(folder: Path, kind: str) -> dict[str, NDArray[Any]]:
    """Map the arrays that `save_arrays` wrote, by name."""
    paths = {path.name.split(".")[1]: path for path in folder.glob(f"{kind}.*.npy")}
    return {name: np.asarray(np.load(path, mmap_mode="r")) for name, path in paths.items()}


def _reserve(stream: IO[bytes], size: int) -> None:
    """Allocate disk space: if a mapped file finds none when it is written to, the process is killed."""
    if size and hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(stream.fileno(), 0, size)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS):  # not supported by the file system
                raise
