"""`sbmt-tune`: learn the weights of a model from sentences with references."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import add_jobs
from sbmt.cli.shared.parsers import add_named, natural, new_parser, number, positive
from sbmt.config import ConfigError
from sbmt.errors import FormatError, SbmtError
from sbmt.paths import check_output_folder, is_same

if TYPE_CHECKING:
    from sbmt.model import Model
    from sbmt.tuning.folds import Folds
    from sbmt.tuning.inputs import Inputs
    from sbmt.tuning.settings import TuneSettings
    from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)

_PLAIN = ("metric", "tuner", "iterations", "nbest", "seed", "held_out", "without")  # options that are a setting each
_OF_WEIGHTS = {"fixed": "--fix", "ranges": "--range", "without": "--without"}  # settings that name weights
_OPTIONS = {**{name: f"--{name.replace('_', '-')}" for name in _PLAIN}, **_OF_WEIGHTS}  # by what they set
_CURE = "leave it out, or start another run"
_CHANGEABLE = "iterations"  # what a run may be resumed with another value of
_MODEL = "starter"  # to start from
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
    parser.add_argument("--source", type=Path, help="sentences to tune on, tokenised, one a line")
    parser.add_argument("--references", nargs="+", metavar="R", help="reference files, or one prefix of R0 R1 ...")
    parser.add_argument("-m", "--model", help=f"bundle to start from (default: {_MODEL})")
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
    parser.add_argument("--nbest", type=positive, metavar="K", help="distinct outputs a sentence and iteration")
    parser.add_argument(
        "--held-out", type=float, metavar="SHARE", help="share of the sentences to choose the iteration by"
    )
    parser.add_argument("--seed", type=natural, metavar="S", help="of everything random")
    add_named(parser, "--fix", "NAME=NUMBER", "keep a weight (repeatable)", number, at_last=True)
    bound = "bound a weight, LOW or HIGH being empty where it has no such bound (repeatable)"
    add_named(parser, "--range", "NAME=LOW:HIGH", bound, _bounds, at_last=True)
    parser.add_argument("--without", action="append", metavar="PATTERN", help="switch features off (repeatable)")
    add_named(parser, "--set", "KEY=VALUE", "any setting, e.g. pro.tau=8000", _yaml_value)
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
    name = _MODEL if args.model is None else args.model
    model = Model.load(name)
    preset = _preset_of(name) if args.preset is None else read_preset(args.preset)
    return start_run(args.out, model, args.source, references, _settings(args, preset), workers, _folds(args))


def _preset_of(name: str) -> dict[str, Any]:
    """The settings that tuning a model starts from where none are named."""
    from sbmt.tuning.presets import DEFAULT, preset_of, read_preset, restrictions_of

    preset, kept = preset_of(name), restrictions_of(name)
    if preset != DEFAULT:
        _log.info("the preset is %s, which keeps the weights in bounds (--preset %s frees them)", preset, DEFAULT)
    if kept:
        message = "what is fixed, bounded or switched off in the run %s stays so (--preset %s frees the weights)"
        _log.info(message, name, DEFAULT)
    return read_preset(preset) | kept


def _resume(args: argparse.Namespace, workers: Workers) -> Model:
    from sbmt.cli.shared.evaluation_texts import expand_references
    from sbmt.tuning.folder import RunFolder
    from sbmt.tuning.run import resume_run

    folder = args.out if args.resume is True else args.resume
    if not folder:  # named by a variable of the shell that is not set
        raise SbmtError("--resume needs the run's folder (--resume RUN)")
    if args.out is not None and not is_same(args.out, folder):
        raise SbmtError(f"--resume {folder} goes on in that folder, not in --out {args.out}: leave --out out")
    run = RunFolder(folder)
    if not run.begun and args.source is not None and args.references is not None:
        args.out = Path(folder)
        return _start(args, workers)
    iterations = _check_settings(args, run.settings())
    _check_models(args, run.recorded_inputs())
    references = None if args.references is None else expand_references(args.references)
    return resume_run(folder, workers, iterations, source=args.source, references=references)


def _check_settings(args: argparse.Namespace, own: TuneSettings) -> int | None:
    """Refuse to resume a run under settings that are not its own, but for the iterations; none need be given.

    Returns the number of iterations, if that is.
    """
    from sbmt.config import plain
    from sbmt.tuning.presets import read_preset

    is_own = args.preset is None
    given = _settings(args, plain(own) if is_own else read_preset(args.preset), releasing=not is_own)
    now, then = _by_name(given), _by_name(own)
    for name in {**now, **then}:
        value, own_value = now.get(name, "not given"), then.get(name, "none")
        if name != _CHANGEABLE and value != own_value:
            raise SbmtError(f"--resume: {name} is {value}, and the run has {own_value}: {_CURE}")
    return given.iterations if _CHANGEABLE in _changes(args) or not is_own else None


def _by_name(settings: TuneSettings) -> dict[str, Any]:
    """Settings by name, those of sections by SECTION.NAME."""
    from sbmt.config import plain

    named: dict[str, Any] = {}
    for key, value in plain(settings).items():
        named |= {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
    return named


def _check_models(args: argparse.Namespace, own: Inputs) -> None:
    """Refuse to resume a run with models or folds that are not its own; none need be given."""
    from sbmt.model import Model

    folds = _folds(args)
    if args.model is not None:
        _check_files("--model", [Model.load(args.model)], own, own.models[:1])
    if folds:
        _check_files("--fold-models", folds.models, own, own.models[1:])
        if folds.fold != tuple(own.folds):
            raise SbmtError(f"--resume: --folds ({args.folds}) has other numbers than the run: {_CURE}")


def _check_files(option: str, models: Sequence[Model], own: Inputs, names: Sequence[Sequence[str]]) -> None:
    """Refuse models of other files than the run's, which have these `names`, unless they hold the same."""
    given = [path for model in models for path in model.files()]
    if other := own.other(given, list(chain.from_iterable(names))):
        raise SbmtError(f"--resume: {option} is {other[0]}, and the run has {other[1]}: {_CURE}")


