"""Sources, references and outputs, as several commands name and read them."""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sbmt.errors import FormatError, SbmtError
from sbmt.io import STDIO, check_parallel, check_standard_input, plain_lines, read_text

if TYPE_CHECKING:
    from sbmt.data.testsets import Part

_log = logging.getLogger(__name__)
T = TypeVar("T")

JSON_LINES = ".jsonl"
_RECORD = '{"source": '  # how a line of sbmt-decode --output jsonl starts


@dataclass(frozen=True, slots=True)
class Outputs:
    """A system's outputs, and what its decoder said of each: [{rule, owner, score, ...}], for sbmt-decode's JSON."""

    lines: list[str]
    changes: list[list[dict[str, Any]]] | None = None
    numbers: Sequence[int] | None = None  # of the lines in their file, from 0, where only some were taken


@dataclass(frozen=True, slots=True)
class Texts:
    """What is compared: all are of one length; sources and references are None where they were not given."""

    test_set: str | None  # its name
    sources: list[str] | None
    references: list[list[str]] | None  # those of each source
    reference_names: str  # for messages
    systems: dict[str, Outputs]  # by name
    paths: list[str]  # of the systems

    def system(self, named: str | None) -> str | None:
        """Return the name of the system that a path or a file's name stands for; what is neither, as it stands."""
        pairs = zip(self.systems, self.paths, strict=True)
        found = [name for name, path in pairs if named in (name, path, Path(path).name)]
        return found[0] if len(found) == 1 else named


def add_text_options(made: argparse.ArgumentParser, title: str, systems_help: str) -> None:
    """Declare --source, --references, --test-set, --data-dir, --systems and --allow-empty in a group of their own."""
    data = made.add_argument_group(title)
    data.add_argument("--source", metavar="FILE", help="sources, one a line")
    data.add_argument(
        "--references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="reference files; PREFIX stands for PREFIX0, PREFIX1 ... (or from 1 on, or 00, 01 ...)",
    )
    data.add_argument("--test-set", metavar="NAME", help="sources and references by name, e.g. asset/test")
    data.add_argument("--data-dir", metavar="DIR", help="where test sets lie (default: $SBMT_DATA)")
    data.add_argument("--systems", nargs="+", default=[STDIO], metavar="FILE", help=systems_help)
    data.add_argument("--allow-empty", action="store_true", help="take empty outputs instead of stopping at one")


def read_texts(args: argparse.Namespace) -> Texts:
    """Read all that `add_text_options` names, systems by their files' names where these differ.

    Raises SbmtError for sources named in two ways, a system named twice, texts of different length and empty outputs.
    """
    if args.test_set and (args.source or args.references):
        raise SbmtError("give either --test-set or --source and --references")
    if len(set(args.systems)) < len(args.systems):
        raise SbmtError("a system is named twice")
    if args.test_set:
        from sbmt.data.testsets import load_test_set

        found = load_test_set(args.test_set, args.data_dir)
        systems = read_systems(args.systems, found.sources, {found.name: found.sources}, found.part, args.allow_empty)
        return Texts(found.name, found.sources, found.references, found.name, systems, args.systems)
    files = expand_references(args.references)
    given = [args.source] if args.source else []
    check_standard_input([*given, *files, *args.systems])
    texts = {path: read_text(path) for path in (*given, *files)}
    sources = texts[args.source] if given else None
    systems = read_systems(args.systems, sources, texts, allow_empty=args.allow_empty)
    references = [list(lines) for lines in zip(*(texts[path] for path in files), strict=True)] if files else None
    return Texts(None, sources, references, ", ".join(files), systems, args.systems)


