"""Forced decoding: only derivations of a given target survive, whatever the language models' states.

`ForcedTarget` forbids early what is no part of the target, with its sentence marks. Rules of the goal that do not write
both marks may still arrive at less than all of it: `writing` sorts that out among the nodes of the goal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import SEPARATOR, Hypergraph, without_marks
from sbmt.decoder.kbest.best import best_derivation
from sbmt.lm.symbols import BEGIN, END, Symbol


class ForcedTarget:
    """A stateful feature without value that forbids what is nowhere in `target`.

    The state of a partial output is the output itself.
    """

    name = "ForcedTarget"

    def __init__(self, target: Sequence[str]) -> None:
        self._target = tuple(target)

    def states(self) -> ForcedTarget.Table:
        """A fresh table for one sentence."""
        return self.Table(self._target)

    def score(self, words: Sequence[str]) -> float:
        """0: it has no value."""
        return 0.0

    class Table:
        """Outputs as text, numbered."""

        def __init__(self, target: tuple[str, ...]) -> None:
            self._whole = SEPARATOR + "".join(word + SEPARATOR for word in (BEGIN, *target, END))
            self._marks = SEPARATOR + BEGIN + SEPARATOR, SEPARATOR + END + SEPARATOR
            self._texts: list[str] = []
            self._ids: dict[str, int] = {}

        def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
            """0 and the joined output, or -inf if the target does not hold it."""
            text = "".join(
                self._texts[tails[symbol]] if isinstance(symbol, int) else symbol + SEPARATOR for symbol in target
            )
            state = self._ids.get(text)
            if state is None:
                state = self._ids[text] = len(self._texts)
                self._texts.append(text)
            text = SEPARATOR + text
            first, last = self._marks
            whole = text.startswith(first) and text.endswith(last)
            fits = text == self._whole if whole else text in self._whole
            return 0.0 if fits else -math.inf, state


def writing(target: Sequence[str], goals: Sequence[int], graph: Hypergraph, forest: Forest) -> list[int]:
    """The nodes whose output is the target. A node's output is its state, so its best derivation tells for all."""
    due = "".join([word + SEPARATOR for word in target])
    return [node for node in goals if without_marks(best_derivation(graph, forest, node).text) == due]
