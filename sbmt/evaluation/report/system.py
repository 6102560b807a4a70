"""A system as reports and scores see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from reprlib import repr as shortened
from typing import Any


@dataclass(frozen=True, slots=True)
class System:
    """A system's outputs and, as in sbmt-decode's JSON, the rules behind each: [{rule, owner, score, ...}]."""

    name: str
    outputs: list[str]
    changes: list[list[dict[str, Any]]] | None = None
    path: str = ""  # of the file that the outputs were read from, for messages

    def check_changes(self) -> None:
        """Raise TypeError unless `changes` are None or, for each output, a list of mappings."""
        name = f"System({self.name!r}).changes"
        form = "give a list for each output: [{'rule': ..., 'owner': ..., 'score': ...}, ...]"
        if self.changes is None:
            return
        if not isinstance(self.changes, list | tuple):
            raise TypeError(f"{name}: {shortened(self.changes)} is no list: {form}")
        for i, changes in enumerate(self.changes):
            if not isinstance(changes, list | tuple) or not all(isinstance(change, Mapping) for change in changes):
                raise TypeError(f"{name}[{i}]: {shortened(changes)} is no list of mappings: {form}")

    def of(self, numbers: Sequence[int]) -> System:
        """Return the same system on the sentences of these numbers, from 0, in their order."""
        changes = [self.changes[k] for k in numbers] if self.changes else None
        return replace(self, outputs=[self.outputs[k] for k in numbers], changes=changes)
