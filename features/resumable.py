"""Rules written a batch at a time, so that a run that was interrupted goes on where it was.

The output grows as OUT.partial (for .gz and .xz one member per batch, which both formats allow); OUT.state then records
how far input and output have come. Resuming cuts the partial file back to that.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sbmt.errors import SbmtError
from sbmt.files import atomic_path
from sbmt.io import compressing

_log = logging.getLogger(__name__)
Place = tuple[int, int]  # of a line of the input: number from 1, check sum of all lines up to it


class ResumableOutput:
    """The growing output and the record of how far it has come."""

    def __init__(self, target: Path, run: Mapping[str, object], resume: bool) -> None:
        """`run`: what an interrupted run must have in common with this one to be resumed."""
        self.target, self.run = target, run
        self.place = Path(os.path.realpath(target))  # where it is a link, what that leads to is replaced
        self.partial = self.place.with_name(self.place.name + ".partial")
        self.state = self.place.with_name(self.place.name + ".state")
        self.lines = self.rules = self.check_sum = 0
        if resume and self.partial.exists() and not self.state.exists():
            _log.info("%s: the interrupted run had recorded nothing yet: starting from the beginning", target)
        elif resume:
            self._resume()
            return
        try:
            self.partial.write_bytes(b"")
            self.state.unlink(missing_ok=True)
        except OSError as error:
            raise SbmtError(f"{target}: cannot be written: {error.strerror}") from None

    def _resume(self) -> None:
        try:
            record = json.loads(self.state.read_text(encoding="utf-8"))
            changed = [key for key in self.run if record["run"].get(key) != self.run[key]]
            self.lines, self.rules, self.check_sum = record["lines"], record["rules"], record["check_sum"]
            size = record["bytes"]
            if self.partial.stat().st_size < size:
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SbmtError(f"{self.target}: there is no interrupted run to resume") from None
        if changed:
            raise SbmtError(f"{self.target}: the interrupted run had another {changed[0]}; start without --resume")
        with self.partial.open("r+b") as stream:
            stream.truncate(size)

    def write(self, batch: Sequence[tuple[str, Place]]) -> None:
        """Append a batch, rules with the places of their lines, then record it."""
        content = "".join(rule + "\n" for rule, _ in batch).encode()
        with self.partial.open("ab") as stream, compressing(stream, self.target.suffix, fast=True) as packed:
            packed.write(content)  # fast: to press it further would take more time than the features
        size = self.partial.stat().st_size
        self.lines, self.check_sum = batch[-1][1]
        self.rules += len(batch)
        with atomic_path(self.state) as temporary:
            read = {"lines": self.lines, "check_sum": self.check_sum}
            record = {**read, "rules": self.rules, "bytes": size, "run": self.run}
            temporary.write_text(json.dumps(record), encoding="utf-8")

    def give_up(self) -> None:
        """Leave what a later run can go on from, and nothing where there is nothing."""
        if not self.lines:
            self.partial.unlink(missing_ok=True)

    def finish(self) -> int:
        """Give the output its name; returns the number of rules in it."""
        self.partial.replace(self.place)
        self.state.unlink(missing_ok=True)
        return self.rules
