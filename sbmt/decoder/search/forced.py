"""Forced decoding: only derivations of a given target survive, whatever the language models' states.

`ForcedTarget` forbids early every partial output that is not part of the target with its sentence marks. Rules of the
goal that do not write both marks may still write only a part of it: `goals_of_target` drops their nodes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sbmt.decoder.forest import Forest
from sbmt.decoder.hypergraph import SEPARATOR, Hypergraph, without_marks
from sbmt.decoder.kbest.best import best_derivation
from sbmt.lm.symbols import BEGIN, END, Symbol


class ForcedTarget:
    """A stateful feature with value 0 that forbids every output which is not part of `target`.

    The state of a partial output is the output itself.
    """

    name = "ForcedTarget"

    def __init__(self, target: Sequence[str]) -> None:
        self._target = tuple(target)

    def states(self) -> ForcedTarget.Table:
        """Return a fresh table for one sentence."""
        return self.Table(self._target)

    def score(self, words: Sequence[str]) -> float:
        """Return 0, its only value."""
        return 0.0

    class Table:
        """Outputs as text, numbered."""

        def __init__(self, target: tuple[str, ...]) -> None:
            self._whole = SEPARATOR + "".join(word + SEPARATOR for word in (BEGIN, *target, END))
            self._marks = SEPARATOR + BEGIN + SEPARATOR, SEPARATOR + END + SEPARATOR
            self._texts: list[str] = []
            self._ids: dict[str, int] = {}

        def combine(self, target: Sequence[Symbol], tails: Sequence[int]) -> tuple[float, int]:
            """Return 0, or -inf if the target does not contain the joined output, and the output's number."""
            text = "".join(
                self._texts[tails[symbol]] if isinstance(symbol, int) else symbol + SEPARATOR for symbol in target
            )
            state = self._ids.get(text)
            if state is None:
                state = self._ids[text] = len(self._texts)
                self._texts.append(text)
            text = SEPARATOR + text
            first, last = self._marks
            is_complete = text.startswith(first) and text.endswith(last)
            fits = text == self._whole if is_complete else text in self._whole
            return 0.0 if fits else -math.inf, state


def goals_of_target(target: Sequence[str], goals: Sequence[int], graph: Hypergraph, forest: Forest) -> list[int]:
    """Return the nodes that write the target. All derivations of a node have one output, which is its state."""
    target_text = "".join([word + SEPARATOR for word in target])
    return [node for node in goals if without_marks(best_derivation(graph, forest, node).text) == target_text]
