"""sbmt-report: one HTML file on one or more systems, to read, to send, to print."""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Sequence

from sbmt.cli.command import command, natural, parser, positive
from sbmt.cli.evaluate import DEFAULT_METRICS
from sbmt.cli.texts import add_text_options, read_texts
from sbmt.errors import SbmtError
from sbmt.io import STDIO, open_output

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
    from sbmt.evaluation.report import Settings, System, build

    if not (arguments.source or arguments.test_set):
        raise SbmtError("give --source and --references, or --test-set")
    texts = read_texts(arguments)
    sources = texts.sources or []
    references = texts.references or [[] for _ in sources]
    systems = [System(name, outputs.lines, outputs.changes) for name, outputs in texts.systems.items()]
    title = f"Simplification of {texts.test_set}" if texts.test_set else "Simplification report"
    settings = Settings(
        metrics=tuple(arguments.metrics),
        title=arguments.title or title,
        baseline=texts.system(arguments.baseline),
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
