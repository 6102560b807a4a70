"""Sources, references and outputs, as several commands name and read them."""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbmt.errors import FormatError, SbmtError
from sbmt.evaluation.system import System
from sbmt.io import check_parallel, plain_lines, read_text, writable
from sbmt.paths import STDIO, check_standard_input
from sbmt.text.look import look

if TYPE_CHECKING:
    from sbmt.data.testsets import Part
    from sbmt.metrics import AnyMetric

_log = logging.getLogger(__name__)

JSON_LINES = ".jsonl"
_CURE = "scores suffer; docs/metrics.md says which test set goes with which outputs"
_RECORD = '{"source": '  # how a line of sbmt-decode --output jsonl starts


@dataclass(frozen=True, slots=True)
class Texts:
    """What is compared: all are of one length; sources and references are None where they were not given."""

    test_set: str | None  # its name
    sources: list[str] | None
    references: list[list[str]] | None  # those of each source
    reference_names: str  # for messages
    systems: list[System]
    paths: list[str]  # of the systems

    def system(self, named: str | None) -> str | None:
        """Return the name of the system that a path or a file's name stands for; what is neither, as it is."""
        pairs = zip(self.systems, self.paths, strict=True)
        found = [system.name for system, path in pairs if named in (system.name, path, Path(path).name)]
        return found[0] if len(found) == 1 else named


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
    if path == STDIO or _readable(path):
        return SystemFile(path, name)
    raise SbmtError(f"{writable(text)}: there is neither this file nor {writable(path)}, which a system is named for")


def _readable(path: str) -> bool:
    """Whether this is a file, or a pipe as the shell's `<(command)` names it."""
    return Path(path).exists() and not Path(path).is_dir()


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
    data.add_argument(
        "--test-set", metavar="NAME", help="sources and references by name, e.g. asset/test; EASSE's do, too"
    )
    data.add_argument("--data-dir", metavar="DIR", help="where test sets are (default: $SBMT_DATA)")
    data.add_argument(
        "--systems",
        nargs="+",
        type=system_file,
        default=[SystemFile(STDIO)],
        metavar="[NAME=]FILE",
        help=f"{systems_help}; a system is named by its file, or as you say",
    )
    data.add_argument("--allow-empty", action="store_true", help="take empty outputs instead of stopping at one")


def read_texts(args: argparse.Namespace) -> Texts:
    """Read all that `add_text_options` names.

    Raises SbmtError for sources named in two ways, texts of different length, and as `read_systems` does.
    """
    if args.test_set is not None and (args.source is not None or args.references):
        raise SbmtError("give either --test-set or --source and --references")
    paths = [system.path for system in args.systems]
    if args.test_set is not None:
        from sbmt.data.testsets import load_test_set

        found = load_test_set(args.test_set, args.data_dir)
        given = {found.name: found.sources}
        systems = read_systems(args.systems, found.sources, given, found.part, args.allow_empty)
        return Texts(found.name, found.sources, found.references, found.name, systems, paths)
    files = expand_references(args.references)
    source = [] if args.source is None else [args.source]
    check_standard_input([*source, *files, *paths])
    texts = {path: read_text(path) for path in (*source, *files)}
    sources = texts[args.source] if source else None
    systems = read_systems(args.systems, sources, texts, allow_empty=args.allow_empty)
    references = [list(lines) for lines in zip(*(texts[path] for path in files), strict=True)] if files else None
    return Texts(None, sources, references, ", ".join(files), systems, paths)


def missing_references(metric: str) -> SbmtError:
    """Say that a metric lacks references."""
    return SbmtError(f"{metric} needs references (--references or --test-set); fk:easse and length need none")


def remark_on_looks(metrics: Iterable[AnyMetric], texts: Texts) -> None:
    """Warn, once each, of outputs unlike the references in capitals that a metric heeds, or in being tokenised."""
    terms = [term for metric in metrics for term in metric.simple() if term.needs_references]
    if not texts.references or not terms:
        return
    theirs = look(chain.from_iterable(texts.references))
    ours = {system.name: look(system.outputs) for system in texts.systems}
    other_case = [name for name, found in ours.items() if found.cased != theirs.cased]
    heeding = [term.name for term in terms if term.case == "mixed"]
    if other_case and heeding:
        have = ("the references have capitals", "none") if theirs.cased else ("the references have no capitals", "some")
        message = "%s, the outputs of %s have %s, and %s heeds them: %s"
        _log.warning(message, have[0], other_case[0], have[1], heeding[0], _CURE)
    other_tokens = [name for name, found in ours.items() if {found.tokenized, theirs.tokenized} == {True, False}]
    if other_tokens and any(term.tok != "ptb" for term in terms):
        have = ("are tokenised", "are not") if theirs.tokenized else ("are not tokenised", "are")
        _log.warning("the references %s, the outputs of %s %s: %s", have[0], other_tokens[0], have[1], _CURE)


