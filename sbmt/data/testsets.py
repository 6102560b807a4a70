"""Test sets by name, found under one data folder (`--data-dir`, else the environment variable SBMT_DATA).

A registered set is looked for in the layout its authors publish and in EASSE's, and its checksums are compared before
use; a user's own set is named in the folder's `testsets.yaml`. Nothing is ever fetched from here.
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
    """Which lines a test set has of the `total` ones of the whole one: their `numbers`, from 0."""

    whole: str  # its name
    total: int
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class TestSet:
    """Sources and, for each, its references (as many lines a sentence; a blank line may mark an absent one)."""

    __test__ = False  # pytest warns of a class that a test imports under such a name

    name: str
    sources: list[str]
    references: list[list[str]]
    part: Part | None = None  # what it is a part of


@dataclass(frozen=True, slots=True)
class _Files:
    """What `testsets.yaml` says of a set."""

    source: str
    references: list[str]


def named_folder(folder: str | Path | None) -> Path | None:
    """Return the data folder, whether it exists or not; None where none is given."""
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

    Raises SbmtError for an unknown name, for a file that is not there, telling the places looked at, and for one of
    other content.
    """
    root = data_folder(folder) if named_folder(folder) else None
    own = custom_sets(root) if root else {}
    if root and name in own:
        return _parallel(name, custom_files(root, name))
    if not is_registered(name):
        sets = [entry.name for entry in registry().values() if entry.format != "files"]
        raise unknown_set(name, [*own, *sets])
    entry = find_entry(name)
    if entry.format == "files":
        raise SbmtError(f"{name!r} is no test set: it holds the files of a study, which sbmt-meta reads")
    found = find_files(entry, root or given_folder(folder))
    if entry.format in ("lines", "numbered"):
        return _parallel(entry.name, found, numbered=entry.format == "numbered", whole=entry.part_of)
    return _pairs(entry.name, found[0], reverse=entry.format == "pairs-reversed")


def set_files(name: str, folder: str | Path | None = None) -> list[Path]:
    """Return the files of a test set as far as they are there, unchecked; of an unknown one none."""
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
    found = [(file, file.find(root)) for file in entry.files]
    for file, path in found:
        if path is None:
            places = ", ".join(dict.fromkeys((file.path, *file.others)))
            raise SbmtError(f"{entry.name!r} is not under {root} (looked for {places}): {getting(entry.name, root)}")
        file.check(path)
    return [path for _, path in found if path is not None]


def custom_sets(root: Path) -> Mapping[str, Any]:
    """Return what the folder's own `testsets.yaml` says, by name of the set; raises FormatError if it has no names."""
    path = root / CUSTOM
    return _built(dict[str, Any], read_yaml(path) or {}, path) if path.exists() else {}


def custom_files(root: Path, name: str) -> list[Path]:
    """Return the files of a user's own set: source, then references, some by a prefix (see `paths.expand`).

    What is neither a file nor a prefix is returned as it is. Raises FormatError where they are not named so, or the
    set has the name of a registered one or of a collection.
    """
    path = root / CUSTOM
    if name in registry() or is_collection(name):
        kind = "set" if name in registry() else "collection"
        raise FormatError(str(path), None, f"{name!r} is the name of a registered {kind}", "give yours another")
    files = _built(_Files, custom_sets(root)[name], path, name)
    named = [str(root / reference) for reference in files.references]
    return [root / files.source, *(Path(path) for name in named for path in expand(name) or [name])]


def _built(kind: Any, value: Any, path: Path, key: str = "") -> Any:
    try:
        return build(kind, value, key)
    except ConfigError as error:
        form = "NAME: {source: FILE, references: [FILE or PREFIX, ...]}"
        raise FormatError(str(path), None, str(error), form) from None


def _parallel(name: str, paths: list[Path], numbered: bool = False, whole: str = "") -> TestSet:
    """Read a source and references side by side; without the number and the tab before each line, if there are any."""
    columns = read_parallel(paths, read=read_text)
    part = None
    if whole:
        part = Part(whole, find_entry(whole).sentences, [int(line.partition("\t")[0]) for line in columns[0]])
    if numbered:
        columns = [[line.partition("\t")[2] for line in column] for column in columns]
    return TestSet(name, columns[0], [list(references) for _, *references in zip(*columns, strict=True)], part)


def _pairs(name: str, path: Path, reverse: bool) -> TestSet:
    """Read pairs of lines, each pair followed by a line of asterisks."""
    lines = list(read_lines(path))
    harder, easier, bars = lines[0::3], lines[1::3], lines[2::3]
    wrong = next((i for i, bar in enumerate(bars) if set(bar) != {"*"}), None)
    if wrong is not None or not len(harder) == len(easier) == len(bars):
        number = 3 * (wrong if wrong is not None else len(bars)) + 3
        raise FormatError(str(path), number, "expected a line of asterisks after each pair of lines")
    sources, references = (easier, harder) if reverse else (harder, easier)
    return TestSet(name, sources, [[reference] for reference in references])
