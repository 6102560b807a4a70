"""Packed grammars: the columns of `sbmt.ppdb.columns` in one file, opened by memory-mapping.

    8 bytes   "SBMTGRAM"
    8 bytes   length of the header, little-endian
    header    JSON: format, sha256 and bytes of the data, {column: [dtype, shape, offset into the data]}, feature
              names, entailments
    data      the columns, each at a multiple of 64 bytes

Feature values are coded. A feature with at most 256 or 65,536 different values is a column of one or two bytes that
index its code book (`book8`, `book16`), exactly; any other is kept in single precision. Codes of one width stand in
one matrix with a row a rule, so that the values of a rule lie together.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from sbmt.cache import cached
from sbmt.errors import FormatError, ModelError, SbmtError
from sbmt.io import STDIO, atomic_path
from sbmt.ppdb.build import ColumnBuilder, Int64s
from sbmt.ppdb.columns import Columns, Entries, Ints
from sbmt.ppdb.formats import OnError, is_stream, read_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.rule import Rule
from sbmt.ppdb.spool import CHUNK

MAGIC = b"SBMTGRAM"
FORMAT = 1
_ALIGN = 64
_ENTRIES = 1 << 22  # feature values looked at at once
_PLAIN = tuple(field.name for field in fields(Columns) if field.name not in ("entailments", "features"))


@dataclass(frozen=True, slots=True)
class CodedFeatures:
    """Feature values by code books. `names` are ordered by group: one byte, two bytes, single precision."""

    names: tuple[str, ...]
    code8: npt.NDArray[np.uint8]  # [R, n8]
    book8: npt.NDArray[np.float64]  # [n8, 256]
    code16: npt.NDArray[np.uint16]  # [R, n16]
    book16: npt.NDArray[np.float64]  # [n16, longest book]
    value32: npt.NDArray[np.float32]  # [R, n32]

    def entries(self, rule_ids: Ints) -> Entries:
        """Stored values as three arrays: position in `rule_ids` (ascending), index into `names`, value."""
        groups = [
            book[np.arange(len(book)), code[rule_ids]]
            for code, book in ((self.code8, self.book8), (self.code16, self.book16))
        ]
        values = np.concatenate([*groups, self.value32[rule_ids].astype(np.float64)], axis=1)
        position, index = np.nonzero(values)
        return position, index, values[position, index]


def is_packed(path: str | Path) -> bool:
    """Whether a file begins as packed grammars do; a stream is none, and nothing of it is read."""
    if str(path) == STDIO or not Path(path).is_file():
        return False
    try:
        with open(path, "rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def pack(rules: Iterable[Rule], path: str | Path) -> int:
    """Write a packed grammar; returns the number of rules.

    Raises ModelError for a rule whose gaps do not match, and SbmtError for a path that cannot be a file.
    """
    if is_stream(path):
        raise SbmtError(f"{path}: is no file, as a packed grammar must be, for it is mapped; name one")
    builder = ColumnBuilder()
    for rule in rules:
        builder.add(rule)
    columns, order = builder.columns()
    with atomic_path(path) as temporary, temporary.open("w+b") as stream:
        _write(stream, columns, builder, order)
    return len(order)


def _write(stream: IO[bytes], columns: Columns, builder: ColumnBuilder, order: Int64s) -> None:
    """The data goes first, behind room for the header, which needs the checksum of the data."""
    books = _code_books(builder)
    names = [name for width in ("8", "16", "32") for name in books[width]]
    coded = _coded_columns(builder, order, books)
    placed: dict[str, tuple[str, tuple[int, ...], int]] = {}
    room = _header_room(len(names), sum(map(len, names)))
    stream.seek(room)
    for name in _PLAIN:
        array = np.ascontiguousarray(getattr(columns, name))
        placed[name] = (array.dtype.str, array.shape, _append(stream, room, [array]))
    for name, (dtype, shape, pieces) in coded.items():
        placed[name] = (dtype, shape, _append(stream, room, pieces))
    size = stream.tell() - room
    header = {
        "format": FORMAT,
        "sha256": _checksum(stream, room),
        "bytes": size,
        "columns": placed,
        "features": names,
        "entailments": columns.entailments,
    }
    encoded = json.dumps(header).encode().ljust(room - len(MAGIC) - 8)
    stream.seek(0)
    stream.write(MAGIC + (room - len(MAGIC) - 8).to_bytes(8, "little") + encoded)


def _header_room(features: int, letters: int) -> int:
    """More bytes than the header can need (a letter of a name may be escaped as six)."""
    return -(-(8192 + 8 * features + 6 * letters) // _ALIGN) * _ALIGN


def _append(stream: IO[bytes], room: int, pieces: Iterable[npt.NDArray[Any]]) -> int:
    """Write arrays end to end; returns where they begin in the data."""
    stream.write(b"\0" * (-(stream.tell() - room) % _ALIGN))
    offset = stream.tell() - room
    for piece in pieces:
        stream.write(np.ascontiguousarray(piece).data)
    return offset


def _checksum(stream: IO[bytes], room: int) -> str:
    stream.seek(room)
    digest = hashlib.sha256()
    while piece := stream.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


Books = dict[str, dict[str, npt.NDArray[np.float64]]]


def _code_books(builder: ColumnBuilder) -> Books:
    """The different values of each feature, 0 among them, by width of code ("32": not coded)."""
    index, value = builder.feature_index.data, builder.feature_value.data
    names = builder.feature_names
    found: list[npt.NDArray[np.float64] | None] = [np.zeros(1) for _ in names]
    for low in range(0, len(index), _ENTRIES):
        i, v = index[low : low + _ENTRIES], value[low : low + _ENTRIES]
        by_feature = np.argsort(i, kind="stable")
        ends = np.cumsum(np.bincount(i, minlength=len(names)))
        for number, piece in enumerate(np.split(v[by_feature], ends[:-1])):
            known = found[number]
            if known is not None and len(piece):
                merged = np.union1d(known, piece)
                found[number] = merged if len(merged) <= 1 << 16 else None
    books: Books = {"8": {}, "16": {}, "32": {}}
    for name, known in sorted(zip(names, found, strict=True), key=lambda pair: pair[0]):
        width = "32" if known is None else "8" if len(known) <= 256 else "16"
        books[width][name] = np.zeros(0) if known is None else known
    return books


def _coded_columns(
    builder: ColumnBuilder, order: Int64s, books: Books
) -> dict[str, tuple[str, tuple[int, ...], Iterable[npt.NDArray[Any]]]]:
    """Name -> dtype, shape and pieces of the columns of `CodedFeatures`."""
    columns: dict[str, tuple[str, tuple[int, ...], Iterable[npt.NDArray[Any]]]] = {}
    for width, dtype in (("8", "|u1"), ("16", "<u2")):
        group = books[width]
        book = np.zeros((len(group), max(map(len, group.values()), default=1)))
        for row, values in zip(book, group.values(), strict=True):
            row[: len(values)] = values
        columns[f"book{width}"] = ("<f8", book.shape, [book])
        columns[f"code{width}"] = (dtype, (len(order), len(group)), _rows(builder, order, group, np.dtype(dtype)))
    group = books["32"]
    columns["value32"] = ("<f4", (len(order), len(group)), _rows(builder, order, group, np.dtype("<f4")))
    return columns


def _rows(
    builder: ColumnBuilder, order: Int64s, group: dict[str, npt.NDArray[np.float64]], dtype: np.dtype[Any]
) -> Iterator[npt.NDArray[Any]]:
    """Rows of one group, in pieces: the value of each feature, or its place in the code book."""
    place = np.full(len(builder.feature_names), -1)
    for column, name in enumerate(group):
        place[builder.feature_names.index(name)] = column
    books = list(group.values())
    zero = np.array([np.searchsorted(book, 0.0) if len(book) else 0 for book in books])
    lengths = builder.feature_index.lengths[order]
    done = 0
    for index, value in zip(builder.feature_index.gather(order), builder.feature_value.gather(order), strict=True):
        n = min(CHUNK, len(lengths) - done)
        row, column = np.repeat(np.arange(n), lengths[done : done + n]), place[index]
        rows = np.tile(zero, (n, 1)).astype(dtype)
        for number, book in enumerate(books):
            here = column == number
            rows[row[here], number] = np.searchsorted(book, value[here]) if len(book) else value[here]
        done += n
        yield rows


def packed_copy(path: str | Path) -> Path:
    """A packed copy of a grammar file in the user's cache, which is made first if it is not there (`sbmt.cache`).

    Where no copy can be made, the file itself.
    """
    if is_packed(path) or is_stream(path):
        return Path(path)
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    name = f"{Path(path).name}-{digest}-{FORMAT}.packed"
    try:
        what = f"a packed copy of {Path(path).name}"
        return cached(name, lambda copy: pack(read_rules(path), copy), what, _is_whole)
    except (ModelError, FormatError):
        raise
    except SbmtError:
        return Path(path)


def load_grammar(path: str | Path, owner: str, span_limit: int) -> Grammar:
    """A grammar from a packed file, or read into memory from any text format."""
    if is_packed(path):
        return open_packed(path, owner, span_limit)
    return Grammar.from_rules(read_rules(path, owner), owner, span_limit)


def open_packed(path: str | Path, owner: str = "pt", span_limit: int = 20) -> Grammar:
    """Memory-map a packed grammar. Raises ModelError for a file that is none, is cut short, or of another format."""
    header, start = _read_header(path)
    data = np.memmap(path, np.uint8, "r", start, (header["bytes"],))

    def column(name: str) -> npt.NDArray[Any]:
        dtype, shape, offset = header["columns"][name]
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        piece: npt.NDArray[Any] = np.asarray(data[offset : offset + size]).view(dtype).reshape(shape)
        return piece

    coded = CodedFeatures(
        tuple(header["features"]), *(column(f.name) for f in fields(CodedFeatures) if f.name != "names")
    )
    plain = {name: column(name) for name in _PLAIN}
    columns = Columns(**plain, entailments=tuple(header["entailments"]), features=coded)
    return Grammar(columns, owner, span_limit)


def packed_rules(path: str | Path) -> Iterator[Rule]:
    """The rules of a packed file in its order: by source side. Raises as `open_packed` does."""
    grammar = open_packed(path)
    yield from map(grammar.rule, range(len(grammar)))


def read_any(path: str | Path, owner: str = "pt", on_error: OnError | None = None) -> Iterator[Rule]:
    """The rules of a packed file or of any text format (`sbmt.ppdb.formats.read_rules`)."""
    return packed_rules(path) if is_packed(path) else read_rules(path, owner, on_error)


def _read_header(path: str | Path) -> tuple[dict[str, Any], int]:
    """The header, and where the data begins."""
    try:
        with open(path, "rb") as stream:
            magic, length = stream.read(len(MAGIC)), int.from_bytes(stream.read(8), "little")
            if magic != MAGIC:
                raise ModelError(f"{path}: is not a packed grammar (sbmt-rules pack writes them)")
            size, start = os.path.getsize(path), len(MAGIC) + 8 + length
            if start > size:
                raise ValueError
            header: dict[str, Any] = json.loads(stream.read(length))
            version, whole = header["format"], start + int(header["bytes"])
            if version == FORMAT and not header.keys() >= {"sha256", "columns", "features", "entailments"}:
                raise ValueError
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise ModelError(f"{path}: the header of this packed grammar is damaged; pack it again") from None
    if version != FORMAT:
        raise ModelError(f"{path}: is of format {version}, this version reads {FORMAT}; pack it again")
    if size != whole:
        raise ModelError(f"{path}: holds {size} bytes instead of {whole}; it was cut short")
    return header, start


def _is_whole(path: str | Path) -> bool:
    """Whether a packed grammar is there that is not cut short."""
    try:
        return bool(_read_header(path))
    except ModelError:
        return False


def verify(path: str | Path) -> None:
    """Compare the data with its checksum; raises ModelError if they differ. Reads the whole file."""
    header, start = _read_header(path)
    with open(path, "rb") as stream:
        if _checksum(stream, start) != header["sha256"]:
            raise ModelError(f"{path}: the data does not match its checksum; pack it again")
