"""A word of the output before it is written as text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutputWord:
    """One word of the output. `copied`: the source token it is; `aligned`: the source tokens it stands for.

    `label` is the Penn tag the grammar gave a copied word, if known: a proper noun keeps its capital when it moves.
    `span`: the source tokens of the rule that wrote it.
    """

    word: str
    copied: int | None = None
    aligned: tuple[int, ...] = ()
    label: str = ""
    span: tuple[int, int] = (-1, -1)
