"""Compare tuning for SARI, BLEU and FKBLEU, with several seeds, with each tuner, and without simplification features.

    python scripts/study_tuning.py --data DIR --out FOLDER [--seeds 5] [--iterations 4] [--nbest 50] [--jobs 2]

Tunes the starter grammar on 1,600 sentences of TurkCorpus tune, starting from weights without any simplicity features,
and scores the other 400, which no run sees. Prints a Markdown table. The same command continues an interrupted study;
the number of iterations may be larger.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from corpora import add_data
from experiment.split import development_split
from experiment.text import write_tuning_set
from parsers import script_parser

from sbmt.cli.shared.command import command
from sbmt.cli.shared.parsers import positive
from sbmt.errors import SbmtError
from sbmt.metrics import get_metric
from sbmt.model import Model
from sbmt.simplifier import Simplifier
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.presets import load_preset
from sbmt.tuning.run import resume_run, start_run
from sbmt.tuning.workers import Workers

START = {"lm_0": 0.25, "WordPenalty": -0.1, "Changes": -0.2, "LabelClash": -3.0}
SIMPLICITY = ["*Syl*", "*Zipf*", "*Hard*", "*Common*", "*MaxWordLen*", "MaxDiff*", "*Char*", "WordLen*"]


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Run the study and print its table."""
    parser = script_parser(__doc__)
    add_data(parser)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=positive, default=5)
    parser.add_argument("--iterations", type=positive, default=4)
    parser.add_argument("--nbest", type=positive, default=50)
    parser.add_argument("--jobs", type=positive, default=2)
    args = parser.parse_args(argv)
    study = Study(args)
    rows = {"start weights": [study.figures(study.model)]}
    rows["SARI"] = [study.tuned(f"sari-{seed}", metric="sari", seed=seed) for seed in range(1, args.seeds + 1)]
    rows["SARI, by MIRA"] = [study.tuned("sari-mira", metric="sari", tuner="mira")]
    rows["SARI, by MERT"] = [study.tuned("sari-mert", metric="sari", tuner="mert")]
    rows["BLEU"] = [study.tuned("bleu", metric="bleu")]
    rows["FKBLEU"] = [study.tuned("fkbleu", metric="fkbleu")]
    rows["SARI, no simplification features"] = [study.tuned("sari-without", metric="sari", without=SIMPLICITY)]
    print("| tuned for | runs | SARI | range | BLEU | changed lines |\n|---|---|---|---|---|---|")
    for name, figures in rows.items():
        sari, bleu, changed = np.array(figures).T
        spread = f"{sari.min():.2f}-{sari.max():.2f}" if len(sari) > 1 else ""
        means = f"{sari.mean():.2f} | {spread} | {bleu.mean():.2f} | {100 * changed.mean():.0f} %"
        print(f"| {name} | {len(sari)} | {means} |")


class Study:
    """The data split, the model that all runs start from, and tuning and scoring of the runs."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.out: Path = args.out
        split = development_split(args.data, None)
        self.sources, self.references = split.decoded.sources, split.decoded.references
        write_tuning_set(split, self.out)
        starter = Model.load("starter")
        self.model = starter.replace(weights=START).save(self.out / "start")

    def tuned(self, name: str, **changes: Any) -> tuple[float, float, float]:
        """Tune (or resume) and return `figures`; raises SbmtError for a run with other settings."""
        run, workers = RunFolder(self.out / name), Workers(self.args.jobs)
        settings = load_preset("default", {"iterations": self.args.iterations, "nbest": self.args.nbest, **changes})
        if not run.begun:
            references = sorted(self.out.glob("reference.*"))
            return self.figures(start_run(run.path, self.model, self.out / "source", references, settings, workers))
        if replace(run.settings(), iterations=settings.iterations) != settings:
            raise SbmtError(f"{run.path}: was begun with other settings (remove it, or name another --out)")
        return self.figures(resume_run(run.path, workers, settings.iterations))

    def figures(self, model: Model) -> tuple[float, float, float]:
        """Return SARI and BLEU (EASSE's defaults) on raw text, and the share of lines that change."""
        simplifier = Simplifier.load(model.folder)
        outputs = [simplifier.simplify(line).output for line in self.sources]
        scores = []
        for name in ("sari:easse", "bleu:easse"):
            metric = get_metric(name)
            scores.append(metric.corpus(metric.count_outputs(self.sources, self.references, outputs)).value)
        changed = np.mean([a != b for a, b in zip(self.sources, outputs, strict=True)])
        return scores[0], scores[1], float(changed)


if __name__ == "__main__":
    raise SystemExit(main())
