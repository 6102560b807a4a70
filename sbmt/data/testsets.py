"""Test sets by name, found under one data folder (`--data-dir`, else the environment variable SBMT_DATA).

A set is looked for in the layout its authors publish and in EASSE's; nothing is ever fetched.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sbmt.errors import SbmtError
from sbmt.io import read_parallel


@dataclass(frozen=True, slots=True)
class TestSet:
    """Sources and, for each, its references (as many lines a sentence; a blank line may mark an absent one)."""

    __test__ = False  # not one of pytest's, whatever the name

    name: str
    sources: list[str]
    references: list[list[str]]


def _numbered(stem: str, numbers: range) -> list[str]:
    return [f"{stem}{i}" for i in numbers]


def _turkcorpus(part: str) -> list[tuple[str, list[str]]]:
    stem = f"{part}.8turkers.tok."
    folders = ("turkcorpus/data/turkcorpus/", "turkcorpus/", "easse/test_sets/turkcorpus/legacy/", "turkcorpus/legacy/")
    return [(f"{folder}{stem}norm", _numbered(f"{folder}{stem}turk.", range(8))) for folder in folders]


def _truecased(part: str) -> list[tuple[str, list[str]]]:
    stem = f"{part}.truecase.detok."
    folders = ("easse/test_sets/turkcorpus/", "turkcorpus/")
    return [(f"{folder}{stem}orig", _numbered(f"{folder}{stem}simp.", range(8))) for folder in folders]


def _asset(part: str) -> list[tuple[str, list[str]]]:
    folders = ("asset/dataset/", "asset/", "easse/test_sets/asset/")
    return [(f"{f}asset.{part}.orig", _numbered(f"{f}asset.{part}.simp.", range(10))) for f in folders]


def _hsplit() -> list[tuple[str, list[str]]]:
    folders = ("easse/test_sets/hsplit/", "hsplit/")
    return [(f"{folder}hsplit.tok.src", _numbered(f"{folder}hsplit.tok.", range(1, 5))) for folder in folders]


# Where each set may lie: (source, references) by preference.
LAYOUTS: dict[str, list[tuple[str, list[str]]]] = {
    "turkcorpus/test": _turkcorpus("test"),
    "turkcorpus/tune": _turkcorpus("tune"),
    "turkcorpus-truecased/test": _truecased("test"),
    "turkcorpus-truecased/tune": _truecased("tune"),
    "asset/test": _asset("test"),
    "asset/valid": _asset("valid"),
    "hsplit/test": _hsplit(),
}


def data_folder(folder: str | None = None) -> Path:
    """Return the data folder; raises SbmtError where none is given or it does not exist."""
    chosen = folder or os.environ.get("SBMT_DATA")
    if not chosen:
        raise SbmtError("no data folder: give --data-dir or set SBMT_DATA")
    if not Path(chosen).is_dir():
        raise SbmtError(f"{chosen}: no such data folder")
    return Path(chosen)


def load_test_set(name: str, folder: str | None = None) -> TestSet:
    """Read a test set; raises SbmtError listing the names known, or the places looked at."""
    if name not in LAYOUTS:
        raise SbmtError(f"unknown test set {name!r} (known: {', '.join(LAYOUTS)})")
    root = data_folder(folder)
    for source, references in LAYOUTS[name]:
        if (root / source).exists():
            lines = read_parallel([root / source, *(root / reference for reference in references)])
            return TestSet(name, lines[0], [list(sentence) for sentence in zip(*lines[1:], strict=True)])
    places = ", ".join(source for source, _ in LAYOUTS[name])
    raise SbmtError(f"test set {name!r} is not under {root} (looked for {places})")
