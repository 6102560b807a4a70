"""`sbmt-rules check`: compare a packed grammar with its checksum."""

from __future__ import annotations

import argparse

from sbmt.cli.shared.parsers import Verbs, add_verb
from sbmt.errors import counted


def add_check(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "check",
        _run,
        "compare a packed grammar with its checksum",
        "Read a packed grammar as a whole and compare it with its checksum. Ends with 2 if they differ.",
        "  sbmt-rules check small.packed",
    )
    parser.add_argument("input", metavar="PACKED", help="what sbmt-rules pack wrote")


def _run(args: argparse.Namespace) -> None:
    from sbmt.ppdb.packed import open_packed, verify

    verify(args.input)
    print(f"{args.input}: {counted(len(open_packed(args.input)), 'rule')}, checksum right")
