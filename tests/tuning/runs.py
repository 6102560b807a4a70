"""Runs on the small model: settings, a run in this process, and what it recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sbmt.model import Model
from sbmt.tuning.presets import load_preset
from sbmt.tuning.run import start_run
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.workers import Workers

Data = tuple[Path, list[Path]]


def settings(**changes: Any) -> TuneSettings:
    return load_preset("default", {"iterations": 4, "nbest": 20, "held_out": 0.25, **changes})


def tune(bundle: Path, data: Data, out: Path, jobs: int = 1, **changes: Any) -> Model:
    return start_run(out, Model.load(bundle), *data, settings(**changes), Workers(jobs))


def records(run: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((run / "iterations").glob("*.json"))]