def read_systems(
    files: Sequence[SystemFile],
    sources: list[str] | None,
    texts: Mapping[str, list[str]],
    part: Part | None = None,
    allow_empty: bool = False,
) -> list[System]:
    """Read each system, named as the user does, or by its file where these names differ.

    Of outputs for the whole that a test set is a `part` of, those of the part are taken. Raises FormatError for what
    has another length than the texts, or an empty output of a source that is none, unless these are allowed; SbmtError
    for a file or a name that two systems have.
    """
    paths, names = [file.path for file in files], _names(files)
    for given, problem in ((paths, "a file is named twice"), (names, "two systems have one name")):
        if len(set(given)) < len(given):
            raise SbmtError(f"{problem} ({writable(', '.join(given))}): give each system a file and a name of its own")
    read = [_read_system(path, name, sources, part) for path, name in zip(paths, names, strict=True)]
    everything = {path: system.outputs for path, (system, _) in zip(paths, read, strict=True)}
    for path, (system, numbers) in zip(paths, read, strict=True):
        check_parallel({**(texts or everything), path: system.outputs})
        if not system.outputs:
            raise FormatError(path, None, "is empty")
        given = sources or ["unknown"] * len(numbers)
        for number, source, output in zip(numbers, given, system.outputs, strict=True):
            if source.strip() and not output.strip() and not allow_empty:
                raise FormatError(path, number + 1, "the output is empty", "--allow-empty takes it as it is")
    return [system for system, _ in read]


def _read_system(
    path: str, name: str, sources: Sequence[str] | None, part: Part | None
) -> tuple[System, Sequence[int]]:
    """Read outputs, one a line, or sbmt-decode's JSON lines, told by the name's ending or the first line.

    Where there are as many as the whole has that `sources` are a `part` of, the part's are taken, which is logged.
    Returns with them the numbers of their lines in the file, from 0. Raises FormatError for JSON of another kind, or of
    another source than `sources` have in that line, and where there are neither as many as the part nor as many as the
    whole has.
    """
    lines = read_text(path)
    numbers = _chosen(path, len(lines), part) if part else range(len(lines))
    if not (path.endswith(JSON_LINES) or "".join(lines[:1]).startswith(_RECORD)):
        return System(name, lines).of(numbers), numbers
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(_record(line))
        except UnicodeError:
            raise FormatError(path, number, "holds half of a surrogate pair, which is no character") from None
        except (ValueError, RecursionError):
            form = "an object whose source and output are texts, and changes a list of objects"
            raise FormatError(path, number, "is not a line of sbmt-decode --output jsonl", form) from None
    theirs = plain_lines(source for source, _, _ in records)
    for number, source in zip(numbers, sources or (), strict=False):
        if theirs[number] != source:
            what = f"its source is {theirs[number]!r}, but that of line {number + 1} is {source!r}"
            raise FormatError(path, number + 1, what)
    outputs = plain_lines(output for _, output, _ in records)
    return System(name, outputs, [changes for _, _, changes in records]).of(numbers), numbers


def _record(line: str) -> tuple[str, str, list[dict[str, Any]]]:
    """Source, output and changes of a line of JSON; raises ValueError or RecursionError for what does not hold them."""
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError
    source, output, changes = record.get("source"), record.get("output"), record.get("changes", [])
    if not (isinstance(source, str) and isinstance(output, str) and isinstance(changes, list)):
        raise ValueError
    if not all(isinstance(change, dict) for change in changes):
        raise ValueError
    json.dumps(record, ensure_ascii=False).encode()  # fails for half of a surrogate pair
    return source, output, changes


def _chosen(path: str, count: int, part: Part) -> Sequence[int]:
    """The numbers of the lines that are the part's, from 0."""
    if count == len(part.lines):
        return range(count)
    if count != part.total:
        what = f"has {count} lines, but the test set has {len(part.lines)}, of the {part.total} of {part.whole}"
        raise FormatError(path, None, what, "give outputs for either")
    message = "%s has all %d lines of %s: the %d of them that the test set has are taken"
    _log.info(message, path, count, part.whole, len(part.lines))
    return part.lines


def _names(files: Sequence[SystemFile]) -> list[str]:
    """Name each as the user does, or by its file where that tells them apart, else by its path."""
    paths = [file.path for file in files]
    short = [path if path == STDIO else Path(path).name.removesuffix(JSON_LINES) for path in paths]
    found = [file.name or name for file, name in zip(files, short, strict=True)]
    if len(set(found)) < len(found):
        found = [file.name or file.path for file in files]
    return list(map(writable, found))


def expand_references(names: Sequence[str]) -> list[str]:
    """Return the reference files: each name that is no file itself stands for the files that number it, from 0 or 1.

    Raises SbmtError where there is none, or one is missing in between.
    """
    return [path for name in names for path in _expand(name)]


def _expand(name: str) -> list[str]:
    if name == STDIO or _readable(name):
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
