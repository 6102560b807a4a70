"""Naming and reading the outputs of systems: plain text or JSON lines."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.records import JSON_LINES, OUTPUT_KEY, are_records, read_records
from sbmt.errors import FormatError, SbmtError, counted, quoted
from sbmt.evaluation.report.system import System
from sbmt.io import check_parallel, plain_lines, read_text, writable
from sbmt.paths import STDIO, is_there

if TYPE_CHECKING:
    from sbmt.data.testsets import Part

_log = logging.getLogger(__name__)

_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")


@dataclass(frozen=True, slots=True)
class SystemFile:
    """A file of outputs as named on the command line, by FILE or NAME=FILE."""

    path: str
    name: str = ""


def system_file(text: str) -> SystemFile:
    """Parse `NAME=FILE`, or FILE if a file with the whole name exists; raises SbmtError if neither exists."""
    name, _, path = text.partition("=")
    if not (name and path) or Path(text).exists():
        return SystemFile(text)
    if path == STDIO or is_there(path):
        return SystemFile(path, name)
    raise SbmtError(f"{writable(text)}: there is neither this file nor {writable(path)}, which a system is named for")


@dataclass(frozen=True, slots=True)
class Reading:
    """How outputs are read."""

    part: Part | None = None  # the part of a test set that is evaluated; selected from outputs for the whole set
    allow_empty: bool = False  # accept empty outputs of sources that are not blank
    runs: bool = False  # files with the same user-given name are runs of one system, returned as several systems
    output_key: str = OUTPUT_KEY  # key of the outputs in JSON lines


def read_systems(
    files: Sequence[SystemFile], sources: list[str] | None, texts: Mapping[str, list[str]], reading: Reading
) -> list[System]:
    """Read each system; its name is the user's, or that of its file.

    Blank lines of a single plain file without other texts are left out (they separate paragraphs) unless empty outputs
    are allowed. Raises FormatError for outputs that differ in length from the texts, and for an empty output unless
    allowed; SbmtError if two systems have the same file or name.
    """
    names = _system_names(files)
    _check_named_once(files, names, reading.runs)
    read = [_read_system(file.path, name, sources, reading) for file, name in zip(files, names, strict=True)]
    if len(read) == 1 and not (texts or reading.allow_empty):
        read = [_without_blanks(*read[0])]
    all_outputs = {system.path: system.outputs for system, _ in read}
    for system, numbers in read:
        check_parallel({**(texts or all_outputs), system.path: system.outputs})
        _check_outputs(system, numbers, sources, reading.allow_empty)
    return [system for system, _ in read]


def _check_named_once(files: Sequence[SystemFile], names: Sequence[str], runs: bool) -> None:
    """Raise SbmtError if two systems have the same file or name; `runs` as in `Reading`."""
    paths = [file.path for file in files]
    real_paths = [path if path == STDIO else os.path.realpath(path) for path in paths]
    single = [name for name, file in zip(names, files, strict=True) if not (runs and file.name)]
    with_runs = {name: None for name, file in zip(names, files, strict=True) if runs and file.name}
    systems = [*single, *with_runs]
    for shown, unique, problem in (
        (paths, real_paths, "a file is named twice"),
        (systems, systems, "two systems have one name"),
    ):
        if len(set(unique)) < len(unique):
            raise SbmtError(f"{problem} ({writable(', '.join(shown))}): give each system a file and a name of its own")


def _check_outputs(system: System, numbers: Sequence[int], sources: Sequence[str] | None, allow_empty: bool) -> None:
    """Raise FormatError for a system without outputs, and for an empty output of a source that is not blank.

    numbers: line numbers of the outputs in the file, from 0.
    """
    if not system.outputs:
        raise FormatError(system.path, None, "is empty")
    if allow_empty:
        return
    rows = zip(numbers, sources or ["unknown"] * len(numbers), system.outputs, strict=True)
    empty = [number for number, source, output in rows if source.strip() and not output.strip()]
    if empty:
        others = f" (the first of {len(empty)})" if len(empty) > 1 else ""
        cure = "--allow-empty takes it as it is"
        raise FormatError(system.path, empty[0] + 1, f"the output is empty{others}", cure)


def _read_system(path: str, name: str, sources: Sequence[str] | None, reading: Reading) -> tuple[System, Sequence[int]]:
    """Read outputs, one per line or JSON lines; return them with their line numbers in the file, from 0.

    If they are as many as the whole test set that `sources` are a part of, the part's are selected, which is logged.
    Raises FormatError as `read_records` does, for a source that differs from that of `sources` in the same line, and if
    the number of outputs is neither that of the part nor that of the whole.
    """
    lines = read_text(path)
    numbers = _part_numbers(path, len(lines), reading.part) if reading.part else range(len(lines))
    if not are_records(path, lines):
        return System(name, lines, path=path).of(numbers), numbers
    records = read_records(path, lines, reading.output_key)
    if sources is not None:
        _check_sources(path, {number + 1: records[number].source for number in numbers}, sources)
    outputs = plain_lines(record.output for record in records)
    return System(name, outputs, [record.changes for record in records], path).of(numbers), numbers


def _without_blanks(system: System, numbers: Sequence[int]) -> tuple[System, Sequence[int]]:
    """Leave out the blank lines of plain text; in JSON lines an empty output is one."""
    filled = [k for k, output in enumerate(system.outputs) if output.strip()]
    blank = len(system.outputs) - len(filled)
    if not blank or system.changes is not None:
        return system, numbers
    _log.info("%s: blank lines (%d) are left out", system.path, blank)
    return system.of(filled), [numbers[k] for k in filled]


def _check_sources(path: str, system_sources: Mapping[int, str | None], sources: Sequence[str]) -> None:
    """Raise FormatError if a system's source, by its line number, differs from the source in that place.

    White space and the form of quotation marks make no difference.
    """
    expected = list(map(_normalised, sources))
    rows = zip(system_sources.items(), expected, sources, strict=False)
    differing = (
        (n, text, source) for (n, text), line, source in rows if text is not None and _normalised(text) != line
    )
    number, text, source = next(differing, (None, "", ""))
    if number is None:
        return
    normalised = {_normalised(line or "") for line in system_sources.values()}
    if len(system_sources) == len(expected) and normalised == set(expected):
        place = list(system_sources)[expected.index(_normalised(text))]
        problem = f"the same sources in another order (line {number} is line {place})"
        raise FormatError(path, None, problem, "bring the lines into the order of the sources")
    problem = f"its source is {quoted(text)}, but that of line {number} is {quoted(source)}"
    raise FormatError(path, number, problem)


def _normalised(source: str) -> str:
    return " ".join(source.removeprefix("\ufeff").translate(_STRAIGHT).split())


def _part_numbers(path: str, count: int, part: Part) -> Sequence[int]:
    """Return the line numbers of the part, from 0."""
    if count == len(part.numbers):
        return range(count)
    if count != part.total:
        whole = f"the {part.total} of {part.whole}"
        problem = f"has {counted(count, 'line')}, but the test set has {len(part.numbers)}, of {whole}"
        raise FormatError(path, None, problem, "give outputs for either")
    message = "%s has all %d lines of %s: the %d of them that the test set has are taken"
    _log.info(message, path, count, part.whole, len(part.numbers))
    return part.numbers


def _system_names(files: Sequence[SystemFile]) -> list[str]:
    """Return the user's names, or file names if they are unique, else paths."""
    paths = [file.path for file in files]
    file_names = [path if path == STDIO else Path(path).name.removesuffix(JSON_LINES) for path in paths]
    names = [file.name or file_name for file, file_name in zip(files, file_names, strict=True)]
    if len(set(names)) < len({(file.name or file.path) for file in files}):
        names = [file.name or file.path for file in files]
    return list(map(writable, names))
