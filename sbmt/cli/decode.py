"""`sbmt-decode`: simplify text."""

from __future__ import annotations

import argparse
import codecs
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import DEFAULT_MODEL, add_jobs, refuse_page_in_terminal, to_terminal
from sbmt.cli.shared.parsers import new_parser, positive, settings_of_options
from sbmt.errors import SbmtError
from sbmt.io import check_encoding, open_output, read_lines, writable
from sbmt.paths import (
    STDIO,
    check_outputs,
    check_readable_file,
    check_standard_input,
    display_name,
    is_stream,
    is_there,
)
from sbmt.progress import progress
from sbmt.text.glossary import NO_GLOSSARY
from sbmt.text.glossary_lines import read_glossary
from sbmt.text.protection.patterns import read_patterns
from sbmt.text.protection.protect import ProtectOptions

if TYPE_CHECKING:
    from sbmt.model import Model
    from sbmt.simplifier.stream import Printed, Request

_EXAMPLES = """\
  echo 'He utilized numerous tools.' | sbmt-decode
  sbmt-decode --output diff report.txt
  sbmt-decode --output html --glossary house.txt report.txt -o report.html
  sbmt-decode --output jsonl --strength 0.8 --protect terms.txt report.txt -o report.jsonl
  sbmt-decode -m my-model --tokenized --jobs 0 < test.tok > test.out
  sbmt-decode -c joshua.config --output nbest --nbest 100 < test.tok
"""
_TABLE = re.compile(r"\.[ct]sv(?:\.\w+)?$", re.IGNORECASE)  # matches the name of a table
_log = logging.getLogger(__name__)


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser("Rewrite English text in simpler English, one line out for each line in.", _EXAMPLES)
    parser.add_argument("files", nargs="*", metavar="FILE", help="text, also gzip or xz (default: standard input)")
    parser.add_argument(
        "-o", "--out", default=STDIO, metavar="OUT", help="missing folders are made (default: standard output)"
    )
    model = parser.add_mutually_exclusive_group()
    named = "name of a model, or its folder (default: %(default)s)"
    model.add_argument("-m", "--model", default=DEFAULT_MODEL, help=named)
    model.add_argument("-c", "--config", metavar="FILE", help="a Joshua configuration; input is taken as tokenised")
    parser.add_argument("--output", choices=["text", "diff", "html", "jsonl", "nbest"],
                        default="text", help="text (default); diff: changes marked in place; html: a page that shows "
                        "them with their reasons; jsonl: one object per line, with rule, scores "
                        "and alternatives of each change; nbest: Moses' and Joshua's list")  # fmt: skip
    length = "length of the list for --output nbest (default: 10; with -c its top-n) or jsonl"
    parser.add_argument("--nbest", type=positive, metavar="K", help=length)
    parser.add_argument("--strength", type=float, metavar="X",
                        help="0 changes nothing but what --glossary names, 1 all that can be (default: 0.5, "
                        "the model as tuned)")  # fmt: skip
    parser.add_argument("--unwrap", action="store_true", help="join lines that were broken for width first: a "
                        "paragraph becomes one line, and all its sentences are whole")  # fmt: skip
    parser.add_argument("--tokenized", action="store_true", help="a line is one sentence, tokens between white space")
    parser.add_argument("--protect", metavar="FILE", help="words, phrases or /regular expressions/ never to be changed")
    parser.add_argument("--glossary", metavar="FILE", help="lines TERM = WORDS (always write WORDS for TERM; "
                        "alarmed = alarmed leaves a word alone), TERM != WORDS (never do; the next best may come), "
                        "!= WORD (never write it); forms by bars: buy|buys = get|gets")  # fmt: skip
    kinds = [field.name for field in fields(ProtectOptions)]
    parser.add_argument("--unprotect", action="append", default=[], metavar="KIND", choices=kinds,
                        help="let a kind of text be changed that is kept by default; may be given several times: "
                        f"{', '.join(kinds)}")  # fmt: skip
    add_jobs(parser)
    parser.add_argument(
        "--encoding", default="utf-8", help="of input, output, --protect and --glossary (default: %(default)s)"
    )
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    args = build_parser().parse_args(argv)
    files = args.files or [STDIO]
    _check_files(args, files)
    if not args.files and sys.stdin is not None and sys.stdin.isatty():
        _log.info("reading standard input; --help has examples")
    from sbmt.model import Model

    request = _request(args)
    model = None if args.config is not None else Model.load(args.model)
    _check_model(args, model)
    _write(args, request, files, _texts(args, files, model))


