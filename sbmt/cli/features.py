"""`sbmt-features`: add simplification features to rules."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence

from sbmt.cli.command import command, natural, parser
from sbmt.errors import SbmtError

EXAMPLES = """\
  sbmt-features annotate ppdb-1.0-s-all.gz annotated.gz --jobs 2
  sbmt-features annotate pairs.tsv - --common-words easy.txt
  sbmt-features annotate ppdb.gz annotated.gz --lm Giga=news.arpa --lm Simp=simplewiki.arpa
  sbmt-features identity words.txt identity.gz
  sbmt-features annotate ppdb.gz annotated.gz --resume"""


def build_parser() -> argparse.ArgumentParser:
    """Declare the commands and options."""
    made = parser("Add features of length, syllables, word frequency and language models to rules.", EXAMPLES)
    verbs = made.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    annotate = verbs.add_parser("annotate", help="add features to the rules of a file")
    annotate.add_argument("input", metavar="IN", help="rules in any format, or pairs; - for standard input")
    annotate.add_argument("output", metavar="OUT", help="PPDB format, gzipped if it ends in .gz; - for standard output")
    annotate.add_argument("--lm", action="append", default=[], metavar="NAME=FILE", help="language model (repeatable)")
    annotate.add_argument("--common-words", metavar="FILE", help="words that are not hard, one a line")
    annotate.add_argument("--language", default="en", metavar="CODE", help="of syllables and frequencies (default: en)")
    annotate.add_argument("--replace", action="store_true", help="compute anew also what a rule brings with it")
    annotate.add_argument("--owner", default="pt", help="names values without label tm_OWNER_i (default: pt)")
    annotate.add_argument("--jobs", type=natural, default=1, metavar="N", help="parallel workers (0: all cores)")
    annotate.add_argument("--resume", action="store_true", help="go on where an interrupted run stopped")
    annotate.add_argument("--on-error", choices=("stop", "skip"), default="stop", help="what to do with a bad line")
    identity = verbs.add_parser("identity", help="write a self-paraphrase for each word of a list")
    identity.add_argument("input", metavar="WORDS", help="words, one a line")
    identity.add_argument("output", metavar="OUT")
    identity.add_argument("--label", default="X", help="left-hand side (default: X)")
    return made


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Annotate rules, or write identity rules."""
    arguments = build_parser().parse_args(argv)
    if arguments.verb == "annotate":
        _annotate(arguments)
    else:
        _identity(arguments)


def _annotate(arguments: argparse.Namespace) -> None:
    from sbmt.features.stream import FeatureOptions, annotate_file
    from sbmt.io import check_standard_input
    from sbmt.ppdb.outputs import SkippedLines

    check_standard_input([arguments.input, *filter(None, [arguments.common_words])])
    models = dict(pair.partition("=")[::2] for pair in arguments.lm)
    if not all(name and path for name, path in models.items()):
        raise SbmtError("--lm takes NAME=FILE, for example Giga=news.arpa")
    options = FeatureOptions(models, arguments.common_words, arguments.language, arguments.replace, arguments.owner)
    skipped = SkippedLines.beside(arguments.output, resume=arguments.resume) if arguments.on_error == "skip" else None
    count = annotate_file(arguments.input, arguments.output, options, arguments.jobs, arguments.resume, skipped)
    if skipped and skipped.count:
        logging.getLogger(__name__).warning(
            f"{count} rules written, {skipped.count} bad lines set aside in {skipped.path}"
        )


def _identity(arguments: argparse.Namespace) -> None:
    from sbmt.features.annotate import identity_rules
    from sbmt.io import open_output, read_lines
    from sbmt.ppdb.formats import format_rule
    from sbmt.text.whitespace import split_words

    words = dict.fromkeys(word for line in read_lines(arguments.input) for word in split_words(line))
    with open_output(arguments.output) as stream:
        stream.writelines(format_rule(rule) + "\n" for rule in identity_rules(words, arguments.label))
