"""The registry of test sets and studies: where each is published, its licence, and the checksum of each file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path, PurePosixPath

import yaml

from sbmt.config import build
from sbmt.errors import SbmtError, unknown_name
from sbmt.files import sha256

LISTED = "sbmt-data list names those that are known"

# EASSE's names of sets: the same files. Its plain `turkcorpus` is the truecased, detokenised one.
ALIASES = {
    "turkcorpus_test": "turkcorpus-truecased/test",
    "turkcorpus_valid": "turkcorpus-truecased/tune",
    "turkcorpus_test_legacy": "turkcorpus/test",
    "turkcorpus_valid_legacy": "turkcorpus/tune",
    "asset_test": "asset/test",
    "asset_valid": "asset/valid",
    "hsplit_test": "hsplit/test",
    "pwkp_test": "pwkp/test",
    "pwkp_valid": "pwkp/valid",
    "qats_test": "qats/test",
    "wikisplit_test": "wikisplit/test",
    "wikisplit_valid": "wikisplit/valid",
    "googlecomp_test": "googlecomp/test",
    "googlecomp_valid": "googlecomp/valid",
}


@dataclass(frozen=True, slots=True)
class DataFile:
    """A published file: its path under the data folder, other paths where it may be, its address and its content."""

    path: str
    others: tuple[str, ...]
    address: str
    sha256: str
    line_count: int

    def find(self, root: Path) -> Path | None:
        """Return its path under `root`, None where it is not there."""
        return next((root / path for path in (self.path, *self.others) if (root / path).exists()), None)

    def matches(self, path: Path) -> bool:
        """Whether a path is a file with the published content."""
        return path.is_file() and sha256(path) == self.sha256

    def check(self, path: Path, cure: str = "") -> None:
        """Raise SbmtError, whose message ends with the cure, unless a path is a file with the published content."""
        if not path.is_file():
            problem = "it is a folder" if path.is_dir() else "it is no file"
        else:
            digest = sha256(path)
            if digest == self.sha256:
                return
            problem = f"its SHA-256 is {digest}, expected {self.sha256}"
        raise SbmtError(f"{path} is not the published file: {problem}" + (f" ({cure})" if cure else ""))


@dataclass(frozen=True, slots=True)
class Entry:
    """A test set (`format` says how to read it) or the files of a study (`format` is `files`)."""

    name: str
    about: str
    licence: str
    format: str
    files: tuple[DataFile, ...]
    part_of: str = ""  # the name of the test set whose lines, by their numbers, these are
    distinct_sources: int | None = None  # their number, where more than a tenth repeat others

    def is_under(self, root: Path) -> bool:
        """Whether all files are there; their content is not checked."""
        return all(file.find(root) for file in self.files)

    @property
    def sentences(self) -> int:
        """The number of sentences of a test set; 0 for the files of a study."""
        lines = self.files[0].line_count
        return {"files": 0, "pairs": lines // 3, "pairs-reversed": lines // 3}.get(self.format, lines)

    @property
    def references(self) -> int:
        """The number of references of each sentence; 0 for the files of a study."""
        return {"files": 0, "pairs": 1, "pairs-reversed": 1}.get(self.format, len(self.files) - 1)


@dataclass(frozen=True, slots=True)
class _Collection:
    """An item of `registry.yaml`: files that are published together. The head of that file explains the keys."""

    folder: str
    about: str
    licence: str
    address: str
    sets: Mapping[str, tuple[str, ...]]
    format: str = "lines"
    also: tuple[str, ...] = ()
    part_of: str = ""
    different: Mapping[str, int] = field(default_factory=dict)


@lru_cache
def registry() -> dict[str, Entry]:
    """Return all entries by name, in the registry's order."""
    text = files("sbmt.data").joinpath("registry.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, where installed, reads ten times as fast
    collections = build(list[_Collection], yaml.load(text, loader))
    return {entry.name: entry for collection in collections for entry in _entries(collection)}


def is_registered(name: str) -> bool:
    """Whether a test set or the files of a study have this name, or EASSE's."""
    return name in registry() or name in ALIASES


def is_collection(name: str) -> bool:
    """Whether test sets have this name before a slash: `asset`."""
    return any(registered.startswith(f"{name}/") for registered in registry())


def find_entry(name: str) -> Entry:
    """Return an entry, also by EASSE's name; raises SbmtError for an unknown one."""
    entry = registry().get(ALIASES.get(name, name))
    if entry is None:
        raise unknown_set(name, list(registry()))
    return entry


def unknown_set(name: str, known: Sequence[str], others: str = "") -> SbmtError:
    """Return the error for an unknown set: its name is a collection's (in any case), or resembles that of a set.

    `others` says where further sets may be.
    """
    start = name.casefold()
    members = [set_name for set_name in known if set_name.casefold().startswith((f"{start}/", f"{start}-"))]
    if len(members) > 1:
        return SbmtError(f"{name!r} names no single test set: give one of {', '.join(members)}")
    return unknown_name("test set", name, [*known, *ALIASES], named_by=LISTED + others)


def _entries(collection: _Collection) -> Iterator[Entry]:
    for name, lines in collection.sets.items():
        yield Entry(
            name,
            collection.about,
            collection.licence,
            collection.format,
            tuple(_file(collection, line) for line in lines),
            collection.part_of,
            collection.different.get(name),
        )


def _file(collection: _Collection, line: str) -> DataFile:
    sha256, count, path = line.split()
    return DataFile(
        path=f"{collection.folder}/{path}",
        others=tuple(f"{folder}/{PurePosixPath(path).name}" for folder in collection.also),
        address=f"{collection.address}/{path}",
        sha256=sha256,
        line_count=int(count),
    )
