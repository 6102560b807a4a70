"""Packed grammars: the columns of `sbmt.ppdb.columns` in one file, opened by memory-mapping.

The header (`sbmt.ppdb.packed_header`) gives the position of each column in the data after it.

Feature values are coded. A feature with at most 256 or 65,536 different values is a column of one or two bytes that
index its code book (`book8`, `book16`), without loss; any other is kept in single precision. Codes of one width form
one matrix with a row per rule, so that the values of a rule lie together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from sbmt.arrays import Floats, Int64s, Ints
from sbmt.errors import ModelError
from sbmt.files import atomic_path, digest
from sbmt.paths import check_output_file
from sbmt.ppdb.build import ColumnBuilder
from sbmt.ppdb.capitals import count_capitals, warn_of_capitals
from sbmt.ppdb.columns import Columns, Entries
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.packed_header import ALIGN, COLUMNS, FORMAT, Header, Placed, encode, read_header, room_for
from sbmt.ppdb.rule import DEFAULT_OWNER, DEFAULT_SPAN_LIMIT, Rule
from sbmt.ppdb.spool import CHUNK

_VALUES_AT_ONCE = 1 << 22
_DAMAGE_ERRORS = (ArithmeticError, LookupError, MemoryError, RuntimeError, ValueError)  # what damaged numbers lead to
_PLAIN_COLUMNS = tuple(field.name for field in fields(Columns) if field.name not in ("entailments", "features"))


@dataclass(frozen=True, slots=True)
class CodedFeatures:
    """Feature values by code books. `names` are ordered by group: one byte, two bytes, single precision."""

    names: tuple[str, ...]
    code8: npt.NDArray[np.uint8]  # [R, n8]
    book8: Floats  # [n8, 256]
    code16: npt.NDArray[np.uint16]  # [R, n16]
    book16: Floats  # [n16, longest book]
    value32: npt.NDArray[np.float32]  # [R, n32]

    def entries(self, rule_ids: Ints) -> Entries:
        """See `FeatureTable`."""
        groups = [
            book[np.arange(len(book)), code[rule_ids]]
            for code, book in ((self.code8, self.book8), (self.code16, self.book16))
        ]
        values = np.concatenate([*groups, self.value32[rule_ids].astype(np.float64)], axis=1)
        position, index = np.nonzero(values)
        return position, index, values[position, index]


def pack(rules: Iterable[Rule], path: str | Path) -> int:
    """Write a packed grammar; returns the number of rules.

    Raises ModelError for a rule whose sides differ in their gaps, with an empty word or too large, SbmtError for a path
    that cannot be a file.
    """
    check_output_file(path)
    builder = ColumnBuilder()
    for rule in rules:
        builder.add(rule)
    columns, order = builder.columns()
    warn_of_capitals(str(path), count_capitals(columns))
    with atomic_path(path) as temporary, temporary.open("w+b") as stream:
        _write(stream, columns, builder, order)
    return len(order)


def _write(stream: IO[bytes], columns: Columns, builder: ColumnBuilder, order: Int64s) -> None:
    """Write the data after room for the header, then the header, which holds the checksum of the data."""
    books = _code_books(builder)
    names = [name for width in ("8", "16", "32") for name in books[width]]
    coded = _coded_columns(builder, order, books)
    placed: dict[str, Placed] = {}
    room = room_for(names, columns.entailments)
    stream.seek(room)
    for name in _PLAIN_COLUMNS:
        dtype, _ = COLUMNS[name]
        array = getattr(columns, name).astype(dtype, copy=False)
        placed[name] = Placed(dtype, array.shape, _append(stream, room, [array]))
    for name, (shape, pieces) in coded.items():
        placed[name] = Placed(COLUMNS[name][0], shape, _append(stream, room, pieces))
    size = stream.tell() - room
    header = Header(FORMAT, _checksum(stream, room), size, placed, tuple(names), columns.entailments)
    stream.seek(0)
    stream.write(encode(header, room))


def _append(stream: IO[bytes], room: int, pieces: Iterable[npt.NDArray[Any]]) -> int:
    """Write arrays end to end; returns their offset in the data."""
    stream.write(b"\0" * (-(stream.tell() - room) % ALIGN))
    offset = stream.tell() - room
    for piece in pieces:
        stream.write(np.ascontiguousarray(piece).data)
    return offset


def _checksum(stream: IO[bytes], room: int) -> str:
    stream.seek(room)
    return digest(stream)


Books = dict[str, dict[str, Floats]]
Coded = tuple[tuple[int, int], Iterable[npt.NDArray[Any]]]  # shape and pieces of a column


def _code_books(builder: ColumnBuilder) -> Books:
    """Return the different values of each feature, 0 among them, by width of code ("32": not coded)."""
    index, value = builder.feature_index.data, builder.feature_value.data
    names = builder.feature_names
    distinct: list[Floats | None] = [np.zeros(1) for _ in names]  # None: too many
    for low in range(0, len(index), _VALUES_AT_ONCE):
        i, v = index[low : low + _VALUES_AT_ONCE], value[low : low + _VALUES_AT_ONCE]
        by_feature = np.argsort(i, kind="stable")
        ends = np.cumsum(np.bincount(i, minlength=len(names)))
        for number, piece in enumerate(np.split(v[by_feature], ends[:-1])):
            values = distinct[number]
            if values is not None and len(piece):
                merged = np.union1d(values, piece)
                distinct[number] = merged if len(merged) <= 1 << 16 else None
    books: Books = {"8": {}, "16": {}, "32": {}}
    for name, values in sorted(zip(names, distinct, strict=True), key=lambda pair: pair[0]):
        width = "32" if values is None else "8" if len(values) <= 256 else "16"
        books[width][name] = np.zeros(0) if values is None else values
    return books


def _coded_columns(builder: ColumnBuilder, order: Int64s, books: Books) -> dict[str, Coded]:
    """Return the columns of `CodedFeatures` by name."""
    columns: dict[str, Coded] = {}

    def add(name: str, group: dict[str, Floats]) -> None:
        columns[name] = (len(order), len(group)), _coded_rows(builder, order, group, np.dtype(COLUMNS[name][0]))

    for width in ("8", "16"):
        group = books[width]
        book = np.zeros((len(group), max(map(len, group.values()), default=1)))
        for row, values in zip(book, group.values(), strict=True):
            row[: len(values)] = values
        columns[f"book{width}"] = (book.shape, [book])
        add(f"code{width}", group)
    add("value32", books["32"])
    return columns


def _coded_rows(
    builder: ColumnBuilder, order: Int64s, group: dict[str, Floats], dtype: np.dtype[Any]
) -> Iterator[npt.NDArray[Any]]:
    """Yield pieces of the rows of one group: the value of each feature, or its index in the code book."""
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


def open_packed(path: str | Path, owner: str = DEFAULT_OWNER, span_limit: int = DEFAULT_SPAN_LIMIT) -> Grammar:
    """Memory-map a packed grammar.

    Raises ModelError for a file that is no packed grammar, is cut short, is of another format, or has a damaged header.
    Does not check the data (see `verify`).
    """
    header, start = read_header(path)
    data = np.memmap(path, np.uint8, "r", start, (header.bytes,))

    def column(name: str) -> npt.NDArray[Any]:
        placed = header.columns[name]
        piece = np.asarray(data[placed.offset : placed.end])
        return piece.view(placed.dtype).reshape(placed.shape)

    coded = CodedFeatures(header.features, *(column(f.name) for f in fields(CodedFeatures) if f.name != "names"))
    plain = {name: column(name) for name in _PLAIN_COLUMNS}
    return Grammar(Columns(**plain, entailments=header.entailments, features=coded), owner, span_limit, Path(path))


def packed_rules(path: str | Path) -> Iterator[Rule]:
    """Yield the rules of a packed file in its order, by source side.

    Raises what `open_packed` does, and ModelError for damaged data.
    """
    grammar = open_packed(path)
    for number in range(len(grammar)):
        try:
            rule = grammar.rule(number)
        except _DAMAGE_ERRORS:
            raise ModelError(f"{path}: its data is damaged (rule {number + 1}); pack the grammar again") from None
        yield rule


@contextmanager
def blaming_damage(grammars: Iterable[Grammar]) -> Iterator[None]:
    """Raise ModelError if a block that uses grammars fails because one of them is damaged.

    Checking beforehand would mean reading each file as a whole.
    """
    try:
        yield
    except _DAMAGE_ERRORS:
        for grammar in grammars:
            if grammar.path is not None:
                verify(grammar.path)
        raise


def is_whole(path: str | Path) -> bool:
    """Whether a file is a packed grammar with a correct header, and not cut short."""
    try:
        read_header(path)
    except ModelError:
        return False
    return True


def verify(path: str | Path) -> None:
    """Compare the data with its checksum; raises ModelError if they differ. Reads the whole file."""
    header, start = read_header(path)
    with open(path, "rb") as stream:
        if _checksum(stream, start) != header.sha256:
            raise ModelError(
                f"{path}: the data does not match its checksum; pack it again (or delete it, if it is in the cache)"
            )
