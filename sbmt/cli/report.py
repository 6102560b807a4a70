"""sbmt-report: one HTML file on one or more systems, to read, to send, to print."""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbmt.cli.command import command, natural, parser, positive
from sbmt.cli.evaluate import DEFAULT_METRICS
from sbmt.cli.texts import add_text_options, expand_references
from sbmt.errors import FormatError, SbmtError
from sbmt.io import STDIO, open_output, read_lines, read_parallel

if TYPE_CHECKING:
    from sbmt.evaluation.report import System

EXAMPLES = """\
  sbmt-report --source S --references R.0 R.1 --systems A B -o report.html
  sbmt-report --test-set turkcorpus/test --systems mine theirs --baseline theirs -o report.html
  sbmt-report --test-set asset/test --systems mine --figures figures.json -o report.html
  sbmt-decode -m starter --output jsonl < S > A.jsonl; sbmt-report --source S --references R. --systems A.jsonl

A system in sbmt-decode's JSON lines (.jsonl) also shows the rules behind each sentence. The page needs no network."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    made = parser("Write a report on simplifications as one self-contained HTML file.", EXAMPLES)
    add_text_options(made, "what is reported on", "outputs, one a line, or sbmt-decode's .jsonl")
    how = made.add_argument_group("how")
    how.add_argument(
        "--metrics", "--metric", nargs="+", default=DEFAULT_METRICS, metavar="METRIC", help="see sbmt-eval"
    )
    how.add_argument("--baseline", metavar="SYSTEM", help="test the others against this one (default: the first)")
    how.add_argument("--title", metavar="TEXT", help="the page's heading")
    how.add_argument("--allow-empty", action="store_true", help="take empty outputs instead of stopping at one")
    how.add_argument("--max-sentences", type=positive, default=2000, help="sample more than these (default: 2000)")
    how.add_argument("--samples", type=natural, default=1000, help="bootstrap samples for intervals (0: none)")
    how.add_argument("--seed", type=natural, default=1)
    made.add_argument("--figures", metavar="FILE", help="write the page's figures there as JSON")
    made.add_argument("-o", "--output", default=STDIO, metavar="FILE", help="default: standard output")
    return made


@command
def main(argv: Sequence[str] | None = None) -> int:
    """Parse, build, write."""
    arguments = build_parser().parse_args(argv)
    from sbmt.evaluation.page import render
    from sbmt.evaluation.report import Settings, build

    title, sources, references = _test_set(arguments)
    systems = _systems(arguments, len(sources))
    names = {path: system.name for path, system in zip(arguments.systems, systems, strict=True)}
    settings = Settings(
        metrics=tuple(arguments.metrics),
        title=arguments.title or title,
        baseline=names.get(arguments.baseline, arguments.baseline),
        seed=arguments.seed,
        samples=arguments.samples,
        max_sentences=arguments.max_sentences,
    )
    gc.disable()  # nothing becomes garbage here: collections would only walk through all n-grams again and again
    try:
        report = build(sources, references, systems, settings)
    finally:
        gc.enable()
    with open_output(arguments.output) as out:
        out.write(render(report))
    if arguments.figures:
        with open_output(arguments.figures) as out:
            json.dump(report.to_dict(), out, indent=1, ensure_ascii=False)
            out.write("\n")
    return 0


def _test_set(arguments: argparse.Namespace) -> tuple[str, list[str], list[list[str]]]:
    """Return a title, the sources and their references."""
    if arguments.test_set and (arguments.source or arguments.references):
        raise SbmtError("give either --test-set or --source and --references")
    if arguments.test_set:
        from sbmt.data.testsets import load_test_set

        found = load_test_set(arguments.test_set, arguments.data_dir)
        return f"Simplification of {found.name}", found.sources, found.references
    if not arguments.source:
        raise SbmtError("give --source and --references, or --test-set")
    sources, *references = read_parallel([arguments.source, *expand_references(arguments.references)])
    if not references:
        return "Simplification report", sources, [[] for _ in sources]
    return "Simplification report", sources, [list(lines) for lines in zip(*references, strict=True)]


def _systems(arguments: argparse.Namespace, n: int) -> list[System]:
    """Read the outputs, named by their files' names where these differ."""
    from sbmt.evaluation.report import System

    paths = arguments.systems
    if len(set(paths)) < len(paths):
        raise SbmtError("a system is named twice")
    short = [path if path == STDIO else Path(path).name.removesuffix(".jsonl") for path in paths]
    names = short if len(set(short)) == len(short) else paths
    found = []
    for path, name in zip(paths, names, strict=True):
        outputs, changes = _read_jsonl(path) if path.endswith(".jsonl") else (list(read_lines(path)), None)
        if len(outputs) != n:
            raise FormatError(path, None, f"has {len(outputs)} lines, but there are {n} sources")
        blank = next((i for i, line in enumerate(outputs, 1) if not line.strip()), None)
        if blank and not arguments.allow_empty:
            raise FormatError(path, blank, "the output is empty", "--allow-empty takes it as it is")
        found.append(System(name, outputs, changes))
    return found


def _read_jsonl(path: str) -> tuple[list[str], list[list[dict[str, Any]]]]:
    outputs, changes = [], []
    for number, line in enumerate(read_lines(path), 1):
        try:
            record = json.loads(line)
            outputs.append(str(record["output"]))
            changes.append(list(record.get("changes", [])))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FormatError(path, number, "is not a line of sbmt-decode --output jsonl") from None
    return outputs, changes
