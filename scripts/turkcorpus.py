"""The TurkCorpus experiment: learn, tune, decode and compare (docs/turkcorpus.md).

    python scripts/turkcorpus.py --data DIR --out RUN --jobs 2
    python scripts/turkcorpus.py --data DIR --out RUN --quick      all steps on a small scale, in minutes
    python scripts/turkcorpus.py --data DIR --out RUN --develop    compare compositions on 400 sentences of tune

DIR is the folder of the corpora that docs/turkcorpus.md names (turkcorpus/, easse/, asset/, ppdb/ ...). RUN then has

    tables.md       all tables
    results.json    every figure with signature, interval and published value; rankings; the cost of each step
    outputs/NAME    one line per test sentence, cased and detokenised; NAME.seedN has the other tuning seeds
    models/NAME     the tuned models, for these texts only: rules that tune and test cannot use are left out
                    (--whole also makes models/NAME.whole, with all rules, for any text; that folder may be moved)
    steps/          finished steps: the same command continues from there

With --develop the systems learn from 1,600 sentences of tune and are scored on the other 400. Test is not opened, and
RUN has development.md, development.json, outputs/development-NAME and models/development-NAME.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from corpora import add_data
from experiment.composition import COMPOSITIONS, FULL, QUICK, VARIANTS, Composition, Scale
from experiment.figures import METRICS, all_figures, metric_times, quality_figures
from experiment.published import EASSE, PAPER
from experiment.run import BASELINES, Experiment
from experiment.split import TUNE, development_split, final_split
from experiment.systems import System, references_as_systems, released_systems
from experiment.tables import document, score_table
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import natural, positive
from sbmt.data.testsets import load_test_set
from sbmt.errors import SbmtError
from sbmt.io import open_output, write_lines

log = logging.getLogger(__name__)


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = script_parser(__doc__)
    add_data(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="RUN", help="folder of the run")
    parser.add_argument("--quick", action="store_true", help="200 tuning sentences, few iterations, one seed")
    parser.add_argument("--develop", action="store_true", help="score held-out sentences of tune instead of test")
    whole = "also write the tuned models with all their rules, for any text: models/NAME.whole"
    parser.add_argument("--whole", action="store_true", help=whole)
    parser.add_argument("--jobs", type=positive, default=2, metavar="N", help="processes (default: %(default)s)")
    seeds = "tuning seeds; the first makes outputs/NAME (default: 1 2 3; with --quick or --develop: 1)"
    parser.add_argument("--seeds", type=natural, nargs="+", metavar="S", help=seeds)
    tuned = (composition.name for composition in (*COMPOSITIONS, *VARIANTS))
    names = dict.fromkeys([*BASELINES, *tuned])
    help_text = "our systems to make, with what they need (default: all; with --develop: starter and best)"
    parser.add_argument("--systems", nargs="+", choices=list(names), help=help_text)
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the steps that are not done yet, then write the comparison."""
    args = build_parser().parse_args(argv)
    for name in (__name__, "experiment"):
        logging.getLogger(name).setLevel(logging.INFO)  # `command` does so for sbmt
    if len(set(args.seeds or ())) < len(args.seeds or ()):
        raise SbmtError("--seeds names a seed twice, which would count one run as two: give each seed once")
    args.seeds = args.seeds or ([1] if args.quick or args.develop else [1, 2, 3])
    possible = [c.name for c in VARIANTS] if args.develop else [*BASELINES, *(c.name for c in COMPOSITIONS)]
    for name in args.systems or ():
        if name not in possible:
            how = "without" if args.develop else "with"
            raise SbmtError(f"--systems {name} goes {how} --develop (here there are: {', '.join(possible)})")
    scale = QUICK if args.quick else FULL
    if args.develop:
        develop(args, scale)
    else:
        compare(args, scale)


def develop(args: argparse.Namespace, scale: Scale) -> None:
    """Compare compositions on the held-out sentences of tune."""
    split = development_split(args.data, scale.tune_sentences)
    experiment = Experiment(args.data, args.out, split, scale, args.jobs, args.seeds)
    chosen = _chosen(args.systems or ["starter", "best"], VARIANTS)
    held_out = split.decoded
    first = [references[0] for references in held_out.references]
    people = System("Turker 1", "references", (first,), reference=0)
    systems = [System("source", "references", (held_out.sources,)), people, *map(experiment.system, chosen)]
    if args.whole:
        experiment.write_whole(chosen)
    figures = all_figures(systems, {TUNE: held_out}, scale)
    _write(args.out / "development.json", {"seeds": args.seeds, "figures": [f.to_dict() for f in figures]})
    write_lines(args.out / "development.md", [score_table(figures, TUNE, METRICS[TUNE])])
    log.info("wrote %s", args.out / "development.md")


def compare(args: argparse.Namespace, scale: Scale) -> None:
    """Compare all systems on test."""
    split = final_split(args.data, scale.tune_sentences)
    experiment = Experiment(args.data, args.out, split, scale, args.jobs, args.seeds)
    test_sets = {name: load_test_set(name, args.data) for name in METRICS if name != TUNE}
    chosen = _chosen(args.systems, COMPOSITIONS)
    systems = [
        *references_as_systems(args.data, test_sets[EASSE], test_sets[PAPER]),
        *released_systems(args.data, len(test_sets[EASSE].sources)),
        *(experiment.baseline(name) for name in BASELINES if args.systems is None or name in args.systems),
        *map(experiment.system, chosen),
    ]
    if args.whole:
        experiment.write_whole(chosen)
    log.info("scoring %d systems", len(systems))
    figures = all_figures(systems, test_sets, scale)
    results = {
        "quick": args.quick,
        "seeds": args.seeds,
        "figures": [figure.to_dict() for figure in figures],
        "rankings": experiment.rankings(chosen),
        "quality": quality_figures(systems, test_sets[EASSE]),
        "quality_tokenised": quality_figures(systems, test_sets[PAPER]),
        "times": metric_times(systems, test_sets[PAPER]),
        "steps": experiment.steps.records,
    }
    _write(args.out / "results.json", results)
    with open_output(args.out / "tables.md") as stream:
        stream.write(document(results, figures))
    log.info("wrote %s", args.out / "tables.md")


def _chosen(names: Sequence[str] | None, compositions: Sequence[Composition]) -> list[Composition]:
    return [composition for composition in compositions if names is None or composition.name in names]


def _write(path: Path, content: Mapping[str, object]) -> None:
    with open_output(path) as stream:
        json.dump(content, stream, indent=1)


if __name__ == "__main__":
    raise SystemExit(main())