def read_systems(
    paths: Sequence[str],
    sources: list[str] | None,
    texts: Mapping[str, list[str]],
    part: Part | None = None,
    allow_empty: bool = False,
) -> dict[str, Outputs]:
    """Read each system, by the names of the files where these differ.

    Of outputs for the whole that a test set is a `part` of, those of the part are taken. Raises FormatError for what
    has another length than the texts, or an empty output unless these are allowed.
    """
    systems = {path: read_outputs(path, sources, part) for path in paths}
    everything = {path: outputs.lines for path, outputs in systems.items()}
    for path, lines in everything.items():
        check_parallel({**(texts or everything), path: lines})
        if not lines:
            raise FormatError(path, None, "is empty")
        blank = next((i for i, line in enumerate(lines, 1) if not line.strip()), None)
        if blank and not allow_empty:
            numbers = systems[path].numbers
            number = numbers[blank - 1] + 1 if numbers else blank
            raise FormatError(path, number, "the output is empty", "--allow-empty takes it as it is")
    return dict(zip(_names(paths), systems.values(), strict=True))


def read_outputs(path: str, sources: Sequence[str] | None = None, part: Part | None = None) -> Outputs:
    """Read outputs, one a line, or sbmt-decode's JSON lines, told by the name's ending or the first line.

    Where there are as many as the whole has that `sources` are a `part` of, the part's are taken, which is logged.
    Raises FormatError for JSON of another kind, or of another source than `sources` have in that line, and where there
    are neither as many as the part nor as many as the whole has.
    """
    lines = read_text(path)
    chosen = _chosen(path, len(lines), part) if part else None
    if not (path.endswith(JSON_LINES) or "".join(lines[:1]).startswith(_RECORD)):
        return Outputs(_taken(lines, chosen), numbers=chosen)
    of, outputs, changes = [], [], []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            of.append(str(record["source"]))
            outputs.append(str(record["output"]))
            changes.append(list(record.get("changes", [])))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FormatError(path, number, "is not a line of sbmt-decode --output jsonl") from None
    numbers = chosen or range(len(of))
    for number, mine, theirs in zip(numbers, _taken(plain_lines(of), chosen), sources or (), strict=False):
        if mine != theirs:
            raise FormatError(path, number + 1, f"its source is {mine!r}, but that of line {number + 1} is {theirs!r}")
    return Outputs(_taken(plain_lines(outputs), chosen), _taken(changes, chosen), chosen)


def _chosen(path: str, count: int, part: Part) -> Sequence[int] | None:
    """The numbers of the lines that are the part's, from 0; None where these are all there are."""
    if count == len(part.lines):
        return None
    if count != part.total:
        what = f"has {count} lines, but the test set has {len(part.lines)}, of the {part.total} of {part.whole}"
        raise FormatError(path, None, what, "give outputs for either")
    message = "%s has all %d lines of %s: the %d of them that the test set has are taken"
    _log.info(message, path, count, part.whole, len(part.lines))
    return part.lines


def _taken(lines: list[T], numbers: Sequence[int] | None) -> list[T]:
    """The lines of these numbers, from 0, or all."""
    return lines if numbers is None else [lines[k] for k in numbers]


def _names(paths: Sequence[str]) -> Sequence[str]:
    """Name each path by its file where that tells them apart."""
    short = [path if path == STDIO else Path(path).name.removesuffix(JSON_LINES) for path in paths]
    return short if len(set(short)) == len(short) else paths


def expand_references(names: Sequence[str]) -> list[str]:
    """Return the reference files: each name that is no file itself stands for the files that number it, from 0 or 1.

    Raises SbmtError where there is none, or one is missing in between.
    """
    return [path for name in names for path in _expand(name)]


def _expand(name: str) -> list[str]:
    if name == STDIO or (Path(name).exists() and not Path(name).is_dir()):
        return [name]
    folder, start = os.path.split(name)
    beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    ends = [file.removeprefix(start) for file in beside if file.startswith(start)]
    numbered = sorted((int(end), name + end) for end in ends if end.isdecimal() and end.isascii())
    numbers = [number for number, _ in numbered]
    if not {0, 1} & set(numbers):
        raise SbmtError(f"{name}: neither this file nor {name}0 or {name}1 exists")
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        found = ", ".join(path for _, path in numbered)
        raise SbmtError(f"{name}: the references are not numbered one after the other (found {found}): name the files")
    return [path for _, path in numbered]
