"""Named settings (`configs/tune-*.yaml`), and changes to them by dotted key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sbmt.configs
from sbmt.config import ConfigError, build, parse_yaml, read_yaml
from sbmt.errors import FormatError, SbmtError
from sbmt.tuning.settings import TuneSettings

_FOLDER = Path(sbmt.configs.__file__).parent


def preset_names() -> list[str]:
    """Names of the presets there are."""
    return sorted(path.stem.removeprefix("tune-") for path in _FOLDER.glob("tune-*.yaml"))


def load_preset(name: str, changes: Mapping[str, Any]) -> TuneSettings:
    """Settings of a preset with `changes` by dotted key.

    Raises SbmtError for an unknown preset, key or type.
    """
    if name not in preset_names():
        raise SbmtError(f"unknown preset {name!r} (known: {', '.join(preset_names())})")
    content = read_yaml(_FOLDER / f"tune-{name}.yaml")
    for key, value in changes.items():
        *path, last = key.split(".")
        place = content
        for part in path:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise SbmtError(f"{key}: {part} has no settings of its own")
        place[last] = value
    try:
        settings: TuneSettings = build(TuneSettings, content)
    except ConfigError as error:
        raise SbmtError(f"tuning settings: {error}") from None
    return settings


def read_value(text: str) -> Any:
    """A value as YAML has it: a number, true, [a, b], or text; raises SbmtError for what YAML cannot read."""
    try:
        return parse_yaml(text, "")
    except FormatError:
        raise SbmtError(f"{text!r} is no YAML value; quote it") from None
