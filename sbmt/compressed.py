"""Binary files, plain or compressed by gzip or xz, and standard input ("-")."""

from __future__ import annotations

import gzip
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from sbmt.errors import FormatError, SbmtError, system_cause
from sbmt.paths import STDIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_DECOMPRESSORS: Mapping[bytes, Callable[[BinaryIO], object]] = {  # by the first bytes of a file
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)  # what reading a damaged file raises
_BZIP2 = re.compile(rb"BZh[1-9]1AY&SY")


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file or standard input for reading bytes, decompressing by its first bytes (not by its name).

    Raises FormatError when a read meets damage in a compressed file; an EOFError raised in the block counts as that.
    """
    with _open_raw(path) as raw:
        try:
            yield _decompressed(raw, path)
        except DAMAGED as error:
            raise damaged(path, None, error) from None


def damaged(path: str | Path, line: int | None, error: Exception) -> FormatError:
    """Return an error saying that a compressed file is damaged, for text before which line."""
    return FormatError(str(path), line, f"the compressed file is damaged: {error}", "copy or make it again")


def _open_raw(path: str | Path) -> AbstractContextManager[BinaryIO]:
    if str(path) == STDIO:
        stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
        if stream is None:  # closed, or replaced by a stream of text
            raise SbmtError("standard input is closed; name a file")
        return nullcontext(stream)
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise SbmtError(f"{path or repr(path)}: no such file") from None
    except IsADirectoryError:
        raise SbmtError(f"{path}: is a folder; name a file") from None
    except OSError as error:
        raise SbmtError(f"{path or repr(path)}: cannot be read: {system_cause(error)}") from None


def _decompressed(raw: BinaryIO, path: str | Path) -> BinaryIO:
    """Return a decompressing stream, or `raw` itself; it is closed with `raw`. Raises FormatError for bzip2."""
    if not isinstance(raw, BufferedReader):  # a program's replacement for standard input
        return raw
    start, whole = raw.peek(1), cast(BinaryIO, raw)
    if _BZIP2.match(start):
        raise FormatError(str(path), None, "is compressed by bzip2", "unpack it, or compress it by gzip or xz")
    for magic, decompress in _DECOMPRESSORS.items():
        if start and start[0] == magic[0]:
            if len(start) < len(magic):  # a pipe with no more bytes so far
                start = raw.read(len(magic))
                whole = cast(BinaryIO, BufferedReader(_Rejoined(start, raw)))
            if start.startswith(magic):
                return cast(BinaryIO, decompress(whole))
    return whole


class _Rejoined(RawIOBase):
    """A stream whose first bytes have already been read."""

    def __init__(self, start: bytes, rest: BufferedReader) -> None:
        self._start, self._rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if not self._start:
            return self._rest.readinto1(buffer)
        view = memoryview(buffer)
        part, self._start = self._start[: len(view)], self._start[len(view) :]
        view[: len(part)] = part
        return len(part)


def compressing(raw: BinaryIO, suffix: str, fast: bool = False) -> BinaryIO:
    """Return a stream that compresses into `raw` according to a file suffix (.gz, .xz), or `raw` itself.

    Equal content gives equal bytes: the gzip header has neither time nor name. `fast` trades a little space for time.
    """
    if suffix == ".gz":
        level = 3 if fast else 9
        return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", compresslevel=level, fileobj=raw, mtime=0))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(raw, "wb", preset=1 if fast else lzma.PRESET_DEFAULT))
    return raw
