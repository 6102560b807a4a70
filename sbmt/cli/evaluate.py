"""`sbmt-eval`: score outputs against sources and references, each figure with its signature."""

from __future__ import annotations

import argparse
import logging
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.command import command
from sbmt.cli.shared.evaluation_texts import (
    Texts,
    add_baseline,
    add_text_options,
    missing_references,
    read_texts,
    remark_on_looks,
)
from sbmt.cli.shared.options import OptionGroup, add_samples
from sbmt.cli.shared.parsers import natural, new_parser
from sbmt.errors import FormatError, SbmtError
from sbmt.io import writable
from sbmt.paths import STDIO

if TYPE_CHECKING:
    from sbmt.metrics import AnyMetric
    from sbmt.metrics.result import Table

_log = logging.getLogger(__name__)

_MAX_DECIMALS = 17  # of a double

_EXAMPLES = """\
  sbmt-decode -m starter < test.truecase.detok.orig | sbmt-eval --test-set turkcorpus-truecased/test
  sbmt-eval --source S --references R0 R1 R2 --systems A B --baseline A
  sbmt-eval --source S --references R. --systems mine=run1 mine=run2 mine=run3 theirs --baseline theirs
  sbmt-eval --source S --references R. --systems A --metrics sari:xu2016 fkbleu:xu2016 --json
  sbmt-eval --test-set asset/test --systems A B --metrics sari quality:exact-copy quality:additions
  sbmt-eval --test-set asset/test --systems A -b --metrics sari
  sbmt-eval --systems before.txt after.txt --metrics fk:plain          how readable texts are, with nothing else

metrics: NAME[:VARIANT][,OPTION=VALUE...], or MODULE:FUNCTION for a function(source, output, references) of your own,
or one of lists of these, for neural metrics; `--list-metrics` names them, docs/metrics.md explains them."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser(
        "Score simplifications: SARI, BLEU, FKBLEU and others, each under a named convention.", _EXAMPLES
    )
    add_text_options(
        parser,
        "what is scored",
        "outputs, or JSON lines, sbmt-decode's or others; `-` for standard input (the default); files of one NAME are "
        "runs of one system, whose mean counts",
    )
    parser.add_argument("texts", nargs="*", help=argparse.SUPPRESS)  # refused, with a hint to use --systems
    how = parser.add_argument_group("how")
    _add_metrics(how)
    _add_tests(how)
    _add_output_options(parser)
    return parser


def _add_metrics(how: OptionGroup) -> None:
    from sbmt.metrics.base import Metric
    from sbmt.metrics.registry import DEFAULT_METRICS

    how.add_argument(
        "--metrics",
        "--metric",
        nargs="+",
        default=DEFAULT_METRICS,
        metavar="METRIC",
        help=f"separated by spaces (default: {' '.join(DEFAULT_METRICS)}); without :VARIANT the one that "
        "--list-metrics marks as default (EASSE's BLEU, which lower-cases, is bleu:easse); NAME:all is all of them",
    )
    how.add_argument(
        "--list-metrics", action="store_true", help="name all metrics, variants, options and their values, and exit"
    )
    how.add_argument(
        "--tokenizer", choices=Metric.choices["tok"], help="tokenise with this instead of each variant's own"
    )
    how.add_argument(
        "--case",
        choices=Metric.choices["case"],
        help="lower-case the text (lc) or not (mixed), whatever the variant says",
    )
    how.add_argument(
        "--blank",
        choices=Metric.choices["blank"],
        help="a blank reference line is no reference, or an empty one (default: absent)",
    )


def _add_tests(how: OptionGroup) -> None:
    """Declare the options of tests and intervals."""
    from sbmt.metrics.result import TESTS, Resampling
    from sbmt.metrics.significance import RESAMPLES, SWAPS

    defaults = Resampling()
    add_baseline(how, "test every other system against this one")
    how.add_argument(
        "--test",
        choices=TESTS,
        default=defaults.test,
        help=f"the paired test: {SWAPS:,} swaps (the default), or {RESAMPLES:,} resamples, whatever --samples says",
    )
    add_samples(how)
    how.add_argument(
        "--seed", type=natural, default=defaults.seed, help="of intervals and tests (default: %(default)s)"
    )


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    shown = output.add_mutually_exclusive_group()
    shown.add_argument("-b", "--brief", action="store_true", help="bare numbers, a line per system")
    shown.add_argument("--json", action="store_true")
    shown.add_argument("--csv", action="store_true")
    shown.add_argument("--latex", action="store_true")
    output.add_argument("--sentence-level", action="store_true", help="scores of each sentence (table, JSON or CSV)")
    output.add_argument(
        "-w",
        "--width",
        type=_decimals,
        help="decimals (default: 2, or 4 of figures between -1 and 1 that do not count to 100; JSON and CSV have all)",
    )


def _decimals(text: str) -> int:
    number = natural(text)
    if number > _MAX_DECIMALS:
        raise argparse.ArgumentTypeError(f"{number} is more than {_MAX_DECIMALS}")
    return number


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Parse, score, print."""
    args = build_parser().parse_args(argv)
    if args.list_metrics:
        _list_metrics()
    else:
        _write(*_score(args), args)


