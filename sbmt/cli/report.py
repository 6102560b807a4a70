"""`sbmt-report`: one HTML file on one or more systems, to read, to send, to print."""

from __future__ import annotations

import argparse
import json
import logging
import shlex
import sys
from collections.abc import Sequence, Set
from itertools import chain, combinations
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.command import command
from sbmt.cli.shared.evaluation_texts import (
    Texts,
    add_baseline,
    add_text_options,
    expand_references,
    missing_references,
    read_texts,
    remark_on_looks,
)
from sbmt.cli.shared.options import add_samples, refuse_page_in_terminal
from sbmt.cli.shared.parsers import natural, new_parser, positive
from sbmt.errors import SbmtError
from sbmt.io import open_output, writable, write_lines
from sbmt.paths import STDIO, check_outputs, is_same

if TYPE_CHECKING:
    from sbmt.evaluation.report.content import Report

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-report --source S --references R.0 R.1 --systems A B -o report.html
  sbmt-report --test-set turkcorpus-truecased/test --systems mine theirs --baseline theirs -o report.html
  sbmt-report --test-set asset/test --systems mine --figures figures.json --words words.jsonl -o report.html
  sbmt-report --source S --systems A -o report.html            without references: readability and what was changed
  sbmt-decode --output jsonl < S > A.jsonl; sbmt-report --source S --references R. --systems A.jsonl -o report.html

