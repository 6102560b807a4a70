"""Words of the output before they are written as text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutputWord:
    """One word of the output. `copied`: the source token it copies; `aligned`: the source tokens it replaces.

    `label` is the Penn tag of a copied word in the grammar, if known: a proper noun keeps its capital when it moves.
    `span` are the source tokens of the rule that wrote it.
    """

    word: str
    copied: int | None = None
    aligned: tuple[int, ...] = ()
    label: str = ""
    span: tuple[int, int] = (-1, -1)
