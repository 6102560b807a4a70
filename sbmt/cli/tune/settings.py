"""What the options of `sbmt-tune` ask for: the settings of a run, and which option gives which; folds."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sbmt.cli.shared.parsers import number
from sbmt.config import ConfigError, parse_yaml
from sbmt.errors import FormatError, SbmtError

if TYPE_CHECKING:
    from sbmt.tuning.folds import Folds
    from sbmt.tuning.settings import TuneSettings

_PLAIN = ("metric", "tuner", "iterations", "nbest", "seed", "held_out", "without")  # settings named like their options
_OF_WEIGHTS = {"fixed": "--fix", "ranges": "--range", "without": "--without"}  # settings that name weights
_OPTIONS = {**{name: f"--{name.replace('_', '-')}" for name in _PLAIN}, **_OF_WEIGHTS}  # setting -> option


def settings_of(args: argparse.Namespace, preset: Mapping[str, Any], *, releasing: bool = True) -> TuneSettings:
    """Return a preset's settings as changed by options (see `with_changes`); raises SbmtError naming the option."""
    from sbmt.tuning.presets import with_changes

    changes = changes_of(args)
    try:
        settings = with_changes(preset, changes, releasing=releasing)
    except ConfigError as error:
        problem = str(error)  # begins with the setting
        key = max(filter(problem.startswith, changes), key=len, default="")
        option = "--set" if key in args.set else _OPTIONS.get(key, "--set")
        raise SbmtError(f"tuning settings: {problem} ({option})") from None
    _check_once(changes)
    return settings


def changes_of(args: argparse.Namespace) -> dict[str, Any]:
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


def option_of(name: str, args: argparse.Namespace) -> str:
    """Return the option that gives a setting (SECTION.NAME for those of sections): --preset if no other does."""
    changes = changes_of(args)
    section, _, key = name.partition(".")
    for changed in (name, section):
        if changed in changes and (changed == name or key in changes[section]):
            return "--set" if changed in args.set else _OPTIONS[changed]
    return "--preset"


def folds_of(args: argparse.Namespace) -> Folds | None:
    """Return the folds of a cross-fitted run; raises SbmtError for half of what they need."""
    from sbmt.model import Model
    from sbmt.tuning.folds import Folds

    if bool(args.folds) != bool(args.fold_models):
        raise SbmtError("--folds and --fold-models go together: the fold of each sentence, and the bundle of each fold")
    if not args.folds:
        return None
    return Folds.read(args.folds, [Model.load(name) for name in args.fold_models])


def bounds(text: str) -> list[float | None]:
    """Return the bounds of LOW:HIGH, None for an empty or infinite one; raises ValueError for another form."""
    low, high = text.split(":")
    return [None if low in ("", "-inf") else number(low), None if high in ("", "inf", "+inf") else number(high)]


def yaml_value(text: str) -> Any:
    """Return a value read as YAML (a number, true, [a, b], text), "" for none; raises SbmtError for invalid YAML."""
    try:
        return parse_yaml(text, "") if text else ""
    except FormatError:
        raise SbmtError(f"{text!r} is no YAML value; quote it") from None
