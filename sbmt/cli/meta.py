"""`sbmt-meta`: how far metrics agree with people: published studies recomputed, next to the papers' figures."""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import refuse_unused
from sbmt.cli.shared.parsers import natural, new_parser
from sbmt.cli.shared.records import OUTPUT_KEY
from sbmt.cli.shared.systems import Reading, SystemFile, read_systems, system_file
from sbmt.errors import counted
from sbmt.paths import check_output_folder

if TYPE_CHECKING:
    from sbmt.evaluation.studies.table import Study

_log = logging.getLogger(__name__)


class _Study(NamedTuple):
    """A study: its subject, the sets of `sbmt-data get` that it reads, and the options that it uses."""

    about: str
    reads: str
    uses: tuple[str, ...]


_OF_RATINGS = ("metrics", "plots")
STUDIES = {  # by name, which is that of its module
    "asset": _Study(
        "ASSET: preferences between references, metrics against ratings",
        "asset asset-ratings turkcorpus-truecased/test",
        ("data", *_OF_RATINGS),
    ),
    "assetann": _Study(
        "ASSETann: operations, what SARI's parts follow, scores on subsets",
        "asset/test assetann assetann-annotations; easse-outputs for Table 4, which else has your --systems alone",
        ("data", "pairs", "systems", "output_key"),
    ),
    "ats-eval": _Study("ATS-EVAL: reading comprehension", "ats-eval", ("data", *_OF_RATINGS, "spans")),
    "qats": _Study("QATS: quality labels", "qats-labels; qats-test-labels for the test pairs", ("data", *_OF_RATINGS)),
    "own-ratings": _Study("metrics against ratings of your own", "", (*_OF_RATINGS, "ratings", "aspects")),
}
_USED_BY = {  # options that not every study uses
    option: [name for name, study in STUDIES.items() if option in study.uses]
    for option in dict.fromkeys(chain.from_iterable(study.uses for study in STUDIES.values()))
}
_READ = "\n".join(f"  {name:11}{study.reads}" for name, study in STUDIES.items() if study.reads)
_EXAMPLES = f"""\
  sbmt-meta asset --data corpora
  sbmt-meta ats-eval --data corpora --json
  sbmt-meta asset --data corpora --metrics sari:xu2016 my.module:metric --plots plots
  sbmt-meta assetann --data corpora --systems mine theirs.jsonl     SARI on ASSETann's subsets of your outputs, too
  sbmt-meta own-ratings --ratings ratings.csv --metrics sari:xu2016 --plots plots

What each reads, by sbmt-data get NAMES --data-dir corpora:
{_READ}
Text and JSON (`missing`) say what is left out because it is not there.

docs/evaluation.md says what each study holds."""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser("Recompute studies of what scores mean.", _EXAMPLES)
    parser.add_argument(
        "study", choices=STUDIES, help="; ".join(f"{name}: {study.about}" for name, study in STUDIES.items())
    )
    parser.add_argument(
        "--data",
        "--data-dir",
        dest="data",
        metavar="DIR",
        help="the data folder, as sbmt-data fills it (default: $SBMT_DATA)",
    )
    parser.add_argument(
        "--metrics",
        "--metric",
        nargs="+",
        default=[],
        metavar="METRIC",
        help="metrics beside the paper's; own-ratings: instead of the default ones",
    )
    _add_ratings(parser)
    _add_for_papers(parser)
    _add_output(parser)
    parser.add_argument("--seed", type=natural, default=1, help="of all that is drawn at random (default: %(default)s)")
    return parser


def _add_ratings(parser: argparse.ArgumentParser) -> None:
    """What the study of the user's own ratings reads."""
    parser.add_argument(
        "--ratings",
        metavar="FILE",
        help="own-ratings: a table (CSV, or .tsv) with columns source, output, reference, reference2 ..., and a "
        "column of ratings, which are numbers, for each aspect; or aspect and rating, with a row for each",
    )
    parser.add_argument(
        "--aspects",
        nargs="+",
        default=[],
        metavar="NAME",
        help="own-ratings: use these (default: all columns of numbers but ids and those of a single number)",
    )


def _add_for_papers(parser: argparse.ArgumentParser) -> None:
    """What single studies of papers read beside the data folder."""
    parser.add_argument("--pairs", metavar="FILE", help="words that mean the same, for assetann's synonyms (PPDB's)")
    parser.add_argument("--spans", metavar="DIR", help="OneStopQA's annotated articles, for ats-eval's section 5.3")
    parser.add_argument(
        "--systems",
        nargs="+",
        type=system_file,
        default=[],
        metavar="[NAME=]FILE",
        help="outputs for ASSET's test set, for assetann's subsets",
    )
    parser.add_argument(
        "--output-key", default=OUTPUT_KEY, metavar="KEY", help="of the output in JSON lines (default: %(default)s)"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="figures at full precision")
    shape.add_argument("--csv", action="store_true", help="the same, one row per figure")
    parser.add_argument("--plots", metavar="DIR", help="write scatter plots (SVG) there; not for assetann")


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Parse, compute, print."""
    parser = build_parser()
    args = parser.parse_args(argv)
    refuse_unused(args, parser, args.study, _USED_BY)
    if args.plots:
        check_output_folder(args.plots)
    import numpy as np

    from sbmt.data.testsets import data_folder
    from sbmt.evaluation.studies.request import Request
    from sbmt.metrics.registry import each_variant

    module = importlib.import_module(f"sbmt.evaluation.studies.{args.study.replace('-', '_')}")
    rng = np.random.default_rng(args.seed)
    folder = str(data_folder(args.data)) if "data" in STUDIES[args.study].uses else ""
    systems = _read_systems(args.systems, args.output_key, folder) if args.systems else {}
    request = Request(
        folder,
        rng,
        metrics=tuple(chain.from_iterable(map(each_variant, args.metrics))),
        pairs=args.pairs,
        spans=args.spans,
        systems=systems,
        ratings=args.ratings,
        aspects=tuple(args.aspects),
    )
    _write(module.study(request), args)


def _write(study: Study, args: argparse.Namespace) -> None:
    """Print a study in the form named, and draw its plots."""
    from sbmt.evaluation.studies.text import write_csv, write_text

    if args.json:
        json.dump(study.to_dict(), sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    elif args.csv:
        write_csv(study, sys.stdout)
    else:
        write_text(study, sys.stdout)
    if args.plots:
        from sbmt.evaluation.studies.scatter import draw

        drawn = draw(study, Path(args.plots))
        _log.info("wrote %s to %s", counted(len(drawn), "plot"), args.plots)


def _read_systems(files: Sequence[SystemFile], output_key: str, folder: str) -> dict[str, list[str]]:
    """Outputs for ASSET's test set, by system; an empty one is scored as such."""
    from sbmt.data.testsets import load_test_set
    from sbmt.evaluation.studies.files import data_root

    whole = load_test_set("asset/test", data_root("assetann-annotations", folder))
    reading = Reading(allow_empty=True, output_key=output_key)
    systems = read_systems(files, whole.sources, {whole.name: whole.sources}, reading)
    return {system.name: system.outputs for system in systems}