def _score(args: argparse.Namespace) -> tuple[Table, Texts]:
    from sbmt.metrics import Resampling, get_metric
    from sbmt.metrics.evaluate import score_table
    from sbmt.metrics.registry import each_variant
    from sbmt.metrics.result import corrected

    _check_options(args)
    options = {"tok": args.tokenizer, "case": args.case, "blank": args.blank}
    chosen = {option: value for option, value in options.items() if value}
    metrics = {name: get_metric(name, **chosen) for named in args.metrics for name in each_variant(named)}
    texts = read_texts(args, runs=True)
    for metric in metrics.values():
        _check_needs(metric, texts)
    remark_on_looks(metrics.values(), texts)
    systems, n = texts.runs(), len(texts.systems[0].outputs)
    sources, references = texts.sources or [""] * n, texts.references or [[]] * n
    baseline = texts.system(args.baseline)
    _warn_of_few_sentences(n, args)
    resampling = Resampling(args.samples, args.seed, baseline, args.test)
    table = score_table(metrics, sources, references, systems, resampling)
    return corrected(table) if args.holm else table, texts


def _check_options(args: argparse.Namespace) -> None:
    """Raise SbmtError for options that do not go together, and for texts that are not named by an option."""
    from sbmt.metrics.registry import DEFAULT_METRICS
    from sbmt.metrics.result import Resampling

    if args.texts:
        option = f"--systems {shlex.join(args.texts)}"
        hint = f" (readability alone: {option} --metrics fk:plain)" if args.metrics is DEFAULT_METRICS else ""
        raise SbmtError(f"outputs are named by --systems: {option}{hint}")
    if args.sentence_level and (args.brief or args.latex):
        raise SbmtError("--sentence-level goes with the table, --json or --csv")
    if args.sentence_level and args.baseline is not None and not args.json:
        raise SbmtError("--baseline tests corpus figures: leave out --sentence-level, or give --json, which has both")
    if args.brief and args.baseline is not None:
        raise SbmtError("--brief has no room for the p-values of --baseline: leave out one of the two")
    if args.test != Resampling().test and args.baseline is None:
        raise SbmtError("--test says how systems are tested against --baseline SYSTEM: name one")
    if args.holm and args.baseline is None:
        raise SbmtError("--holm corrects the p-values of tests against --baseline SYSTEM: name one")


def _check_needs(metric: AnyMetric, texts: Texts) -> None:
    """Raise SbmtError if the metric needs sources or references that are missing."""
    if metric.needs_source and texts.sources is None:
        raise SbmtError(f"{metric.name} needs the sources (--source or --test-set); fk:plain and length need none")
    if metric.needs_references and texts.references is None:
        raise missing_references(metric.name, texts)
    line = metric.first_without_reference(texts.references or [])
    if line:
        files, problem = ", ".join(texts.reference_names), f"all references are blank, and {metric.name} needs one"
        raise FormatError(texts.test_set or files, line, problem, "--blank counted takes blank lines for empty ones")


def _warn_of_few_sentences(sentences: int, args: argparse.Namespace) -> None:
    from sbmt.metrics.significance import ALPHA, smallest_p_value

    if args.samples and sentences == 1:
        _log.warning("a single sentence has no interval")
    if args.baseline and len(args.systems) > 1 and smallest_p_value(sentences) > ALPHA:
        least = smallest_p_value(sentences)
        _log.warning("too few sentences to tell systems apart: with %d no p-value is below %g", sentences, least)


def _list_metrics() -> None:
    from sbmt.metrics.registry import ALIASES, METRICS

    for name, metric in METRICS.items():
        first, *others = (f"{name}:{variant}" for variant in metric.variants)
        print(f"{name}: {', '.join([f'{first} (default)', *others])}")
        for option, values in metric.options().items():
            print(f"    {option}: {values}")
    for name, variant in ALIASES.items():
        print(f"{name}: another name of {variant}")


def _write(table: Table, texts: Texts, args: argparse.Namespace) -> None:
    from sbmt.metrics import tables
    from sbmt.metrics.latex import write_latex

    out, widths = sys.stdout, tables.decimals(table)
    if args.width is not None:
        widths = dict.fromkeys(widths, args.width)
    if args.json:
        tables.write_json(table, out, _origin(texts, args), args.sentence_level)
    elif args.sentence_level and args.csv:
        tables.write_sentence_csv(table, out)
    elif args.sentence_level:
        tables.write_sentences(table, out, widths)
    elif args.csv:
        tables.write_csv(table, out, texts.test_set)
    elif args.latex:
        write_latex(table, out, widths, texts.test_set)
    elif args.brief:
        tables.write_brief(table, out, widths)
    else:
        tables.write_table(table, out, widths, texts.test_set)


def _origin(texts: Texts, args: argparse.Namespace) -> dict[str, dict[str, object]]:
    """Return what each system's figures were computed from: test set, number of sentences, SHA-256 of the files."""
    from sbmt.data.testsets import set_files
    from sbmt.files import sha256

    def hashes(paths: Iterable[str | Path]) -> dict[str, str]:
        """Return the hashes of those that are files; streams cannot be read again."""
        return {writable(str(path)): sha256(path) for path in paths if path != STDIO and Path(path).is_file()}

    if texts.test_set:
        shared = hashes(set_files(texts.test_set, args.data_dir))
    else:
        shared = hashes(path for path in (args.source, *texts.reference_names) if path)
    common: dict[str, object] = {"test_set": texts.test_set} if texts.test_set else {}
    common["sentence_count"] = len(texts.systems[0].outputs)
    origins = {}
    for name in texts.runs():
        outputs = (system.path for system in texts.systems if system.name == name)
        origins[name] = common | {"files": shared | hashes(outputs)}
    return origins
