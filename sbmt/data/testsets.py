"""Test sets by name, found under one data folder (`--data-dir`, else the environment variable SBMT_DATA).

A registered set is looked for in the layout its authors publish and in EASSE's, and its checksums are compared before
use; a user-defined set is named in the folder's `testsets.yaml`. Nothing is ever downloaded here.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from sbmt.config import ConfigError, build, read_yaml
from sbmt.data.registry import Entry, find_entry, is_collection, is_registered, registry, unknown_set
from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines, read_parallel, read_text
from sbmt.paths import expand

CUSTOM = "testsets.yaml"  # {name: {source: FILE, references: [FILE or PREFIX, ...]}}, relative to the folder


@dataclass(frozen=True, slots=True)
class Part:
    """The lines that a test set has of a larger one of `total` lines: their `numbers`, from 0."""

    whole: str  # its name
    total: int
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class TestSet:
    """Sources and the references of each (the same number for all; a blank line may mark an absent one)."""

    __test__ = False  # no test class for pytest, despite its name

    name: str
    sources: list[str]
    references: list[list[str]]
    part: Part | None = None  # where it is a part of another set


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a set as `testsets.yaml` names them."""

    source: str
    references: list[str]


def named_folder(folder: str | Path | None) -> Path | None:
    """Return the data folder, whether it exists or not; None where neither option nor variable names one."""
    chosen = folder or os.environ.get("SBMT_DATA")
    return Path(chosen) if chosen else None


def given_folder(folder: str | Path | None) -> Path:
    """Return the data folder, whether it exists or not; raises SbmtError where none is given."""
    root = named_folder(folder)
    if root is None:
        raise SbmtError("no data folder: give --data-dir or set SBMT_DATA")
    return root


def data_folder(folder: str | Path | None) -> Path:
    """Return the data folder; raises SbmtError where none is given or it does not exist."""
    root = given_folder(folder)
    if not root.is_dir():
        raise SbmtError(f"{root}: no such data folder")
    return root


def load_test_set(name: str, folder: str | Path | None = None) -> TestSet:
    """Read a test set, also by EASSE's name.

    Raises SbmtError for an unknown name, for a file that is missing, listing the places searched, and for one of other
    content.
    """
    root = data_folder(folder) if named_folder(folder) else None
    user_sets = custom_sets(root) if root else {}
    if root and name in user_sets:
        return _read_parallel_set(name, custom_files(root, name))
    if not is_registered(name):
        sets = [entry.name for entry in registry().values() if entry.format != "files"]
        raise unknown_set(name, [*user_sets, *sets], "" if root else "; your own need --data-dir or SBMT_DATA")
    entry = find_entry(name)
    if entry.format == "files":
        raise SbmtError(f"{name!r} is no test set: it holds the files of a study, which sbmt-meta reads")
    paths = find_files(entry, root or given_folder(folder))
    if entry.format in ("lines", "numbered"):
        return _read_parallel_set(entry.name, paths, numbered=entry.format == "numbered", whole=entry.part_of)
    return _read_pairs(entry.name, paths[0], reverse=entry.format == "pairs-reversed")


def set_files(name: str, folder: str | Path | None = None) -> list[Path]:
    """Return those files of a test set that are there, unchecked; none for an unknown set."""
    root = named_folder(folder)
    if root is None:
        return []
    if name in custom_sets(root):
        return custom_files(root, name)
    if not is_registered(name):
        return []
    return [path for file in find_entry(name).files if (path := file.find(root)) is not None]


def getting(name: str, root: Path) -> str:
    """Return the command that gets a set."""
    return f"sbmt-data get {name} --data-dir {quote(str(root))}"


def find_files(entry: Entry, root: Path) -> list[Path]:
    """Return where an entry's files are, checked; raises SbmtError for one that is missing or of other content."""
    paths = []
    for file in entry.files:
        path = file.find(root)
        if path is None:
            places = ", ".join(dict.fromkeys((file.path, *file.others)))
            raise SbmtError(f"{entry.name!r} is not under {root} (looked for {places}): {getting(entry.name, root)}")
        file.check(path, f"{getting(entry.name, root)} gets it again")
        paths.append(path)
    return paths


def custom_sets(root: Path) -> Mapping[str, Any]:
    """Return the content of the folder's `testsets.yaml` by name of the set; raises FormatError if it has no names."""
    path = root / CUSTOM
    return _build_checked(dict[str, Any], read_yaml(path) or {}, path) if path.exists() else {}


def custom_files(root: Path, name: str) -> list[Path]:
    """Return the files of a user-defined set: source, then references, some by a prefix (see `paths.expand`).

    A name that is neither a file nor a prefix is returned as it is. Raises FormatError for an entry of another form,
    and for a set with the name of a registered one or of a collection.
    """
    path = root / CUSTOM
    if name in registry() or is_collection(name):
        kind = "set" if name in registry() else "collection"
        raise FormatError(str(path), None, f"{name!r} is the name of a registered {kind}", "give yours another")
    files = _build_checked(_Files, custom_sets(root)[name], path, name)
    references = [str(root / reference) for reference in files.references]
    return [root / files.source, *(Path(path) for name in references for path in expand(name) or [name])]


def _build_checked(kind: Any, value: Any, path: Path, key: str = "") -> Any:
    """Return a value of the file as an object of the kind; raises FormatError that shows the form of an entry."""
    try:
        return build(kind, value, key)
    except ConfigError as error:
        form = "NAME: {source: FILE, references: [FILE or PREFIX, ...]}"
        raise FormatError(str(path), None, str(error), form) from None


def _read_parallel_set(name: str, paths: list[Path], numbered: bool = False, whole: str = "") -> TestSet:
    """Read a source and references line by line; `numbered` lines without the number and the tab before them."""
    columns = read_parallel(paths, read=read_text)
    part = None
    if whole:
        part = Part(whole, find_entry(whole).sentences, [int(line.partition("\t")[0]) for line in columns[0]])
    if numbered:
        columns = [[line.partition("\t")[2] for line in column] for column in columns]
    return TestSet(name, columns[0], [list(references) for _, *references in zip(*columns, strict=True)], part)


def _read_pairs(name: str, path: Path, reverse: bool) -> TestSet:
    """Read pairs of lines, each pair followed by a line of asterisks."""
    lines = list(read_lines(path))
    harder, easier, bars = lines[0::3], lines[1::3], lines[2::3]
    wrong = next((i for i, bar in enumerate(bars) if set(bar) != {"*"}), None)
    if wrong is not None or not len(harder) == len(easier) == len(bars):
        number = 3 * (wrong if wrong is not None else len(bars)) + 3
        raise FormatError(str(path), number, "expected a line of asterisks after each pair of lines")
    sources, references = (easier, harder) if reverse else (harder, easier)
    return TestSet(name, sources, [[reference] for reference in references])
