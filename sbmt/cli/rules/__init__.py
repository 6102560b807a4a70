"""`sbmt-rules`: pack, filter, merge, count and look into grammars; one module per subcommand."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sbmt.cli.rules.check import add_check
from sbmt.cli.rules.filter import add_filter
from sbmt.cli.rules.list_features import add_list_features
from sbmt.cli.rules.merge import add_merge
from sbmt.cli.rules.pack import add_pack
from sbmt.cli.rules.show import add_show
from sbmt.cli.rules.stats import add_stats
from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import new_parser

_EXAMPLES = """\
  sbmt-rules show principal "make a significant contribution"
  sbmt-rules show --features --top 5 -m starter -m RUN principal
  sbmt-rules filter ppdb.gz --text test.src --least PPDB2.0Score=3 -o small.gz
  sbmt-rules filter ppdb-2.0.gz --names 1.0 -o renamed.gz
  sbmt-rules pack small.gz small.packed
  sbmt-rules merge learnt.gz ppdb.gz -o both.gz
  sbmt-rules stats both.gz
  sbmt-rules filter --help"""


def build_parser() -> argparse.ArgumentParser:
    """Declare the commands and options."""
    parser = new_parser("Pack, filter, merge, count and look into grammars.", _EXAMPLES)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    for add in (add_pack, add_check, add_filter, add_merge, add_stats, add_show, add_list_features):
        add(verbs)
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command named."""
    args = build_parser().parse_args(argv)
    args.run(args)
