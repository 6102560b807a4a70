"""The options that name sources, references and systems, as several commands have them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from sbmt.errors import SbmtError
from sbmt.io import STDIO


def add_text_options(made: argparse.ArgumentParser, title: str, systems_help: str) -> None:
    """Declare --source, --references, --test-set, --data-dir and --systems in a group of their own."""
    data = made.add_argument_group(title)
    data.add_argument("--source", metavar="FILE", help="sources, one a line")
    data.add_argument(
        "--references",
        nargs="+",
        default=[],
        metavar="FILE",
        help="reference files, or one PREFIX of PREFIX0, PREFIX1 ...",
    )
    data.add_argument("--test-set", metavar="NAME", help="sources and references by name, e.g. turkcorpus/test")
    data.add_argument("--data-dir", metavar="DIR", help="where test sets lie (default: $SBMT_DATA)")
    data.add_argument("--systems", nargs="+", default=[STDIO], metavar="FILE", help=systems_help)


def expand_references(names: Sequence[str]) -> list[str]:
    """Return the reference files: those named, or PREFIX0, PREFIX1, ... for one name that is no file itself."""
    if len(names) != 1 or Path(names[0]).exists() or names[0] == STDIO:
        return list(names)
    found: list[str] = []
    while Path(f"{names[0]}{len(found)}").exists():
        found.append(f"{names[0]}{len(found)}")
    if not found:
        raise SbmtError(f"{names[0]}: neither this file nor {names[0]}0 exists")
    return found