A system in sbmt-decode's JSON lines (.jsonl) also shows the rules behind each sentence. The page needs no network."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    from sbmt.evaluation.report.settings import Settings

    defaults = Settings()
    parser = new_parser("Write a report on simplifications as one self-contained HTML file.", _EXAMPLES)
    add_text_options(parser, "what is reported on", "outputs, or JSON lines (default: standard input)")
    how = parser.add_argument_group("how")
    how.add_argument(
        "--metrics",
        "--metric",
        nargs="+",
        metavar="METRIC",
        help="see sbmt-eval; without references the default is what needs none, fk:easse",
    )
    add_baseline(how, "test the others against this one (default: the first)")
    how.add_argument("--title", metavar="TEXT", help="the page's heading")
    how.add_argument(
        "--max-sentences",
        type=positive,
        default=defaults.max_sentences,
        help=f"sample more than these, or than {defaults.max_bytes / 1e6:g} MB of text (default: %(default)s)",
    )
    add_samples(how)
    seed = "of intervals, tests and the sample (default: %(default)s)"
    how.add_argument("--seed", type=natural, default=defaults.seed, help=seed)
    parser.add_argument("--figures", metavar="FILE", help="write the page's figures there as JSON")
    parser.add_argument(
        "--words",
        metavar="FILE",
        help="write there what became of each word, and the operations: a JSON line per sentence and system",
    )
    output = "default: standard output, unless that is a terminal"
    parser.add_argument("-o", "--output", default=STDIO, metavar="FILE", help=output)
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Parse, build, write."""
    args = build_parser().parse_args(argv)
    if args.source is None and args.test_set is None:
        raise SbmtError("give --source and --references (optional), or --test-set")
    refuse_page_in_terminal(args.output)
    _check_outputs(args)
    report = _build(args, sys.argv[1:] if argv is None else argv)
    if len(report.sentences) < report.total:
        _log.warning("%d of %d sentences, drawn at random, are reported on", len(report.sentences), report.total)
    _write(report, args)


def _build(args: argparse.Namespace, argv: Sequence[str]) -> Report:
    from threadpoolctl import threadpool_limits

    from sbmt.decoder.garbage_collection import collector_paused
    from sbmt.evaluation.report.build import build
    from sbmt.evaluation.report.settings import Settings
    from sbmt.metrics import get_metric

    texts = read_texts(args)
    metrics = _metrics(args.metrics, texts)
    remark_on_looks(map(get_metric, metrics), texts)
    sources = texts.sources or []
    references = texts.references or [[] for _ in sources]
    title = f"Simplification of {texts.test_set}" if texts.test_set else Settings().title
    settings = Settings(
        metrics=metrics,
        title=writable(args.title or title),
        baseline=texts.system(args.baseline),
        seed=args.seed,
        samples=args.samples,
        max_sentences=args.max_sentences,
        holm=args.holm,
        origin=_origin(args, argv),
    )
    # Nothing becomes garbage here: collections would only walk through all n-grams again and again.
    # Threads would wait for one another longer than these products take.
    with collector_paused(), threadpool_limits(1):
        return build(sources, references, texts.systems, settings)


def _write(report: Report, args: argparse.Namespace) -> None:
    """Write the page, and the figures and words if files are named for them."""
    from sbmt.evaluation.report.labelled import labelled
    from sbmt.evaluation.report.page import render

    with open_output(args.output) as out:
        out.write(render(report))
    if args.figures is not None:
        with open_output(args.figures) as out:
            json.dump(report.to_dict(), out, indent=1, ensure_ascii=False)
            out.write("\n")
    if args.words is not None:
        write_lines(args.words, (json.dumps(record, ensure_ascii=False) for record in labelled(report)))


def _metrics(named: Sequence[str] | None, texts: Texts) -> tuple[str, ...]:
    """Return the named metrics, or the default ones; without references, those default metrics that need none."""
    from sbmt.metrics import get_metric
    from sbmt.metrics.registry import DEFAULT_METRICS, each_variant

    chosen = tuple(dict.fromkeys(chain.from_iterable(map(each_variant, named or DEFAULT_METRICS))))
    lacking = [name for name in chosen if get_metric(name).needs_references and not texts.references]
    if lacking and named:
        raise missing_references(lacking[0], texts)
    if lacking:
        chosen = tuple(name for name in chosen if name not in lacking)
        _log.info("there are no references: the metric is %s, which needs none", ", ".join(chosen))
    return chosen


def _input_files(args: argparse.Namespace) -> dict[str, list[str]]:
    """Return the paths of the input files by kind."""
    return {
        "Source": [] if args.source is None else [args.source],
        "References": expand_references(args.references),
        "Systems": [system.path for system in args.systems],
    }


def _check_outputs(args: argparse.Namespace) -> None:
    """Raise SbmtError if two outputs have the same path, an output would overwrite an input, or is a folder."""
    options = {"-o": args.output, "--figures": args.figures, "--words": args.words}
    outputs = {option: path for option, path in options.items() if path is not None}
    for (option, path), (option2, path2) in combinations(outputs.items(), 2):
        if is_same(path, path2):
            raise SbmtError(f"two things would go to the same file: give {option} and {option2} two names")
    inputs: list[str | Path] = list(chain.from_iterable(_input_files(args).values()))
    if args.test_set is not None:
        from sbmt.data.testsets import set_files

        inputs += set_files(args.test_set, args.data_dir)
    check_outputs(outputs.values(), inputs)


def _origin(args: argparse.Namespace, argv: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return what the page says about its origin: test set, files and command, all paths without their folders."""
    files = {kind: ", ".join(Path(path).name for path in paths) for kind, paths in _input_files(args).items()}
    single = (args.source, args.data_dir, args.baseline, args.figures, args.words, args.output)
    paths = {path for path in (*single, *(args.references or ()), *(system.path for system in args.systems)) if path}
    words = [_without_folder(word, paths) for word in argv]
    origin = {"Test set": args.test_set, **files, "Command": shlex.join(["sbmt-report", *words])}
    return tuple((kind, writable(value)) for kind, value in origin.items() if value)


def _without_folder(word: str, paths: Set[str]) -> str:
    """Return a word of the command line; a path, also after -o, --option= or a system's NAME=, without its folder."""
    path = max((path for path in paths if word.endswith(path)), key=len, default="")
    before = word.removesuffix(path)
    if path and (before in ("", "-o") or before.endswith("=")):
        return before + (Path(path).name or path)
    return word
