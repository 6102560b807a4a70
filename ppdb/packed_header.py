"""The header of a packed grammar (`sbmt.ppdb.packed`), which describes the data after it.

8 bytes   "SBMTGRAM"
8 bytes   length of the header, little-endian
header    JSON: format, sha256 and bytes of the data, {column: [dtype, shape, offset into the data]}, feature
          names, entailments
data      the columns in the order of the header, each at a multiple of 64 bytes
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from sbmt.config import ConfigError, build
from sbmt.errors import ModelError, system_cause
from sbmt.io import PACKED_GRAMMAR
from sbmt.paths import STDIO

FORMAT = 1
ALIGN = 64  # bytes
START = len(PACKED_GRAMMAR) + 8  # first byte of the header
COLUMNS = {  # name -> dtype and number of dimensions; see `Columns` and `CodedFeatures`
    **dict.fromkeys(("word_start", "label_start", "node_children", "node_rules"), ("<i8", 1)),
    **dict.fromkeys(("target_start", "alignment_start"), ("<i8", 1)),
    **dict.fromkeys(("node_symbol", "rule_lhs", "target_symbol"), ("<i4", 1)),
    **dict.fromkeys(("word_bytes", "label_bytes", "rule_entailment"), ("|u1", 1)),
    **dict.fromkeys(("alignment", "code8"), ("|u1", 2)),
    **dict.fromkeys(("book8", "book16"), ("<f8", 2)),
    "code16": ("<u2", 2),
    "value32": ("<f4", 2),
}


@dataclass(frozen=True, slots=True)
class Placed:
    """The position of a column in the data: numpy's name of its dtype, its shape, its first byte."""

    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def end(self) -> int:
        """The byte after its last one."""
        return self.offset + math.prod(self.shape) * np.dtype(self.dtype).itemsize


@dataclass(frozen=True, slots=True)
class Header:
    """The content of a header.

    `bytes`: length of the data. `features`: names of the columns of `code8`, `code16` and `value32`, in that order.
    """

    format: int
    sha256: str
    bytes: int
    columns: Mapping[str, Placed]
    features: tuple[str, ...]
    entailments: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise ConfigError unless the columns are those of the format and fill the data, with a name per feature."""
        differing = self.columns.keys() ^ COLUMNS.keys()
        if differing:
            name = min(differing)
            raise ConfigError(f"columns.{name}: is {'missing' if name in COLUMNS else 'unknown'}")
        end = 0
        for name, column in self.columns.items():
            if (column.dtype, len(column.shape)) != COLUMNS[name] or min(column.shape) < 0:
                raise ConfigError(f"columns.{name}: cannot be {column.dtype} in the shape {list(column.shape)}")
            if column.offset != end + -end % ALIGN:
                raise ConfigError(f"columns.{name}: begins at {column.offset} instead of {end + -end % ALIGN}")
            end = column.end
        if end != self.bytes:
            raise ConfigError(f"bytes: is {self.bytes}, but the columns end at {end}")
        values = sum(self.columns[name].shape[1] for name in ("code8", "code16", "value32"))
        if len(self.features) != values:
            raise ConfigError(f"features: has {len(self.features)} names for {values} features")


def encode(header: Header, room: int) -> bytes:
    """Return everything that comes before the data, padded to `room` bytes."""
    parts = {field.name: getattr(header, field.name) for field in fields(header)}
    columns = {name: (placed.dtype, placed.shape, placed.offset) for name, placed in header.columns.items()}
    text = json.dumps(parts | {"columns": columns}).encode()
    return PACKED_GRAMMAR + (room - START).to_bytes(8, "little") + text.ljust(room - START)


def room_for(features: Sequence[str], entailments: Sequence[str]) -> int:
    """Return a number of bytes that is enough for the header; only the names can take more than some thousand."""
    return -(-(8192 + len(json.dumps([*features, *entailments]))) // ALIGN) * ALIGN


def is_packed(path: str | Path) -> bool:
    """Whether a file begins like a packed grammar; of a stream nothing is read: it is none."""
    if str(path) == STDIO or not Path(path).is_file():
        return False
    try:
        with open(path, "rb") as stream:
            return stream.read(len(PACKED_GRAMMAR)) == PACKED_GRAMMAR
    except OSError:
        return False


def read_header(path: str | Path) -> tuple[Header, int]:
    """Read the header of a file; also returns where its data begins.

    Raises ModelError for a file that is no packed grammar, is of another format, has a damaged header or is cut short.
    """
    try:
        with open(path, "rb") as stream:
            if stream.read(len(PACKED_GRAMMAR)) != PACKED_GRAMMAR:
                raise ModelError(f"{path}: is not a packed grammar (sbmt-rules pack writes them)")
            length = int.from_bytes(stream.read(START - len(PACKED_GRAMMAR)), "little")
            size = os.path.getsize(path)
            if START + length > size:
                raise ValueError("it is longer than the file")
            content = json.loads(stream.read(length))
        version = content.get("format", FORMAT) if isinstance(content, dict) else FORMAT
        if version != FORMAT:
            raise ModelError(f"{path}: is of format {version}, this version reads {FORMAT}; pack it again")
        header = _parse(content)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {system_cause(error)}") from None
    except (ValueError, ConfigError) as error:
        raise ModelError(f"{path}: the header of this packed grammar is damaged ({error}); pack it again") from None
    whole = START + length + header.bytes
    if size != whole:
        what = "it was cut short" if size < whole else "something was added to it"
        raise ModelError(f"{path}: holds {size} bytes instead of {whole}; {what}: pack it again")
    return header, START + length


def _parse(content: Any) -> Header:
    """Make a header of the decoded JSON; raises ConfigError naming the key that is wrong."""
    columns = content.get("columns") if isinstance(content, dict) else None
    if isinstance(columns, dict):
        names = [field.name for field in fields(Placed)]
        if extra := [name for name, parts in columns.items() if isinstance(parts, list) and len(parts) > len(names)]:
            raise ConfigError(f"columns.{extra[0]}: has more than {', '.join(names)}")
        placed = {
            name: dict(zip(names, parts, strict=False)) if isinstance(parts, list) else parts
            for name, parts in columns.items()
        }
        content = content | {"columns": placed}
    header: Header = build(Header, content)
    return header
