"""Whether the options beside `--resume` agree with the run that it goes on with."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sbmt.cli.tune.settings import changes_of, folds_of, option_of, settings_of
from sbmt.config import plain
from sbmt.errors import SbmtError

if TYPE_CHECKING:
    from sbmt.model import Model
    from sbmt.tuning.inputs import Inputs
    from sbmt.tuning.settings import TuneSettings

_CURE = "leave it out, or start another run"
_CHANGEABLE = "iterations"  # the only setting that may change when a run is resumed


def check_settings(args: argparse.Namespace, run_settings: TuneSettings) -> int | None:
    """Raise SbmtError if options ask for other settings than the run's, except for the number of iterations.

    Returns that number if options or a preset give it.
    """
    from sbmt.tuning.presets import read_preset

    has_preset = args.preset is not None
    base = read_preset(args.preset) if has_preset else plain(run_settings)
    requested = settings_of(args, base, releasing=has_preset)  # the run's own settings are released already
    values, run_values = _flattened(requested), _flattened(run_settings)
    for name in {**values, **run_values}:
        value, run_value = values.get(name, "not given"), run_values.get(name, "none")
        if value == run_value or name == _CHANGEABLE or (name == "metric" and _is_same_metric(value, run_value)):
            continue
        cure = f"leave {option_of(name, args)} out, or start another run"
        raise SbmtError(f"--resume: {name} is {value}, and the run has {run_value}: {cure}")
    return requested.iterations if _CHANGEABLE in changes_of(args) or has_preset else None


def check_models(args: argparse.Namespace, run_inputs: Inputs) -> None:
    """Raise SbmtError if options name other models or folds than the run's."""
    from sbmt.model import Model

    folds = folds_of(args)
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


def _flattened(settings: TuneSettings) -> dict[str, Any]:
    """Return settings by name, those of sections by SECTION.NAME."""
    flat: dict[str, Any] = {}
    for key, value in plain(settings).items():
        flat |= {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
    return flat


def _is_same_metric(first: str, second: str) -> bool:
    """Whether two specifications name the same metric, such as `sari` and `sari:easse`."""
    from sbmt.tuning.objective import tuning_metric

    return tuning_metric(first).signature() == tuning_metric(second).signature()
