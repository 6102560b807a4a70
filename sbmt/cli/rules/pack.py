"""`sbmt-rules pack`: a grammar as one memory-mapped file."""

from __future__ import annotations

import argparse
import logging

from sbmt.cli.shared.grammars import GRAMMAR, add_reading_rules, read_grammars
from sbmt.cli.shared.parsers import Verbs, add_verb
from sbmt.errors import counted
from sbmt.paths import display_name

_log = logging.getLogger(__name__)


def add_pack(verbs: Verbs) -> None:
    """Declare the command and its options."""
    parser = add_verb(
        verbs,
        "pack",
        _run,
        "write a grammar as one memory-mapped file",
        "Write a grammar as one file that opens at once, however large it is, and that processes share. Its rules "
        "are in the order of their source sides; a feature with over 65,536 different values keeps them in single "
        "precision.",
        "  sbmt-rules pack small.gz small.packed\n  sbmt-rules pack --on-error skip ppdb.gz ppdb.packed",
    )
    parser.add_argument("input", metavar="IN", help=GRAMMAR)
    parser.add_argument("output", metavar="OUT", help="a file; not - or a pipe, for it is written out of order")
    add_reading_rules(parser)


def _run(args: argparse.Namespace) -> None:
    from sbmt.ppdb.packed import pack

    with read_grammars(args, [args.input], args.output, [args.input]) as [rules]:
        count = pack(rules, args.output)
    if count:
        _log.info("%s packed into %s", counted(count, "rule"), args.output)
    else:
        _log.warning("%s holds no rules: 0 are packed into %s", display_name(args.input), args.output)
