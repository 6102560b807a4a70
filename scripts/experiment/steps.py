"""Cached steps: outputs appear whole or not at all, and are made again if their inputs or settings have changed.

A step `NAME` writes to `NAME.partial`, which is renamed to `NAME` once it is done; `NAME.json` holds the hash of its
settings and inputs (data files by content, other steps by their hash), so a change propagates to all later steps. A
`resumable` step finds its partial output as it left it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from experiment.usage import Usage
from sbmt.errors import SbmtError, system_cause
from sbmt.files import sha256
from sbmt.io import open_output
from sbmt.version import __version__

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a step: a file or a folder, and the hash of its settings and inputs."""

    name: str
    path: Path
    key: str


class Steps:
    """The steps of one run, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._records: dict[str, dict[str, Any]] = {}

    def run(
        self,
        name: str,
        make: Callable[[Path], None],
        settings: Mapping[str, Any],
        inputs: Sequence[Output | Path] = (),
        resumable: bool = False,
    ) -> Output:
        """Return the output of a step, which `make(path)` writes unless it exists; errors of `make` are passed on."""
        key = _key(name, settings, inputs)
        output, record = Output(name, self.folder / name, key), self._read(name)
        if self._records.get(name, {}).get("key") == key:
            return output
        partial = self.folder / f"{name}.partial"
        is_current = record.get("key") == key
        if is_current and record.get("finished") and output.path.exists():
            log.info("%s: there already", name)
        else:
            log.info("%s: begins", name)
            if not (is_current and resumable):
                _remove(partial)
            _remove(output.path)
            record = {"name": name, "key": key, "settings": dict(settings), "finished": False}
            self._write(record)
            with Usage() as usage:
                make(partial)
            partial.rename(output.path)
            cost = {"seconds": usage.seconds, "cpu_seconds": usage.cpu, "peak_mb": usage.peak >> 20}
            record |= {"finished": True} | {key: round(value, 1) for key, value in cost.items()}
            self._write(record)
            log.info("%s: %.0f s (CPU %.0f s), %d MB", name, usage.seconds, usage.cpu, usage.peak >> 20)
        self._records[name] = record
        return output

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records of all steps used so far, with their costs, whenever they were run."""
        return list(self._records.values())

    def _read(self, name: str) -> dict[str, Any]:
        try:
            record: dict[str, Any] = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return record

    def _write(self, record: Mapping[str, Any]) -> None:
        with open_output(self.folder / f"{record['name']}.json") as stream:
            json.dump(record, stream, indent=1, default=str)


def _key(name: str, settings: Mapping[str, Any], inputs: Sequence[Output | Path]) -> str:
    parts = [item.key if isinstance(item, Output) else _digest(item) for item in inputs]
    text = json.dumps([name, __version__, dict(settings), parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache
def _digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of all files below a folder."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        if not file.is_dir():
            try:
                digest.update(bytes.fromhex(sha256(file)))
            except OSError as error:
                raise SbmtError(f"{file}: cannot be read: {system_cause(error)}") from None
    return digest.hexdigest()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