def _check_files(args: argparse.Namespace, files: Sequence[str]) -> None:
    """Raise SbmtError, before a line is written, for files that cannot be read or written."""
    for path in files:
        if " " in path and not is_there(path):
            raise SbmtError(f'{path}: no such file; to simplify a text write: echo "some text" | sbmt-decode')
        check_readable_file(path)
    lists = list(filter(None, [args.config, args.protect, args.glossary]))
    check_standard_input([*files, *lists])
    check_outputs([args.out], [*files, *lists])
    check_encoding(args.encoding)


def _texts(args: argparse.Namespace, files: Sequence[str], model: Model | None) -> list[Iterator[str]]:
    """Return the lines of each file; warns of tables, and for an English model of other languages as they are read."""
    from sbmt.text.checks.foreign import watched_for_foreign
    from sbmt.text.words.language import ENGLISH

    names = list(map(display_name, files))
    for path in filter(_TABLE.search, names):
        _log.warning("%s: is read as text, headers and all: for one column of a table see docs/decode.md", path)
    texts = [read_lines(path, args.encoding) for path in files]
    if model is not None and model.config.text.recase and model.config.text.language == ENGLISH.code:
        return list(map(watched_for_foreign, texts, names))
    return texts


def _write(args: argparse.Namespace, request: Request, files: Sequence[str], texts: Sequence[Iterator[str]]) -> None:
    """Write what is to be shown for each line, and log its warnings."""
    from sbmt.simplifier.formats import with_place
    from sbmt.simplifier.html import Page
    from sbmt.simplifier.stream import simplified_lines

    names = list(map(display_name, files))
    page = Page(files, codecs.lookup(args.encoding).name) if args.output == "html" else None  # its name on the web
    results = simplified_lines(request, *texts, names=names, jobs=args.jobs)
    written = [0] * len(files)  # number of lines of each file
    unit = "joined line" if args.unwrap else "line"
    with open_output(args.out, args.encoding) as out:
        out.write(page.head() if page else "")
        for text, shown, warnings in _with_progress(results, args.out):
            written[text] += 1
            if args.output == "jsonl" and len(files) > 1:
                shown = with_place(shown, writable(files[text]), written[text])
            out.write(f"{page.before(text) if page else ''}{shown}\n")
            if args.out == STDIO:
                out.flush()  # a reader may be waiting at the other end of a pipe
            if warnings:
                others = f" (and {len(warnings) - 1} more in it)" if len(warnings) > 1 else ""
                _log.warning("%s, %s %d: %s%s", names[text], unit, written[text], warnings[0], others)
        out.write(page.end() if page else "")


def _check_model(args: argparse.Namespace, model: Model | None) -> None:
    """Raise SbmtError for an output over a file of the model, and for a stream as the configuration of several jobs."""
    from sbmt.decoder.joshua.config import read_config

    if args.config is not None and is_stream(args.config):
        if args.jobs != 1:
            raise SbmtError(f"{args.config}: several --jobs cannot read one stream: put the configuration in a file")
    elif not is_stream(args.out):
        files = read_config(args.config).files if model is None else model.files()
        check_outputs([args.out], files)


def _request(args: argparse.Namespace) -> Request:
    from sbmt.simplifier.options import AS_TUNED, Options
    from sbmt.simplifier.stream import Request

    if args.config and args.strength is not None:
        raise SbmtError("--strength needs a model (-m): a Joshua configuration has its own weights and no other")
    if args.config and args.glossary is not None:
        raise SbmtError("--glossary needs a model (-m): a Joshua configuration takes tokens as they are")
    if args.unwrap and (args.config or args.tokenized):
        raise SbmtError("--unwrap needs text as people write it: of tokenised text a line is a sentence already")
    if args.output == "html":
        refuse_page_in_terminal(args.out)
    if args.nbest and args.output in ("text", "diff", "html"):
        raise SbmtError("--nbest needs --output nbest or jsonl")
    nbest = args.nbest or (10 if args.output == "nbest" and not args.config else 0)
    with settings_of_options():
        options = Options(
            tokenized=args.tokenized or args.config is not None,
            strength=AS_TUNED if args.strength is None else args.strength,
            unprotected=tuple(args.unprotect),
            patterns=read_patterns(args.protect, args.encoding) if args.protect is not None else (),
            glossary=read_glossary(args.glossary, args.encoding) if args.glossary is not None else NO_GLOSSARY,
            nbest=nbest,
            explain=args.output in ("html", "jsonl"),
        )
    return Request(
        model=args.model,
        joshua=args.config,
        options=options,
        output=args.output,
        colour=_has_colours(args.out),
        unwrap=args.unwrap,
    )


def _has_colours(out: str) -> bool:
    """Whether an output goes to a terminal with colours, and NO_COLOR is not set (https://no-color.org)."""
    return to_terminal(out) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _with_progress(results: Iterator[Printed], out: str) -> Iterator[Printed]:
    """Add a progress bar, unless the output goes to the same terminal."""
    return results if to_terminal(out) else progress(results, "simplifying", "lines")
