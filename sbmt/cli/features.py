"""`sbmt-features`: add simplification features to rules."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable, Sequence

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import RULES_OUT, add_jobs, add_reading, rules_output
from sbmt.cli.shared.parsers import Verbs, add_named, add_verb, file_name, new_parser
from sbmt.errors import SbmtError, counted
from sbmt.io import read_lines, write_lines
from sbmt.paths import check_outputs, check_standard_input, is_stream
from sbmt.ppdb.rule import BAR, DEFAULT_LABEL

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-features annotate ppdb-1.0-s-all.gz annotated.gz --jobs 2
  sbmt-features annotate pairs.tsv - --common-words easy.txt
  sbmt-features annotate ppdb.gz annotated.gz --lm Giga=news.arpa --lm Simp=simplewiki.arpa
  sbmt-features identity words.txt identity.gz
  sbmt-features annotate ppdb.gz annotated.gz --resume"""


def build_parser() -> argparse.ArgumentParser:
    """Declare the commands and options."""
    parser = new_parser("Add features of length, syllables, word frequency and language models to rules.", _EXAMPLES)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    _add_annotate(verbs)
    _add_identity(verbs)
    return parser


def _add_annotate(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "annotate",
        _annotate,
        "add features to the rules of a file",
        "Add features to the rules of a file; sbmt-rules list-features names them. Zeros are left out, and what a rule "
        "brings with it stays as it is. OUT may be IN, which is then replaced at the end.",
        "  sbmt-features annotate ppdb.gz annotated.gz --lm Giga=news.arpa --lm Simp=simplewiki.arpa --jobs 2\n"
        "  sbmt-features annotate pairs.tsv - --common-words easy.txt\n"
        "  sbmt-features annotate ppdb.gz annotated.gz --resume",
    )
    parser.add_argument("input", metavar="IN", help="rules in any format, or pairs; - for standard input")
    parser.add_argument("output", type=rules_output, metavar="OUT", help=f"{RULES_OUT}; - for standard output")
    add_named(parser, "--lm", "NAME=FILE", "language model (repeatable)", file_name)
    parser.add_argument("--common-words", metavar="FILE", help="words that are not hard, one per line (# for comments)")
    parser.add_argument("--language", default="en", metavar="CODE", help="of syllables and frequencies (default: en)")
    parser.add_argument("--replace", action="store_true", help="compute also what a rule brings with it")
    add_reading(parser)
    add_jobs(parser)
    parser.add_argument("--resume", action="store_true", help="go on where an interrupted run stopped, or begin")


def _add_identity(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "identity",
        _identity,
        "write a copy rule for each word of a list",
        "Write a rule for each word of a list that leaves it as it is, so that copying competes as a rule with "
        "features; sbmt-features annotate then adds them.",
        "  sbmt-features identity words.txt identity.gz\n  sbmt-features identity nouns.txt identity.gz --label NN",
    )
    parser.add_argument("input", metavar="WORDS", help="words, one per line; - for standard input")
    parser.add_argument("output", type=rules_output, metavar="OUT", help=f"{RULES_OUT}; - for standard output")
    parser.add_argument("--label", default=DEFAULT_LABEL, help="left-hand side (default: %(default)s)")


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command named."""
    args = build_parser().parse_args(argv)
    args.run(args)


def _annotate(args: argparse.Namespace) -> None:
    from sbmt.features.annotation.options import FeatureOptions
    from sbmt.features.annotation.resumable import working_files
    from sbmt.features.annotation.stream import annotate_file
    from sbmt.ppdb.skipped import SkippedLines, set_aside

    word_lists = list(filter(None, [args.common_words]))
    check_standard_input([args.input, *word_lists])
    _check_names(args.lm)
    skipped = SkippedLines(set_aside(args.output)) if args.on_error == "skip" else None
    extra_outputs = [
        *([] if is_stream(args.output) else working_files(args.output)),
        *([skipped.path] if skipped else []),
    ]
    check_outputs([args.output], [*word_lists, *args.lm.values()], extra_outputs, [args.input])
    options = FeatureOptions(
        language_models=args.lm,
        common_words=args.common_words,
        language=args.language,
        replace=args.replace,
        owner=args.owner,
    )
    count = annotate_file(args.input, args.output, options, args.jobs, args.resume, skipped)
    if skipped and skipped.count:
        written, aside = counted(count, "rule"), counted(skipped.count, "bad line")
        _log.warning("%s written, %s set aside in %s", written, aside, skipped.path)


def _check_names(names: Iterable[str]) -> None:
    """Raise SbmtError for a name of a language model that cannot be part of feature names."""
    for name in names:
        if BAR in name or any(map(str.isspace, name)):
            raise SbmtError(f"--lm {name}=...: names of features have neither white space nor {BAR}; name it otherwise")


def _identity(args: argparse.Namespace) -> None:
    from sbmt.ppdb.formats import format_rule
    from sbmt.ppdb.identity import identity_rules
    from sbmt.text.whitespace import split_words

    check_outputs([args.output], [args.input])
    words = dict.fromkeys(word for line in read_lines(args.input) for word in split_words(line))
    write_lines(args.output, map(format_rule, identity_rules(words, args.label)))
