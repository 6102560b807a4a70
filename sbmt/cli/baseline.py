"""`sbmt-baseline`: make a bundle of a baseline, which every command accepts as a model."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sbmt.baselines.settings import FrequencySettings, PbmtSettings, TruncateSettings
from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import add_jobs, paired, refuse_unused
from sbmt.cli.shared.parsers import new_parser, positive, settings_of_options
from sbmt.errors import SbmtError
from sbmt.paths import check_output_folder, is_stream

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-baseline identity -o identity && sbmt-decode -m identity < text
  sbmt-baseline truncate --share 0.8 -o truncate
  sbmt-baseline frequency --synonyms ppdb-xl.txt -o frequency
  sbmt-baseline pbmt-r --source complex.txt --target simple.txt -o pbmt-r
  sbmt-baseline pbmt-r --grammar phrases.gz --lm simple.binary -o pbmt-r
"""
NAMES = ("identity", "truncate", "frequency", "pbmt-r")
_USED_BY = {  # option -> the baselines that use it; all use the others
    "share": ("truncate",),
    **dict.fromkeys(("synonyms", "rare"), ("frequency",)),
    **dict.fromkeys(("source", "target", "grammar", "lm", "candidates", "jobs"), ("pbmt-r",)),
}


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser(
        "Make a model of a baseline. identity returns the text; truncate keeps the beginning and the final mark; "
        "frequency replaces rare words by their most frequent listed synonym; pbmt-r is phrase-based translation "
        "re-ranked by dissimilarity (Wubben et al. 2012), learnt from parallel text or built from a given grammar and "
        "language model.",
        _EXAMPLES,
    )
    parser.add_argument("name", choices=NAMES, help="which baseline")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="the bundle")
    share = "truncate: share of the words to keep (default: %(default)s)"
    parser.add_argument("--share", type=float, default=TruncateSettings().share, metavar="X", help=share)
    synonyms = "frequency: pairs, lists of synonyms or a grammar; may be given again"
    parser.add_argument("--synonyms", action="append", default=[], metavar="LIST", help=synonyms)
    rare = "frequency: Zipf frequency below which a word is rare (default: %(default)s)"
    parser.add_argument("--rare", type=float, default=FrequencySettings().rare, metavar="ZIPF", help=rare)
    group = parser.add_argument_group("pbmt-r")
    pbmt = group.add_argument
    lists: dict[str, Any] = {"action": "extend", "nargs": "+", "default": []}
    pbmt("--source", metavar="S", help="complex sides, tokenised; may be given again", **lists)
    pbmt("--target", metavar="T", help="their simple sides", **lists)
    pbmt("--grammar", metavar="GRAMMAR", help="phrase table or grammar without gaps, instead of text")
    pbmt("--lm", metavar="LM", help="language model, instead of one of the simple side")
    length = "length of the re-ranked list (default: %(default)s)"
    pbmt("--candidates", type=positive, default=PbmtSettings().candidates, metavar="N", help=length)
    add_jobs(group)
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = build_parser()
    args = parser.parse_args(argv)
    refuse_unused(args, parser, args.name, _USED_BY)
    if not args.output:
        raise SbmtError("-o needs the name of a folder, which will be the bundle")
    check_output_folder(args.output)
    with settings_of_options():
        _make(args, Path(args.output))
    _log.info("wrote %s", Path(args.output))


def _make(args: argparse.Namespace, folder: Path) -> None:
    from sbmt.baselines.make import make_frequency, make_identity, make_pbmt_r, make_truncate

    if args.name == "identity":
        make_identity(folder)
    elif args.name == "truncate":
        make_truncate(folder, args.share)
    elif args.name == "frequency":
        _check_frequency(args)
        make_frequency(folder, args.synonyms, args.rare)
    else:
        texts = paired(args)
        _check_pbmt_r(args)
        make_pbmt_r(
            folder,
            texts,
            grammar=args.grammar,
            language_model=args.lm,
            candidates=args.candidates,
            jobs=args.jobs,
        )


def _check_frequency(args: argparse.Namespace) -> None:
    if not args.synonyms:
        raise SbmtError(
            "frequency needs a list of synonyms: --synonyms FILE (pairs, or word and synonyms, or a grammar)"
        )
    if any(map(is_stream, args.synonyms)):
        raise SbmtError("--synonyms needs a file, for it is read twice")


def _check_pbmt_r(args: argparse.Namespace) -> None:
    if not args.source and not (args.grammar and args.lm):
        raise SbmtError("pbmt-r needs --source and --target to learn from, or --grammar and --lm")
    if args.source and args.grammar and args.lm:
        raise SbmtError("--source and --target are not read where --grammar and --lm are both given: leave out a pair")
    if any(map(is_stream, filter(None, (args.grammar, args.lm)))):
        raise SbmtError("--grammar and --lm need files: the bundle names them")
    if not (args.grammar or args.lm) and any(map(is_stream, args.target)):
        raise SbmtError("--target needs files, for they are read twice: for the phrases, and for the language model")
