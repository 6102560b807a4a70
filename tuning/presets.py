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
_RESTRICTIONS = ("fixed", "ranges", "without")  # what belongs to a model's weights rather than to how they are tuned


def preset_names() -> list[str]:
    """Names of the presets there are."""
    return sorted(path.stem.removeprefix("tune-") for path in _FOLDER.glob("tune-*.yaml"))


def read_preset(name: str) -> dict[str, Any]:
    """The settings of a preset, or of a YAML file of settings; either may name a preset that it `extends`.

    What extends a preset changes it as options do: see `with_changes`. Raises SbmtError for what is neither, and
    FormatError for a file of something else.
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
    """What a file of settings holds, and all that the preset has that it extends."""
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise ConfigError(f"expected names with values, found {content!r}")
    extended = content.pop("extends", None)
    if extended is not None and extended not in preset_names():
        raise unknown_name("preset", extended, preset_names())
    base = {} if extended is None else read_preset(extended)
    return _changed(base, {str(key): value for key, value in content.items()})


def preset_of(model: str) -> str:
    """The preset of a model: the one of its name, as the packaged `starter` has, else DEFAULT."""
    return model if model in Model.names() and model in preset_names() else DEFAULT


def restrictions_of(model: str) -> dict[str, Any]:
    """The settings by which weights of a model are fixed, bounded or switched off: those of a run, else none.

    Raises FormatError where the run's settings cannot be read.
    """
    run = RunFolder(model)
    if preset_of(model) != DEFAULT or not run.begun:
        return {}
    settings = plain(run.settings())
    return {key: settings[key] for key in _RESTRICTIONS if settings[key]}


def load_preset(name: str, changes: Mapping[str, Any] | None = None) -> TuneSettings:
    """Settings of a preset with `changes` (see `with_changes`); raises SbmtError for an unknown preset, key or type.

    Raises TypeError for a function as the metric.
    """
    changes = changes or {}
    if callable(metric := changes.get("metric")):
        cure = "save it in a module here or on PYTHONPATH, where worker processes find it, too"
        raise TypeError(f"metric: name the function, {name_of(metric)!r}: {cure}")
    return with_changes(read_preset(name), changes)


def with_changes(preset: Mapping[str, Any], changes: Mapping[str, Any], *, releasing: bool = True) -> TuneSettings:
    """Settings with `changes` by key, or by section and key: `pro.l2`, `fixed.PPDB2.0Score`.

    What is in sections and lists (`pro`, `fixed`, `without` ...) adds to those of the preset; a weight given a range is
    no longer fixed by it, and a feature switched off is neither fixed nor bounded (unless not `releasing`). Raises
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
            content[key] = _added(content.get(key), value)
        elif isinstance(content.setdefault(section, {}), dict):
            content[section][rest] = value
        else:
            raise ConfigError(f"{key}: {section} has no settings of its own")
    return content


def _release(content: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Drop of the preset's own bounds those of weights that `changes` give a range or switch off."""
    ranges, patterns = changes.get("ranges"), changes.get("without")
    ranged = {key.removeprefix("ranges.") for key in changes if key.startswith("ranges.")}
    ranged |= set(ranges if isinstance(ranges, Mapping) else ())
    off = [str(pattern) for pattern in patterns] if isinstance(patterns, list | tuple) else []

    fixed, bounded = content.get("fixed", {}), content.get("ranges", {})
    gone = {name for pattern in off for name in matching([*fixed, *bounded], pattern)}
    for own, lost in ((fixed, ranged | gone), (bounded, gone)):
        for name in lost & own.keys():
            del own[name]


def _added(own: Any, given: Any) -> Any:
    """The given entries after the preset's own; of a weight that both name, the given one."""
    if isinstance(own, dict) and isinstance(given, Mapping):
        return {**own, **given}
    if isinstance(own, list) and isinstance(given, list | tuple):
        return [*own, *(name for name in given if name not in own)]
    return given
