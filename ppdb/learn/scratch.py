"""Arrays in files: what grows with the text need not fit in memory, and worker processes share its pages."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def scratch(folder: Path, dtype: DTypeLike, size: int) -> NDArray[Any]:
    """An array of zeros in an unnamed file of `folder`, which goes when the array goes.

    Raises OSError where the disk has no room for it.
    """
    with tempfile.TemporaryFile(dir=folder) as stream:
        _reserve(stream, size * np.dtype(dtype).itemsize)
        mapped: np.memmap[Any, Any] = np.memmap(stream, dtype, "w+", shape=(size,))
    return np.asarray(mapped)


def save_arrays(folder: Path, kind: str, **arrays: NDArray[Any]) -> None:
    """Write one .npy file an array, in the place of one of that name, which stays what it was where it is mapped."""
    for name, array in arrays.items():
        path = folder / f"{kind}.{name}.npy"
        path.unlink(missing_ok=True)
        np.save(path, array)


def open_arrays(folder: Path, kind: str) -> dict[str, NDArray[Any]]:
    """Map what `save_arrays` wrote, by name."""
    paths = {path.name.split(".")[1]: path for path in folder.glob(f"{kind}.*.npy")}
    return {name: np.asarray(np.load(path, mmap_mode="r")) for name, path in paths.items()}


def _reserve(stream: IO[bytes], size: int) -> None:
    """Take the room now: a mapped file that finds none when it is written to kills the process."""
    if size and hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(stream.fileno(), 0, size)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS):  # file systems that cannot
                raise
