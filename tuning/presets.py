"""Named settings (`configs/tune-*.yaml`), files of settings, and changes to them by key."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import sbmt.configs
from sbmt.config import ConfigError, build, plain, read_yaml
from sbmt.errors import FormatError, SbmtError, unknown_name
from sbmt.metrics.custom import name_of
from sbmt.model import Model
from sbmt.paths import is_there
from sbmt.tuning.folder import RunFolder
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.weights import matching

_FOLDER = Path(sbmt.configs.__file__).parent
DEFAULT = "default"  # the preset that names every setting
_RESTRICTIONS = ("fixed", "ranges", "without")  # settings that belong to a model's weights, not to the way of tuning


def preset_names() -> list[str]:
    """Return the names of the packaged presets."""
    return sorted(path.stem.removeprefix("tune-") for path in _FOLDER.glob("tune-*.yaml"))


def read_preset(name: str) -> dict[str, Any]:
    """Return the settings of a preset or of a YAML file of settings; either may name a preset that it `extends`.

    Its settings then change those of that preset as options do, see `with_changes`. Raises SbmtError for an unknown
    name, and FormatError for a file that holds something else.
    """
    if name in preset_names():
        return _read(_FOLDER / f"tune-{name}.yaml")
    if not is_there(name):
        raise unknown_name("preset", name, preset_names(), "or a YAML file of settings")
    try:
        settings: dict[str, Any] = plain(build(TuneSettings, _read(Path(name))))
    except FormatError:  # names the file already
        raise
    except SbmtError as error:
        raise FormatError(name, None, str(error)) from None
    return settings


def _read(path: Path) -> dict[str, Any]:
    """Return the settings of a file, merged into those of the preset that it extends."""
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise ConfigError(f"expected names with values, found {content!r}")
    extended = content.pop("extends", None)
    if extended is not None and extended not in preset_names():
        raise unknown_name("preset", extended, preset_names())
    base = {} if extended is None else read_preset(extended)
    return _changed(base, {str(key): value for key, value in content.items()})


def preset_of(model: str) -> str:
    """Return the preset of a model: the one with its name, as for the packaged `starter`, else DEFAULT."""
    return model if model in Model.names() and model in preset_names() else DEFAULT


def restrictions_of(model: str) -> dict[str, Any]:
    """Return the settings that fix, bound or switch off a model's weights, if the model is a tuning run.

    Raises FormatError if the run's settings cannot be read.
    """
    run = RunFolder(model)
    if preset_of(model) != DEFAULT or not run.begun:
        return {}
    settings = plain(run.settings())
    return {key: settings[key] for key in _RESTRICTIONS if settings[key]}


def load_preset(name: str, changes: Mapping[str, Any] | None = None) -> TuneSettings:
    """Return the settings of a preset with `changes` (see `with_changes`).

    Raises SbmtError for an unknown preset, key or type, TypeError for a function as the metric.
    """
    changes = changes or {}
    if callable(metric := changes.get("metric")):
        cure = "save it in a module here or on PYTHONPATH, where worker processes find it, too"
        raise TypeError(f"metric: name the function, {name_of(metric)!r}: {cure}")
    return with_changes(read_preset(name), changes)


def with_changes(preset: Mapping[str, Any], changes: Mapping[str, Any], *, releasing: bool = True) -> TuneSettings:
    """Return settings with `changes` by key, or by section and key: `pro.l2`, `fixed.PPDB2.0Score`.

    Sections and lists (`pro`, `fixed`, `without` ...) are merged with those of the preset. With `releasing`, a weight
    given a range is no longer fixed by the preset, and a feature switched off is neither fixed nor bounded. Raises
    ConfigError for an unknown key or type.
    """
    settings: TuneSettings = build(TuneSettings, _changed(preset, changes, releasing))
    return settings


def _changed(preset: Mapping[str, Any], changes: Mapping[str, Any], releasing: bool = True) -> dict[str, Any]:
    content = deepcopy(dict(preset))
    if releasing:
        _release(content, changes)
    for key, value in changes.items():
        section, dot, rest = key.partition(".")  # dots further on are a feature's own
        if not dot:
            content[key] = _merged(content.get(key), value)
        elif isinstance(content.setdefault(section, {}), dict):
            content[section][rest] = value
        else:
            raise ConfigError(f"{key}: {section} has no settings of its own")
    return content


def _release(content: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Drop the preset's restrictions of weights that `changes` give a range or switch off."""
    ranges, patterns = changes.get("ranges"), changes.get("without")
    ranged = {key.removeprefix("ranges.") for key in changes if key.startswith("ranges.")}
    ranged |= set(ranges if isinstance(ranges, Mapping) else ())
    off_patterns = [str(pattern) for pattern in patterns] if isinstance(patterns, list | tuple) else []

    fixed, bounded = content.get("fixed", {}), content.get("ranges", {})
    switched_off = {name for pattern in off_patterns for name in matching([*fixed, *bounded], pattern)}
    for restrictions, released in ((fixed, ranged | switched_off), (bounded, switched_off)):
        for name in released & restrictions.keys():
            del restrictions[name]


def _merged(preset_value: Any, value: Any) -> Any:
    """Return the entries of a section or list after the preset's; for a key in both, the new value."""
    if isinstance(preset_value, dict) and isinstance(value, Mapping):
        return {**preset_value, **value}
    if isinstance(preset_value, list) and isinstance(value, list | tuple):
        return [*preset_value, *(name for name in value if name not in preset_value)]
    return value
