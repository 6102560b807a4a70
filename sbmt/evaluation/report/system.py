"""A system as reports and scores see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class System:
    """A system's outputs, and what its decoder said of each: [{rule, owner, score, ...}], for sbmt-decode's JSON."""

    name: str
    outputs: list[str]
    changes: list[list[dict[str, Any]]] | None = None
    path: str = ""  # of the file that they were read from, for messages

    def of(self, numbers: Sequence[int]) -> System:
        """The same system on the sentences of these numbers, from 0, in their order."""
        changes = [self.changes[k] for k in numbers] if self.changes else None
        return replace(self, outputs=[self.outputs[k] for k in numbers], changes=changes)
