"""sbmt-eval: score outputs against sources and references, every figure with its convention."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from sbmt.cli.command import command, natural, parser
from sbmt.cli.texts import add_text_options, expand_references
from sbmt.errors import FormatError, SbmtError
from sbmt.io import check_parallel, read_parallel

if TYPE_CHECKING:
    from sbmt.metrics.tables import Table

DEFAULT_METRICS = ["sari:easse", "bleu:easse", "fk:easse"]

EXAMPLES = """\
  sbmt-decode -m starter < test.src | sbmt-eval --test-set turkcorpus/test --metrics sari:star bleu:xu2016
  sbmt-eval --source S --references R0 R1 R2 --systems A B --baseline A
  sbmt-eval --source S --references R. --systems A --metrics sari:xu2016 fkbleu:xu2016 --json
  sbmt-eval --test-set asset/test --systems A -b --metrics sari

metrics: NAME[:VARIANT][,OPTION=VALUE...], or MODULE:FUNCTION for a function(source, output, references) of your own;
`--list-metrics` names them, docs/metrics.md explains them."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    made = parser("Score simplifications: SARI, BLEU, FKBLEU and others, each under a named convention.", EXAMPLES)
    add_text_options(made, "what is scored", "outputs, `-` for standard input (the default)")
    how = made.add_argument_group("how")
    how.add_argument("--metrics", "--metric", nargs="+", default=DEFAULT_METRICS, metavar="METRIC")
    how.add_argument("--list-metrics", action="store_true", help="name all metrics, variants and options, and exit")
    how.add_argument(
        "--tokenizer", metavar="NAME", help="tokenise by this (13a, nist, none, ptb), not as the variant does"
    )
    how.add_argument("--case", choices=["lc", "mixed"], help="lower-case, or not, against the variant")
    how.add_argument(
        "--blank",
        choices=["absent", "counted"],
        default="absent",
        help="a blank reference line is no reference, or an empty one (default: absent)",
    )
    how.add_argument("--allow-empty", action="store_true", help="score empty outputs instead of stopping at one")
    how.add_argument("--baseline", metavar="SYSTEM", help="test every other system against this one")
    how.add_argument("--test", choices=["permutation", "bootstrap"], default="permutation", help="the paired test")
    how.add_argument("--samples", type=natural, default=1000, help="bootstrap samples for intervals (0: none)")
    how.add_argument("--seed", type=natural, default=1)
    shown = made.add_argument_group("output").add_mutually_exclusive_group()
    shown.add_argument("-b", "--brief", action="store_true", help="bare numbers, a line a system")
    shown.add_argument("--json", action="store_true")
    shown.add_argument("--csv", action="store_true")
    shown.add_argument("--latex", action="store_true")
    made.add_argument("--sentence-level", action="store_true", help="a score for each sentence (table, JSON or CSV)")
    made.add_argument("-w", "--width", type=natural, default=2, help="decimals (default: 2; JSON and CSV have all)")
    return made


@command
def main(argv: Sequence[str] | None = None) -> int:
    """Parse, score, print."""
    arguments = build_parser().parse_args(argv)
    if arguments.list_metrics:
        _list_metrics(sys.stdout)
        return 0
    _write(_score(arguments), arguments, sys.stdout)
    return 0


def _score(arguments: argparse.Namespace) -> Table:
    from sbmt.metrics import Resampling, evaluate, get_metric

    if arguments.sentence_level and (arguments.brief or arguments.latex):
        raise SbmtError("--sentence-level goes with the table, --json or --csv")
    options = {"tok": arguments.tokenizer, "case": arguments.case, "blank": arguments.blank}
    chosen = {option: value for option, value in options.items() if value}
    metrics = {name: get_metric(name, **chosen) for name in arguments.metrics}
    sources, references, systems = _read(arguments)
    for name, metric in metrics.items():
        if metric.needs_source and sources is None:
            raise SbmtError(f"{name} needs the sources (--source or --test-set)")
        if metric.needs_references and references is None:
            raise SbmtError(f"{name} needs references (--references or --test-set)")
    n = len(next(iter(systems.values())))
    sources, references = sources or [""] * n, references or [[]] * n
    resampling = Resampling(arguments.samples, arguments.seed, arguments.baseline, arguments.test)
    results = {name: evaluate(metric, sources, references, systems, resampling) for name, metric in metrics.items()}
    return {system: {name: results[name][system] for name in metrics} for system in systems}


def _read(arguments: argparse.Namespace) -> tuple[list[str] | None, list[list[str]] | None, dict[str, list[str]]]:
    """Read all files side by side, so that a difference in length names the file."""
    if len(set(arguments.systems)) < len(arguments.systems):
        raise SbmtError("a system is named twice")
    if arguments.test_set and (arguments.source or arguments.references):
        raise SbmtError("give either --test-set or --source and --references")
    if arguments.test_set:
        from sbmt.data.testsets import load_test_set

        test_set = load_test_set(arguments.test_set, arguments.data_dir)
        columns = read_parallel(arguments.systems)
        check_parallel({test_set.name: test_set.sources, **dict(zip(arguments.systems, columns, strict=True))})
        return test_set.sources, test_set.references, _check_outputs(arguments, columns)
    files = expand_references(arguments.references)
    head = [arguments.source] if arguments.source else []
    columns = read_parallel([*head, *files, *arguments.systems])
    outputs = _check_outputs(arguments, columns[len(head) + len(files) :])
    references = columns[len(head) : len(head) + len(files)]
    return (
        columns[0] if head else None,
        [list(lines) for lines in zip(*references, strict=True)] if files else None,
        outputs,
    )


def _check_outputs(arguments: argparse.Namespace, columns: Sequence[list[str]]) -> dict[str, list[str]]:
    for name, lines in zip(arguments.systems, columns, strict=True):
        if not lines:
            raise FormatError(name, None, "is empty")
        blank = next((i for i, line in enumerate(lines, 1) if not line.strip()), None)
        if blank and not arguments.allow_empty:
            raise FormatError(name, blank, "the output is empty", "--allow-empty scores it as it is")
    return dict(zip(arguments.systems, columns, strict=True))


def _list_metrics(out: IO[str]) -> None:
    from sbmt.metrics import METRICS

    for name, metric in METRICS.items():
        print(f"{name}: {', '.join(f'{name}:{variant}' for variant in metric.variants)}", file=out)
        print(f"    options: {', '.join(metric.options())}", file=out)


def _write(table: Table, arguments: argparse.Namespace, out: IO[str]) -> None:
    from sbmt.metrics import tables

    if arguments.json:
        tables.write_json(table, out, arguments.sentence_level)
    elif arguments.sentence_level:
        tables.write_sentences(table, out, "," if arguments.csv else "\t")
    elif arguments.csv:
        tables.write_csv(table, out)
    elif arguments.latex:
        tables.write_latex(table, out, arguments.width)
    elif arguments.brief:
        tables.write_brief(table, out, arguments.width)
    else:
        tables.write_table(table, out, arguments.width)
