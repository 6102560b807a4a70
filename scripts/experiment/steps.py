"""Cached steps: an output appears whole or not at all, and is made again when what it is made of has changed.

A step `NAME` writes to `NAME.partial`, which becomes `NAME` once it is done; `NAME.json` holds the hash of its settings
and inputs (data files by content, other steps by their own hash), so a change runs on through everything behind it. A
step that is `resumable` finds its partial output as it left it. Each step runs in a process of its own, whose CPU
time and memory, with those of its workers, are measured once a second.
"""

from __future__ import annotations

import hashlib
import json
import logging
import multiprocessing
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sbmt.errors import SbmtError
from sbmt.io import open_output
from sbmt.version import __version__

log = logging.getLogger(__name__)

_INTERVAL = 1.0  # seconds between two looks at what a step uses
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Output:
    """What a step has made: a file or a folder, and the hash of all that went into it."""

    name: str
    path: Path
    key: str


@dataclass(slots=True)
class Usage:
    """What a process and its descendants have used so far."""

    cpu: dict[int, float] = field(default_factory=dict)  # process -> seconds
    peak: int = 0  # bytes resident at once; pages that processes share count for each

    def look(self, root: int) -> None:
        """Take account of the present state of `root` and its descendants."""
        table = _processes()
        family, size = {root}, 0
        while size < len(family):
            size = len(family)
            family |= {pid for pid, (parent, _, _) in table.items() if parent in family}
        present = {pid: table[pid] for pid in family if pid in table}
        self.cpu.update((pid, seconds) for pid, (_, seconds, _) in present.items())
        self.peak = max(self.peak, sum(resident for _, _, resident in present.values()))


def _processes() -> dict[int, tuple[int, float, int]]:
    """Of every process: its parent, CPU seconds, resident bytes. Empty where there is no /proc."""
    table = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # gone in the meantime
            continue
        table[int(path.parent.name)] = (
            int(fields[1]),
            (int(fields[11]) + int(fields[12])) / _TICK,
            int(fields[21]) * _PAGE,
        )
    return table


class Steps:
    """The steps of one run, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.records: list[dict[str, Any]] = []

    def run(
        self,
        name: str,
        make: Callable[[Path], None],
        settings: Mapping[str, Any],
        inputs: Sequence[Output | Path] = (),
        resumable: bool = False,
    ) -> Output:
        """`make(path)` writes the output unless it is there already; raises SbmtError when it fails."""
        key = _key(name, settings, inputs)
        output, record = Output(name, self.folder / name, key), self._read(name)
        partial = self.folder / f"{name}.partial"
        current = record.get("key") == key
        if current and record.get("finished") and output.path.exists():
            log.info("%s: there already", name)
        else:
            log.info("%s: begins", name)
            if not (current and resumable):
                _remove(partial)
            _remove(output.path)
            record = {"name": name, "key": key, "settings": dict(settings), "finished": False}
            self._write(record)
            began, before, usage = time.monotonic(), os.times(), Usage()
            _in_process(name, make, partial, usage)
            partial.rename(output.path)
            after = os.times()  # what has ended and been waited for; long-lived workers are seen by looking only
            waited = after.children_user + after.children_system - before.children_user - before.children_system
            seconds, cpu = round(time.monotonic() - began, 1), round(max(waited, sum(usage.cpu.values())), 1)
            record |= {"finished": True, "seconds": seconds, "cpu_seconds": cpu, "peak_mb": usage.peak >> 20}
            self._write(record)
            log.info("%s: %.0f s (CPU %.0f s), %d MB", name, seconds, cpu, usage.peak >> 20)
        self.records.append(record)
        return output

    def _read(self, name: str) -> dict[str, Any]:
        try:
            record: dict[str, Any] = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return record

    def _write(self, record: Mapping[str, Any]) -> None:
        with open_output(self.folder / f"{record['name']}.json") as stream:
            json.dump(record, stream, indent=1, default=str)


def _in_process(name: str, make: Callable[[Path], None], path: Path, usage: Usage) -> None:
    process = multiprocessing.get_context("fork").Process(target=_work, args=(make, path), name=name)
    process.start()
    try:
        while process.is_alive():
            usage.look(process.pid or 0)
            process.join(_INTERVAL)
    except BaseException:
        process.terminate()
        raise
    if process.exitcode:
        raise SbmtError(f"step {name} failed (see above); what was done before it is kept")


def _work(make: Callable[[Path], None], path: Path) -> None:
    try:
        make(path)
    except SbmtError as error:
        log.error("%s", error)
        sys.exit(1)


def _key(name: str, settings: Mapping[str, Any], inputs: Sequence[Output | Path]) -> str:
    parts = [item.key if isinstance(item, Output) else _digest(item) for item in inputs]
    text = json.dumps([name, __version__, dict(settings), parts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache
def _digest(path: Path) -> str:
    """SHA-256 of a file, or of all files below a folder."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        if not file.is_dir():
            try:
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
            except OSError as error:
                raise SbmtError(f"{file}: cannot be read: {error.strerror}") from None
    return digest.hexdigest()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
