"""`sbmt-text`: tokenise raw text as models expect it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain

from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import new_parser
from sbmt.io import read_lines, write_lines
from sbmt.paths import STDIO, check_outputs, check_standard_input

_EXAMPLES = """\
  sbmt-text tune.raw.src -o tune.src                         to tune on: cased, line by line
  sbmt-text --lowercase complex.txt -o complex.tok           to learn rules from
  sbmt-text --lowercase --sentences corpus.txt -o corpus.tok   for a language model

sbmt-decode takes raw text and writes raw text: it needs none of this."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser(
        "Tokenise raw text into the Penn Treebank tokens that sbmt-tune, sbmt-learn and sbmt-lm expect.", _EXAMPLES
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="text, also .gz or .xz (default: standard input)")
    parser.add_argument("--lowercase", action="store_true", help="lower-case it, too")
    sentences = "write one sentence per line (default: one line for each line of the text)"
    parser.add_argument("--sentences", action="store_true", help=sentences)
    language = "of the text: for abbreviations at which no sentence ends, ISO 639 code (default: %(default)s)"
    parser.add_argument("--language", default="en", metavar="CODE", help=language)
    parser.add_argument("--encoding", default="utf-8", help="of the text (default: %(default)s); utf-8 is written")
    parser.add_argument("-o", "--output", default=STDIO, metavar="FILE", help="default: standard output")
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    args = build_parser().parse_args(argv)
    from sbmt.progress import progress
    from sbmt.text.pipeline import Pipeline, TextOptions
    from sbmt.text.protection.protect import ProtectOptions

    files = args.files or [STDIO]
    check_standard_input(files)
    check_outputs([args.output], files)
    options = TextOptions(lowercase=args.lowercase, language=args.language, protect=ProtectOptions.none())
    pipeline = Pipeline(options)
    lines = (line for path in files for line in read_lines(path, args.encoding))
    tokenised = ([" ".join(sentence.words) for sentence in pipeline.sentences(line)] for line in lines)
    output = chain.from_iterable(tokenised) if args.sentences else map(" ".join, tokenised)
    write_lines(args.output, progress(output, "tokenising", "lines"))
