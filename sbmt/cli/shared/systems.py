"""Outputs of systems, as several commands name and read them: plain, or in JSON lines."""

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
    """A file of outputs as it is named on the command line, by FILE or NAME=FILE."""

    path: str
    name: str = ""


def system_file(text: str) -> SystemFile:
    """Read `NAME=FILE`; a file of the whole name comes first. Raises SbmtError where neither is there."""
    name, _, path = text.partition("=")
    if not (name and path) or Path(text).exists():
        return SystemFile(text)
    if path == STDIO or is_there(path):
        return SystemFile(path, name)
    raise SbmtError(f"{writable(text)}: there is neither this file nor {writable(path)}, which a system is named for")


@dataclass(frozen=True, slots=True)
class Reading:
    """How outputs are read."""

    part: Part | None = None  # what the sources are of a test set: of outputs for the whole of it this part is taken
    allow_empty: bool = False  # also an output of a source that is not blank
    runs: bool = False  # files to which the user gives one name are runs of one system, and come as several systems
    output_key: str = OUTPUT_KEY  # of the outputs in JSON lines


def read_systems(
    files: Sequence[SystemFile], sources: list[str] | None, texts: Mapping[str, list[str]], reading: Reading
) -> list[System]:
    """Read each system, named as the user does, or by its file where these names differ.

    Raises FormatError for what has another length than the texts, and for an empty output unless these are allowed;
    SbmtError for a file or a name that two systems have. A single plain file with no other texts may have blank lines
    between paragraphs: unless empty outputs are allowed, they are left out.
    """
    names = _names(files)
    _check_named_once(files, names, reading.runs)
    read = [_read_system(file.path, name, sources, reading) for file, name in zip(files, names, strict=True)]
    if len(read) == 1 and not (texts or reading.allow_empty):
        read = [_without_blanks(*read[0])]
    everything = {system.path: system.outputs for system, _ in read}
    for system, numbers in read:
        check_parallel({**(texts or everything), system.path: system.outputs})
        _check_outputs(system, numbers, sources, reading.allow_empty)
    return [system for system, _ in read]


def _check_named_once(files: Sequence[SystemFile], names: Sequence[str], runs: bool) -> None:
    """Raise SbmtError for a file or a name that two systems have; `runs` as in `Reading`."""
    paths = [file.path for file in files]
    real = [path if path == STDIO else os.path.realpath(path) for path in paths]
    alone = [name for name, file in zip(names, files, strict=True) if not (runs and file.name)]
    of_runs = {name: None for name, file in zip(names, files, strict=True) if runs and file.name}
    systems = [*alone, *of_runs]
    for shown, given, problem in (
        (paths, real, "a file is named twice"),
        (systems, systems, "two systems have one name"),
    ):
        if len(set(given)) < len(given):
            raise SbmtError(f"{problem} ({writable(', '.join(shown))}): give each system a file and a name of its own")


def _check_outputs(system: System, numbers: Sequence[int], sources: Sequence[str] | None, allow_empty: bool) -> None:
    """Raise FormatError for a system without outputs, and for an empty one of a source that is not blank.

    `numbers` are those of their lines in the file, from 0.
    """
    if not system.outputs:
        raise FormatError(system.path, None, "is empty")
    if allow_empty:
        return
    written = zip(numbers, sources or ["unknown"] * len(numbers), system.outputs, strict=True)
    empty = [number for number, source, output in written if source.strip() and not output.strip()]
    if empty:
        others = f" (the first of {len(empty)})" if len(empty) > 1 else ""
        cure = "--allow-empty takes it as it is"
        raise FormatError(system.path, empty[0] + 1, f"the output is empty{others}", cure)


def _read_system(path: str, name: str, sources: Sequence[str] | None, reading: Reading) -> tuple[System, Sequence[int]]:
    """Read outputs, one a line, or JSON lines.

    Where there are as many as the whole has that `sources` are a part of, the part's are taken, which is logged.
    Returns with them the numbers of their lines in the file, from 0. Raises FormatError as `read_records` does, for
    another source than `sources` have in that line, and where there are neither as many as the part nor as many as the
    whole has.
    """
    lines = read_text(path)
    numbers = _chosen(path, len(lines), reading.part) if reading.part else range(len(lines))
    if not are_records(path, lines):
        return System(name, lines, path=path).of(numbers), numbers
    records = read_records(path, lines, reading.output_key)
    if sources is not None:
        _check_sources(path, {number + 1: records[number].source for number in numbers}, sources)
    outputs = plain_lines(record.output for record in records)
    return System(name, outputs, [record.changes for record in records], path).of(numbers), numbers


def _without_blanks(system: System, numbers: Sequence[int]) -> tuple[System, Sequence[int]]:
    """Leave out the blank lines of a text, but not of JSON lines, where an empty output is one."""
    full = [k for k, output in enumerate(system.outputs) if output.strip()]
    blank = len(system.outputs) - len(full)
    if not blank or system.changes is not None:
        return system, numbers
    _log.info("%s: blank lines (%d) are left out", system.path, blank)
    return system.of(full), [numbers[k] for k in full]


def _check_sources(path: str, theirs: Mapping[int, str | None], sources: Sequence[str]) -> None:
    """Raise FormatError where a system names another source, by the number of its line, than there is in that place.

    White space and the form of quotation marks make no other one.
    """
    due = list(map(_plain, sources))
    pairs = zip(theirs.items(), due, sources, strict=False)
    others = ((n, text, own) for (n, text), plain, own in pairs if text is not None and _plain(text) != plain)
    number, text, source = next(others, (None, "", ""))
    if number is None:
        return
    if len(theirs) == len(due) and {_plain(line or "") for line in theirs.values()} == set(due):
        place = list(theirs)[due.index(_plain(text))]
        what = f"the same sources in another order (line {number} is line {place})"
        raise FormatError(path, None, what, "bring the lines into the order of the sources")
    what = f"its source is {quoted(text)}, but that of line {number} is {quoted(source)}"
    raise FormatError(path, number, what)


def _plain(source: str) -> str:
    return " ".join(source.removeprefix("\ufeff").translate(_STRAIGHT).split())


def _chosen(path: str, count: int, part: Part) -> Sequence[int]:
    """The numbers of the lines that are the part's, from 0."""
    if count == len(part.numbers):
        return range(count)
    if count != part.total:
        whole = f"the {part.total} of {part.whole}"
        what = f"has {counted(count, 'line')}, but the test set has {len(part.numbers)}, of {whole}"
        raise FormatError(path, None, what, "give outputs for either")
    message = "%s has all %d lines of %s: the %d of them that the test set has are taken"
    _log.info(message, path, count, part.whole, len(part.numbers))
    return part.numbers


def _names(files: Sequence[SystemFile]) -> list[str]:
    """Name each as the user does, or by its file where that tells them apart, else by its path."""
    paths = [file.path for file in files]
    short = [path if path == STDIO else Path(path).name.removesuffix(JSON_LINES) for path in paths]
    found = [file.name or name for file, name in zip(files, short, strict=True)]
    if len(set(found)) < len({(file.name or file.path) for file in files}):
        found = [file.name or file.path for file in files]
    return list(map(writable, found))
