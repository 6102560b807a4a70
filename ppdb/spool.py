"""Lists of numbers, one per rule, stored end to end; beyond some megabytes in an unnamed temporary file."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from sbmt.arrays import Int64s, ranges, starts
from sbmt.errors import SbmtError
from sbmt.files import NO_ROOM

_MAX_IN_MEMORY = 1 << 24  # bytes
CHUNK = 1 << 18  # rules gathered at once


@contextmanager
def scratch_room() -> Iterator[None]:
    """Raise SbmtError if temporary files of the block run out of disk space."""
    try:
        yield
    except OSError as error:
        if error.errno not in (*NO_ROOM, None):  # numpy reports a short write without a number
            raise
        where = tempfile.gettempdir()
        raise SbmtError(f"{where}: no room is left for temporary files; let TMPDIR name a folder with more") from None


class Spool:
    """Append-only lists of numbers of one type (`array` typecode)."""

    def __init__(self, typecode: str) -> None:
        self._data, self._length = array(typecode), array("H")
        self._file: IO[bytes] | None = None

    def append(self, numbers: Sequence[Any]) -> None:
        """Append the list of the next rule (fewer than 65,536 numbers)."""
        self._data.extend(numbers)
        self._length.append(len(numbers))
        if len(self._data) * self._data.itemsize > _MAX_IN_MEMORY:
            self._file = self._file or tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the spool
            self._spill(self._file)

    def _spill(self, file: IO[bytes]) -> None:
        with scratch_room():
            self._data.tofile(file)
            file.flush()
        del self._data[:]

    @property
    def lengths(self) -> Int64s:
        """The length of each list."""
        return np.array(self._length, np.int64)

    @property
    def data(self) -> npt.NDArray[Any]:
        """All numbers end to end; memory-mapped if they are in a file."""
        if self._file is None:
            return np.array(self._data)
        self._spill(self._file)
        return np.memmap(self._file, dtype=self._data.typecode, mode="r")

    def starts(self, order: Int64s) -> Int64s:
        """Return where each list begins after sorting into `order`, and the total: int64 [len(order) + 1]."""
        return starts(self.lengths[order])

    def gather(self, order: Int64s) -> Iterator[npt.NDArray[Any]]:
        """Yield the numbers with the lists in `order`, those of CHUNK lists at a time."""
        data, length = self.data, self.lengths
        begin = np.cumsum(length) - length
        for low in range(0, len(order), CHUNK):
            chunk = order[low : low + CHUNK]
            yield np.asarray(data[ranges(begin[chunk], length[chunk])])

    def ordered(self, order: Int64s) -> npt.NDArray[Any]:
        """Return all of `gather` in one array."""
        pieces = list(self.gather(order))
        return np.concatenate(pieces) if pieces else self.data
