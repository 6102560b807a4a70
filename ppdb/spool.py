"""Lists of numbers, one per rule, collected end to end; beyond some megabytes they go to an unnamed temporary file."""

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

_IN_MEMORY = 1 << 24  # bytes
CHUNK = 1 << 18  # rules gathered at once


@contextmanager
def scratch_room() -> Iterator[None]:
    """Work on temporary files; SbmtError says when there is no room."""
    try:
        yield
    except OSError as error:
        if error.errno not in (*NO_ROOM, None):  # numpy gives a short write no number
            raise
        where = tempfile.gettempdir()
        raise SbmtError(f"{where}: no room is left for temporary files; let TMPDIR name a folder with more") from None


class Spool:
    """Append-only lists of one type (`array` typecode)."""

    def __init__(self, typecode: str) -> None:
        self._data, self._length = array(typecode), array("H")
        self._file: IO[bytes] | None = None

    def append(self, numbers: Sequence[Any]) -> None:
        """Add the list of the next rule (fewer than 65,536 numbers)."""
        self._data.extend(numbers)
        self._length.append(len(numbers))
        if len(self._data) * self._data.itemsize > _IN_MEMORY:
            self._file = self._file or tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the spool
            self._spill(self._file)

    def _spill(self, file: IO[bytes]) -> None:
        with scratch_room():
            self._data.tofile(file)
            file.flush()
        del self._data[:]

    @property
    def lengths(self) -> Int64s:
        """Length of each list."""
        return np.array(self._length, np.int64)

    @property
    def data(self) -> npt.NDArray[Any]:
        """All numbers end to end; memory-mapped if they went to a file."""
        if self._file is None:
            return np.array(self._data)
        self._spill(self._file)
        return np.memmap(self._file, dtype=self._data.typecode, mode="r")

    def starts(self, order: Int64s) -> Int64s:
        """Where each list begins once they are put into `order`, and the total: int64 [len(order) + 1]."""
        return starts(self.lengths[order])

    def gather(self, order: Int64s) -> Iterator[npt.NDArray[Any]]:
        """The numbers in a new order of the lists, those of CHUNK lists at a time."""
        data, length = self.data, self.lengths
        begin = np.cumsum(length) - length
        for low in range(0, len(order), CHUNK):
            chosen = order[low : low + CHUNK]
            yield np.asarray(data[ranges(begin[chosen], length[chosen])])

    def ordered(self, order: Int64s) -> npt.NDArray[Any]:
        """All of `gather` at once, in memory."""
        pieces = list(self.gather(order))
        return np.concatenate(pieces) if pieces else self.data
