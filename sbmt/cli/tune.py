"""`sbmt-tune`: learn the weights of a model from sentences with references."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbmt.cli.shared.command import command
from sbmt.cli.shared.options import DEFAULT_MODEL, add_jobs
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

_PLAIN = ("metric", "tuner", "iterations", "nbest", "seed", "held_out", "without")  # settings named like their options
_OF_WEIGHTS = {"fixed": "--fix", "ranges": "--range", "without": "--without"}  # settings that name weights
_OPTIONS = {**{name: f"--{name.replace('_', '-')}" for name in _PLAIN}, **_OF_WEIGHTS}  # setting -> option
_CURE = "leave it out, or start another run"
_CHANGEABLE = "iterations"  # the only setting that may change when a run is resumed
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
    parser.add_argument("--nbest", type=positive, metavar="K", help="distinct outputs a sentence and iteration")
    parser.add_argument(
        "--held-out", type=float, metavar="SHARE", help="share of the sentences to choose the iteration by"
    )
    parser.add_argument("--seed", type=natural, metavar="S", help="of everything random")
    add_named(parser, "--fix", "NAME=NUMBER", "keep a weight (repeatable)", number, at_last=True)
    bound = "bound a weight, LOW or HIGH being empty where it has no such bound (repeatable)"
    add_named(parser, "--range", "NAME=LOW:HIGH", bound, _bounds, at_last=True)
    parser.add_argument("--without", action="append", metavar="PATTERN", help="switch features off (repeatable)")
    setting = "any setting of the presets, e.g. min_new=0 or pro.tau=8000 (repeatable)"
    add_named(parser, "--set", "KEY=VALUE", setting, _yaml_value)
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
    return start_run(args.out, model, args.source, references, _settings(args, preset), workers, _folds(args))


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
    iterations = _check_settings(args, run.settings())
    _check_models(args, run.recorded_inputs())
    references = None if args.references is None else expand_references(args.references)
    return resume_run(folder, workers, iterations, source=args.source, references=references)


def _check_settings(args: argparse.Namespace, run_settings: TuneSettings) -> int | None:
    """Raise SbmtError if options ask for other settings than the run's, except for the number of iterations.

    Returns that number if options or a preset give it.
    """
    from sbmt.config import plain
    from sbmt.tuning.presets import read_preset

    has_preset = args.preset is not None
    base = read_preset(args.preset) if has_preset else plain(run_settings)
    requested = _settings(args, base, releasing=has_preset)
    values, run_values = _flattened(requested), _flattened(run_settings)
    for name in {**values, **run_values}:
        value, run_value = values.get(name, "not given"), run_values.get(name, "none")
        if value == run_value or name == _CHANGEABLE or (name == "metric" and _is_same_metric(value, run_value)):
            continue
        cure = f"leave {_option_of(name, args)} out, or start another run"
        raise SbmtError(f"--resume: {name} is {value}, and the run has {run_value}: {cure}")
    return requested.iterations if _CHANGEABLE in _changes(args) or has_preset else None


def _flattened(settings: TuneSettings) -> dict[str, Any]:
    """Return settings by name, those of sections by SECTION.NAME."""
    from sbmt.config import plain

    flat: dict[str, Any] = {}
    for key, value in plain(settings).items():
        flat |= {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def _is_same_metric(first: str, second: str) -> bool:
    """Whether two specifications name the same metric, such as `sari` and `sari:easse`."""
    from sbmt.tuning.objective import tuning_metric

    return tuning_metric(first).signature() == tuning_metric(second).signature()


def _option_of(name: str, args: argparse.Namespace) -> str:
    """Return the option that gives a setting (SECTION.NAME for those of sections): --preset if no other does."""
    changes = _changes(args)
    section, _, key = name.partition(".")
    for changed in (name, section):
        if changed in changes and (changed == name or key in changes[section]):
            return "--set" if changed in args.set else _OPTIONS[changed]
    return "--preset"


def _check_models(args: argparse.Namespace, run_inputs: Inputs) -> None:
    """Raise SbmtError if options name other models or folds than the run's."""
    from sbmt.model import Model

    folds = _folds(args)
    if args.model is not None:
        _check_files("--model", [Model.load(args.model)], run_inputs, run_inputs.models[:1])
    if folds:
        _check_files("--fold-models", folds.models, run_inputs, run_inputs.models[1:])
        if folds.fold != tuple(run_inputs.folds):
            raise SbmtError(f"--resume: --folds ({args.folds}) has other numbers than the run: {_CURE}")


def _check_files(option: str, models: Sequence[Model], run_inputs: Inputs, recorded: Sequence[Sequence[str]]) -> None:
    """Raise SbmtError if files of the models differ in content from the run's `recorded` files."""
    paths = [path for model in models for path in model.files()]
    if difference := run_inputs.first_difference(paths, list(chain.from_iterable(recorded))):
        path, run_path = difference
        raise SbmtError(f"--resume: {option} is {path}, and the run has {run_path}: {_CURE}")


def _folds(args: argparse.Namespace) -> Folds | None:
    from sbmt.model import Model
    from sbmt.tuning.folds import Folds

    if bool(args.folds) != bool(args.fold_models):
        raise SbmtError("--folds and --fold-models go together: the fold of each sentence, and the bundle of each fold")
    if not args.folds:
        return None
    return Folds.read(args.folds, [Model.load(name) for name in args.fold_models])


def _settings(args: argparse.Namespace, preset: Mapping[str, Any], *, releasing: bool = True) -> TuneSettings:
    """Return a preset's settings as changed by options (see `with_changes`); raises SbmtError naming the option."""
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
    """Return the changes that options make to a preset, by key; raises SbmtError if two options give the same key."""
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
    """Return the bounds of LOW:HIGH, None for an empty or infinite one; raises ValueError for another form."""
    low, high = text.split(":")
    return [None if low in ("", "-inf") else number(low), None if high in ("", "inf", "+inf") else number(high)]


def _yaml_value(text: str) -> Any:
    """Return a value read as YAML (a number, true, [a, b], text), "" for none; raises SbmtError for invalid YAML."""
    from sbmt.config import parse_yaml

    try:
        return parse_yaml(text, "") if text else ""
    except FormatError:
        raise SbmtError(f"{text!r} is no YAML value; quote it") from None


def _check_once(changes: Mapping[str, Any]) -> None:
    """Raise SbmtError for a setting that is given with its section, and a weight that two options name."""
    options: dict[str, str] = {}
    for key, value in changes.items():
        section, dot, rest = key.partition(".")
        if section not in _OF_WEIGHTS:
            if dot and section in changes:
                raise SbmtError(f"--set gives both {section} and {key}: leave one of them out")
            continue
        option = f"--set {key}" if dot else _OF_WEIGHTS[section]
        for name in [rest] if dot else map(str, value):
            if options.setdefault(name, option) != option:
                raise SbmtError(f"{options[name]} and {option} both name {name}: leave one of them out")
