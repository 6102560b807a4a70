"""Named settings (`configs/tune-*.yaml`), and changes to them by key."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import sbmt.configs
from sbmt.config import ConfigError, build, read_yaml
from sbmt.errors import SbmtError, unknown
from sbmt.model import Model
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.weights import matching

_FOLDER = Path(sbmt.configs.__file__).parent
DEFAULT = "default"  # the preset that names every setting
_COLLECTIONS = ("fixed", "ranges", "without")


def preset_names() -> list[str]:
    """Names of the presets there are."""
    return sorted(path.stem.removeprefix("tune-") for path in _FOLDER.glob("tune-*.yaml"))


def read_preset(name: str) -> dict[str, Any]:
    """The settings that a preset's file names, and those of the preset that it extends.

    Raises SbmtError for an unknown preset.
    """
    if name not in preset_names():
        raise unknown("preset", name, preset_names())
    content: dict[str, Any] = read_yaml(_FOLDER / f"tune-{name}.yaml")
    base = content.pop("extends", None)
    return {**read_preset(base), **content} if base else content


def preset_of(model: str) -> str:
    """The preset of a model: the one of its name, as the packaged `starter` has, else DEFAULT."""
    return model if model in Model.names() and model in preset_names() else DEFAULT


def load_preset(name: str, changes: Mapping[str, Any]) -> TuneSettings:
    """Settings of a preset with `changes` (see `with_changes`); raises SbmtError for an unknown preset, key or type."""
    return with_changes(read_preset(name), changes)


def with_changes(preset: Mapping[str, Any], changes: Mapping[str, Any]) -> TuneSettings:
    """Settings with `changes` by key, or by section and key: `pro.l2`, `fixed.PPDB2.0Score`.

    `fixed`, `ranges` and `without` add to those of the preset; a weight given a range is no longer fixed by it, and a
    feature switched off is neither fixed nor bounded. Raises SbmtError for an unknown key or type.
    """
    content = deepcopy(dict(preset))
    _release(content, changes)
    for key, value in changes.items():
        section, dot, rest = key.partition(".")  # dots further on are a feature's own
        if not dot:
            content[key] = _added(content.get(key), value) if key in _COLLECTIONS else value
        elif isinstance(content.setdefault(section, {}), dict):
            content[section][rest] = value
        else:
            raise SbmtError(f"{key}: {section} has no settings of its own")
    try:
        settings: TuneSettings = build(TuneSettings, content)
    except ConfigError as error:
        raise SbmtError(f"tuning settings: {error}") from None
    return settings


def _release(content: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Drop of the preset's own bounds those of weights that `changes` give a range or switch off."""
    ranges, patterns = changes.get("ranges"), changes.get("without")
    ranged = {key.removeprefix("ranges.") for key in changes if key.startswith("ranges.")}
    ranged |= set(ranges if isinstance(ranges, Mapping) else ())
    off = [str(pattern) for pattern in patterns] if isinstance(patterns, list | tuple) else []

    fixed, bounded = content.get("fixed", {}), content.get("ranges", {})
    gone = {name for pattern in off for name in matching([*fixed, *bounded], pattern)}
    content["fixed"] = {name: value for name, value in fixed.items() if name not in ranged | gone}
    content["ranges"] = {name: bounds for name, bounds in bounded.items() if name not in gone}


def _added(own: Any, given: Any) -> Any:
    """The given entries after the preset's own; of a weight that both name, the given one."""
    if isinstance(own, dict) and isinstance(given, Mapping):
        return {**own, **given}
    if isinstance(own, list) and isinstance(given, list | tuple):
        return [*own, *(name for name in given if name not in own)]
    return given