def _folds(args: argparse.Namespace) -> Folds | None:
    from sbmt.model import Model
    from sbmt.tuning.folds import Folds

    if bool(args.folds) != bool(args.fold_models):
        raise SbmtError("--folds and --fold-models go together: the fold of each sentence, and the bundle of each fold")
    if not args.folds:
        return None
    return Folds.read(args.folds, [Model.load(name) for name in args.fold_models])


def _settings(args: argparse.Namespace, preset: Mapping[str, Any], *, releasing: bool = True) -> TuneSettings:
    """Settings of a preset as options change them (see `with_changes`); raises SbmtError naming the option to mend."""
    from sbmt.tuning.presets import with_changes

    changes = _changes(args)
    try:
        settings = with_changes(preset, changes, releasing=releasing)
    except ConfigError as error:
        problem = str(error)  # begins with the setting
        key = max(filter(problem.startswith, changes), key=len, default="")
        option = "--set" if key in args.set else _OPTIONS.get(key, "--set")
        raise SbmtError(f"tuning settings: {problem} ({option})") from None
    _check_once(changes)
    return settings


def _changes(args: argparse.Namespace) -> dict[str, Any]:
    """What options change of a preset; raises SbmtError for what two of them give."""
    changes: dict[str, Any] = {}
    if args.fix:
        changes["fixed"] = args.fix
    if args.range:
        changes["ranges"] = args.range
    for name in _PLAIN:
        if getattr(args, name) is not None:
            changes[name] = getattr(args, name)
    for key in args.set:
        if key in changes:
            raise SbmtError(f"{_OPTIONS[key]} and --set both give {key}: leave one of them out")
    changes.update(args.set)
    return changes


def _bounds(text: str) -> list[float | None]:
    """The bounds that LOW:HIGH gives: one that is empty or infinite is none; raises ValueError for another form."""
    low, high = text.split(":")
    return [None if low in ("", "-inf") else number(low), None if high in ("", "inf", "+inf") else number(high)]


def _yaml_value(text: str) -> Any:
    """A value as YAML has it: a number, true, [a, b], or text, also none; raises SbmtError for what is no YAML."""
    from sbmt.config import parse_yaml

    try:
        return parse_yaml(text, "") if text else ""
    except FormatError:
        raise SbmtError(f"{text!r} is no YAML value; quote it") from None


def _check_once(changes: Mapping[str, Any]) -> None:
    """Refuse a setting that is given with its section, and a weight that options treat in two ways."""
    treated: dict[str, str] = {}
    for key, value in changes.items():
        section, dot, rest = key.partition(".")
        if section not in _OF_WEIGHTS:
            if dot and section in changes:
                raise SbmtError(f"--set gives both {section} and {key}: leave one of them out")
            continue
        option = f"--set {key}" if dot else _OF_WEIGHTS[section]
        for name in [rest] if dot else map(str, value):
            if treated.setdefault(name, option) != option:
                raise SbmtError(f"{treated[name]} and {option} both name {name}: leave one of them out")
