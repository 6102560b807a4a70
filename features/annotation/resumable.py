"""Rule files written in batches, so that an interrupted run can be resumed.

The output grows as OUT.partial (for .gz and .xz one member per batch, which both formats allow); OUT.state then records
how far input and output have come. Resuming cuts the partial file back to that.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from sbmt.compressed import compressing
from sbmt.errors import NoRoomError, SbmtError, system_cause
from sbmt.files import NO_ROOM, atomic_path, is_named, try_lock
from sbmt.paths import check_replaceable

_log = logging.getLogger(__name__)
Place = tuple[int, int]  # of a line of the input: number from 1, checksum of all lines up to it
Reached = tuple[int, int, int]  # a place, and how many rules up to it have capitals in their source side
_VALID_COUNTS = range(1 << 63)


def _link_target(target: str | Path) -> Path:
    """Return where a link leads to, or the path itself."""
    return Path(os.path.realpath(target) if os.path.islink(target) else target)


def working_files(target: str | Path) -> tuple[Path, Path]:
    """Return the paths of the growing output and its record, beside the target (of a link, beside what it leads to)."""
    path = _link_target(target)
    return Path(f"{path}.partial"), Path(f"{path}.state")


def is_finished(target: str | Path) -> bool:
    """Whether there is an output, and no run that is still making it or was interrupted."""
    return _link_target(target).exists() and not working_files(target)[0].exists()


class ResumableOutput:
    """The growing output and the record of how far it has come, locked against other processes until the block ends.

    If the block fails, what a later run can resume stays; if no batch has been recorded, nothing stays.
    """

    def __init__(self, target: Path, run: Mapping[str, object], resume: bool, skipped: Path | None = None) -> None:
        """Open and lock the output; with `resume`, go back to the last record, or begin if there is none.

        `run`: what an interrupted run must have in common with this one to be resumed. `skipped`: the file of lines set
        aside, which an interruption also names.

        Raises SbmtError if another process is writing this output, it cannot be written, or the interrupted run is not
        the same as this one.
        """
        check_replaceable(target)
        self.target, self.run = target, run
        self._finished = _link_target(target)  # a link stays; what it leads to is replaced
        self.partial, self.state = working_files(target)
        self.lines = self.rules = self.check_sum = self.capitals = 0
        self._skipped = skipped
        self._locked_stream = self._open_locked()
        try:
            if resume and self.state.exists():
                self._resume()
            else:
                self._begin(resume)
        except BaseException:
            if not self.partial.stat().st_size:  # made by opening it
                self.partial.unlink()
            self._locked_stream.close()
            raise

    def _open_locked(self) -> BinaryIO:
        """Open and lock the growing output."""
        try:
            self.partial.parent.mkdir(parents=True, exist_ok=True)
            stream: BinaryIO = self.partial.open("ab")
        except OSError as error:
            raise SbmtError(f"{self.target}: cannot be written: {system_cause(error)}") from None
        if not (try_lock(stream) and is_named(stream, self.partial)):
            stream.close()
            raise SbmtError(f"{self.target}: another process is writing it; wait until it ends, or stop it")
        return stream

    def __enter__(self) -> ResumableOutput:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._give_up()
        self._locked_stream.close()
        if kind is KeyboardInterrupt and self.lines:
            skipped = f" and {self._skipped}" if self._skipped and self._skipped.exists() else ""
            raise KeyboardInterrupt(f"--resume goes on with {self.target}{skipped}") from None

    def _begin(self, resume: bool) -> None:
        if resume:
            _log.info("%s: no interrupted run has recorded anything: starting from the beginning", self.target)
        try:
            self._locked_stream.truncate(0)
            self.state.unlink(missing_ok=True)
        except OSError as error:
            raise SbmtError(f"{self.target}: cannot be written: {system_cause(error)}") from None

    def _resume(self) -> None:
        try:
            record = json.loads(self.state.read_text(encoding="utf-8"))
            changed = [key for key in self.run if record["run"].get(key) != self.run[key]]
            counts = [record[key] for key in ("lines", "rules", "check_sum", "capitals", "bytes")]
            if not all(type(count) is int and count in _VALID_COUNTS for count in counts):
                raise ValueError
            self.lines, self.rules, self.check_sum, self.capitals, size = counts
            if self.partial.stat().st_size < size:
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            problem = f"{self.state} and {self.partial.name} are not what an interrupted run leaves"
            raise SbmtError(f"{self.target}: {problem}; start without --resume") from None
        if changed:
            raise SbmtError(f"{self.target}: the interrupted run had another {changed[0]}; start without --resume")
        self._locked_stream.truncate(size)

    def write(self, batch: Sequence[tuple[str, Reached]]) -> None:
        """Append a batch of rules, each with what is reached by its line, then record it; raises NoRoomError."""
        self._append("".join(rule + "\n" for rule, _ in batch).encode())
        size = self.partial.stat().st_size
        self.lines, self.check_sum, self.capitals = batch[-1][1]
        self.rules += len(batch)
        with atomic_path(self.state) as temporary:
            read = {"lines": self.lines, "check_sum": self.check_sum, "capitals": self.capitals}
            record = {**read, "rules": self.rules, "bytes": size, "run": self.run}
            temporary.write_text(json.dumps(record), encoding="utf-8")

    def _append(self, content: bytes) -> None:
        try:
            with self.partial.open("ab") as stream, compressing(stream, self.target.suffix, fast=True) as packed:
                packed.write(content)  # fast: better compression would take more time than the features
        except OSError as error:
            if error.errno in NO_ROOM:
                raise NoRoomError(f"{self.target}: cannot be written: {system_cause(error)}") from None
            raise

    def _give_up(self) -> None:
        """Remove what has been written unless a later run can resume it."""
        if not self.lines:
            self.partial.unlink(missing_ok=True)

    def finish(self) -> int:
        """Give the output its name; returns the number of rules in it."""
        if not self.rules:
            self._append(b"")  # without a member a file is no archive
        self.partial.replace(self._finished)
        self.state.unlink(missing_ok=True)
        return self.rules
