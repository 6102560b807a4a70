"""Finding the files of a study, and reading tables."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from types import MappingProxyType

from sbmt.compressed import open_bytes
from sbmt.data.registry import find_entry
from sbmt.data.testsets import data_folder, find_files
from sbmt.errors import FormatError

_NO_ALIASES: Mapping[str, str] = MappingProxyType({})


class PlainTabs(csv.excel_tab):
    """Cells separated by tabs; quotes are text."""

    quoting = csv.QUOTE_NONE


def data_root(name: str, folder: str) -> Path:
    """Return the data folder: `folder`, or its parent if it is the study's own folder.

    Raises SbmtError where there is no such folder.
    """
    root = data_folder(folder)
    study_folder, _, inside = find_entry(name).files[0].path.partition("/")
    return root.resolve().parent if root.resolve().name == study_folder and (root / inside).exists() else root


def locate(name: str, folder: str) -> list[Path]:
    """Return a study's files; raises SbmtError for one that is missing or not as published."""
    return find_files(find_entry(name), data_root(name, folder))


def read_table(path: Path, columns: Sequence[str], tabs: bool = False) -> list[dict[str, str]]:
    """Read a table with a header; raises FormatError as `numbered_rows` does."""
    return [row for _, row in numbered_rows(path, columns, tabs)]


def numbered_rows(
    path: Path, columns: Sequence[str], tabs: bool, aliases: Mapping[str, str] = _NO_ALIASES
) -> list[tuple[int, dict[str, str]]]:
    """Read a table with a header: each row with the number of its last line.

    `aliases`: other names of columns, and the names that they get unless there are columns of these.
    Raises SbmtError for a file that cannot be read; FormatError for a column that is missing or there twice, for a row
    of another length, and for a file that is not a table.
    """
    try:
        with open_bytes(path) as raw, TextIOWrapper(raw, encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, dialect=PlainTabs if tabs else csv.excel)
            written = reader.fieldnames or ()
            if not written:
                raise FormatError(str(path), None, "is empty")
            header = [name if aliases.get(name, name) in written else aliases[name] for name in written]
            reader.fieldnames = header
            if missing := [column for column in columns if column not in header]:
                names = [missing[0], *(alias for alias, name in aliases.items() if name == missing[0])]
                raise FormatError(str(path), 1, f"has no column {' or '.join(names)}", _cure(written, tabs))
            if len(set(header)) < len(header):
                raise FormatError(str(path), 1, f"names a column twice: {', '.join(written)}")
            rows = []
            for row in reader:
                if None in row or None in row.values():
                    problem = f"has not as many cells as the header, {len(header)}"
                    raise FormatError(str(path), reader.line_num, problem)
                rows.append((reader.line_num, row))
            return rows
    except UnicodeDecodeError:
        raise FormatError(str(path), None, "is not UTF-8", "save it as CSV UTF-8") from None
    except csv.Error as error:
        raise FormatError(str(path), reader.line_num, f"is no table: {error}") from None


def _cure(header: Sequence[str], tabs: bool) -> str:
    """Return what to do about a header that lacks a column."""
    if "".join(header[:1]).startswith("{"):
        return "of JSON lines pandas.read_json(FILE, lines=True).to_csv(TABLE, index=False) makes a table"
    if len(header) == 1 and set(header[0]) & set(",;\t"):
        return f"separate the columns by {'tabs' if tabs else 'commas'}"
    return f"its columns: {', '.join(header)}"
