"""`sbmt-tune`: learn the weights of a model from sentences with references."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import DEFAULT_MODEL, add_jobs
from sbmt.cli.shared.parsers import add_named, natural, new_parser, number, positive
from sbmt.cli.tune.agreement import check_models, check_settings
from sbmt.cli.tune.settings import bounds, folds_of, settings_of, yaml_value
from sbmt.errors import SbmtError
from sbmt.paths import check_output_folder, is_same

if TYPE_CHECKING:
    from sbmt.model import Model
    from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)

_EXAMPLES = """\
  sbmt-tune --source tune.src --references tune.ref.0 tune.ref.1 --out RUN
  sbmt-tune --preset paper --source tune.src --references tune.ref. -m mymodel --out RUN --jobs 2
  sbmt-tune --metric fkbleu --without '*Syl*' --set pro.l2=0.01 --source S --references R -m mymodel --out RUN
  sbmt-tune --metric sari:easse+0.1*bleu:easse --source S --references R -m mymodel --out RUN
  sbmt-tune --source S --references R -m mymodel --out RUN --resume
  sbmt-tune --resume --out RUN
  sbmt-decode -m RUN < text"""


def build_parser() -> argparse.ArgumentParser:
    """Declare the options."""
    parser = new_parser("Learn a model's weights by pairwise ranking (PRO), MIRA or MERT against a metric.", _EXAMPLES)
    parser.add_argument("--source", type=Path, help="sentences to tune on, tokenised, one per line")
    parser.add_argument("--references", nargs="+", metavar="R", help="reference files, or one prefix of R0 R1 ...")
    parser.add_argument("-m", "--model", help=f"bundle to start from (default: {DEFAULT_MODEL})")
    parser.add_argument("--folds", metavar="FILE", help="fold of each sentence (0, 1, ...), for cross-fitted models")
    parser.add_argument("--fold-models", nargs="+", metavar="MODEL", help="bundle of each fold, learnt from the others")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="RUN", help="folder of the run; afterwards a model for every command"
    )
    metric = "metric to tune for, as sbmt-eval names it, or a sum of some (default: sari)"
    parser.add_argument("--metric", "--metrics", metavar="METRIC", help=metric)
    parser.add_argument("--tuner", choices=("pro", "mira", "mert"), help="how to learn (default: pro)")
    preset = (
        "settings to start from: default, joshua, paper, starter, or a YAML file (default: starter for -m starter, "
        "else default with the bounds of the run that made the model)"
    )
    parser.add_argument("--preset", metavar="NAME|FILE", help=preset)
    parser.add_argument("--iterations", type=positive, metavar="N", help="at most this many iterations")
    parser.add_argument("--nbest", type=positive, metavar="K", help="distinct outputs per sentence and iteration")
    parser.add_argument(
        "--held-out", type=float, metavar="SHARE", help="share of the sentences to choose the iteration by"
    )
    parser.add_argument("--seed", type=natural, metavar="S", help="of everything random")
    add_named(parser, "--fix", "NAME=NUMBER", "keep a weight (repeatable)", number, at_last=True)
    bound = "bound a weight, LOW or HIGH being empty where it has no such bound (repeatable)"
    add_named(parser, "--range", "NAME=LOW:HIGH", bound, bounds, at_last=True)
    parser.add_argument("--without", action="append", metavar="PATTERN", help="switch features off (repeatable)")
    setting = "any setting of the presets, e.g. min_new=0 or pro.tau=8000 (repeatable)"
    add_named(parser, "--set", "KEY=VALUE", setting, yaml_value)
    add_jobs(parser, "workers; 0: all there are (default: %(default)s)")
    parser.add_argument("--backend", default="loky", help="joblib backend: loky, or dask or ray for a cluster you have")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="address of the dask scheduler or ray cluster")
    resume = (
        "go on with the run in RUN (or in --out), also to more --iterations; other options must say what the run has; "
        "where there is no run yet, begin it"
    )
    parser.add_argument("--resume", nargs="?", const=True, metavar="RUN", help=resume)
    return parser


@command
def main(argv: Sequence[str] | None = None) -> None:
    """Start or resume a run; print its folder."""
    args = build_parser().parse_args(argv)
    from sbmt.tuning.workers import connected

    with connected(args.jobs, args.backend, args.scheduler) as workers:
        tuned = _start(args, workers) if args.resume is None else _resume(args, workers)
    print(tuned.folder)


def _start(args: argparse.Namespace, workers: Workers) -> Model:
    for option in ("source", "references", "out"):
        if getattr(args, option) is None:
            raise SbmtError(f"--{option} is needed to start a run (see --help for examples)")
    check_output_folder(args.out)
    from sbmt.cli.shared.evaluation_texts import expand_references
    from sbmt.model import Model
    from sbmt.tuning.presets import read_preset
    from sbmt.tuning.run import start_run

    references = [Path(path) for path in expand_references(args.references)]
    name = DEFAULT_MODEL if args.model is None else args.model
    model = Model.load(name)
    preset = _default_preset(name) if args.preset is None else read_preset(args.preset)
    return start_run(args.out, model, args.source, references, settings_of(args, preset), workers, folds_of(args))


def _default_preset(name: str) -> dict[str, Any]:
    """Return the settings for tuning a model when no preset is named."""
    from sbmt.tuning.presets import DEFAULT, preset_of, read_preset, restrictions_of

    preset, restrictions = preset_of(name), restrictions_of(name)
    if preset != DEFAULT:
        _log.info("the preset is %s, which keeps the weights in bounds (--preset %s frees them)", preset, DEFAULT)
    if restrictions:
        message = "what is fixed, bounded or switched off in the run %s stays so (--preset %s frees the weights)"
        _log.info(message, name, DEFAULT)
    return read_preset(preset) | restrictions


def _resume(args: argparse.Namespace, workers: Workers) -> Model:
    from sbmt.cli.shared.evaluation_texts import expand_references
    from sbmt.tuning.folder import RunFolder
    from sbmt.tuning.run import resume_run

    folder = args.out if args.resume is True else args.resume
    if not folder:  # empty if named by an unset shell variable
        raise SbmtError("--resume needs the run's folder (--resume RUN)")
    if args.out is not None and not is_same(args.out, folder):
        raise SbmtError(f"--resume {folder} goes on in that folder, not in --out {args.out}: leave --out out")
    run = RunFolder(folder)
    if not run.begun and args.source is not None and args.references is not None:
        args.out = Path(folder)
        return _start(args, workers)
    iterations = check_settings(args, run.settings())
    check_models(args, run.recorded_inputs())
    references = None if args.references is None else expand_references(args.references)
    return resume_run(folder, workers, iterations, source=args.source, references=references)
