#!/usr/bin/env python3
"""The TurkCorpus experiment: learn, tune, decode and compare (docs/turkcorpus.md).

    python scripts/turkcorpus.py --data DATA --out RUN --jobs 2
    python scripts/turkcorpus.py --data DATA --out RUN --quick      a small version, in minutes

DATA is the folder with turkcorpus/, easse/, asset/, ppdb/, indian-parallel-en/, lm-enwiki2015/ and what else
docs/turkcorpus.md names. RUN then holds

    results.json    every figure with signature, interval and published value; rankings; what each step cost
    tables.md       the same as tables
    outputs/NAME    a line a test sentence, cased and detokenised; NAME.seedN: of the other tuning seeds
    models/NAME     the tuned models; their grammars hold what tune and test can use, so they are for these texts
    steps/          what has been done so far: a second call goes on from there
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Sequence
from pathlib import Path

from experiment.composition import COMPOSITIONS, FULL, QUICK
from experiment.figures import METRICS, all_figures, metric_times, quality_figures
from experiment.published import EASSE, PAPER
from experiment.run import Experiment
from experiment.systems import references_as_systems, released_systems
from experiment.tables import document

from sbmt.cli.command import command
from sbmt.data.testsets import load_test_set
from sbmt.io import open_output

log = logging.getLogger(__name__)


def build_parser() -> argparse.ArgumentParser:
    """The command's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--out", type=Path, required=True, metavar="RUN", help="folder of the run")
    parser.add_argument("--quick", action="store_true", help="200 tuning sentences, few iterations, one seed")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: %(default)s)")
    seeds = "tuning seeds; the first one makes outputs/NAME (default: 1 2 3, quick: 1)"
    parser.add_argument("--seeds", type=int, nargs="+", metavar="S", help=seeds)
    names = [composition.name for composition in COMPOSITIONS]
    parser.add_argument("--systems", nargs="+", choices=names, default=names, help="which to tune (default: all)")
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run what has not been run, then write the comparison."""
    options = build_parser().parse_args(argv)
    scale = QUICK if options.quick else FULL
    seeds = options.seeds or ([1] if options.quick else [1, 2, 3])
    test_sets = {name: load_test_set(name, str(options.data)) for name in METRICS}
    experiment = Experiment(options.data, options.out, scale, options.jobs, seeds)
    chosen = [composition for composition in COMPOSITIONS if composition.name in options.systems]
    systems = [
        *references_as_systems(options.data, test_sets[EASSE], test_sets[PAPER]),
        *released_systems(options.data, len(test_sets[EASSE].sources)),
        *experiment.baselines(),
        *map(experiment.system, chosen),
    ]
    log.info("scoring %d systems", len(systems))
    figures = all_figures(systems, test_sets, scale)
    results = {
        "quick": options.quick,
        "seeds": seeds,
        "figures": [figure.to_dict() for figure in figures],
        "rankings": experiment.rankings(chosen),
        "quality": quality_figures(systems, test_sets[EASSE]),
        "times": metric_times(systems, test_sets[PAPER]),
        "steps": experiment.steps.records,
    }
    with open_output(options.out / "results.json") as stream:
        json.dump(results, stream, indent=1)
    with open_output(options.out / "tables.md") as stream:
        stream.write(document(results, figures))
    log.info("wrote %s", options.out / "tables.md")


if __name__ == "__main__":
    raise SystemExit(main())
