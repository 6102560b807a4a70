"""The interfaces of decoders and baselines: what a model loads, and what tuning needs besides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sbmt.decoder.hypothesis import Constraint, Hypothesis

if TYPE_CHECKING:
    from sbmt.decoder.forest import Forest
    from sbmt.decoder.result import Result


class Translator(Protocol):
    """What a model loads; see ARCHITECTURE.md for hypotheses and constraints."""

    def translate(
        self, words: Sequence[str], nbest: int = 1, constraints: Sequence[Constraint] = ()
    ) -> list[Hypothesis]:
        """Return the best translations of a sentence, best first."""
        ...


@runtime_checkable
class TunableTranslator(Translator, Protocol):
    """A translator that prepares a sentence once and searches it under changing weights."""

    weights: dict[str, float]

    def parse(self, words: Sequence[str], constraints: Sequence[Constraint] = ()) -> Forest:
        """Return the forest of a sentence: all that does not depend on the weights, picklable."""

    def feature_names(self, forest: Forest) -> tuple[str, ...]:
        """Return the names of all features that outputs of a forest may have."""

    def search(self, forest: Forest, *, nbest: int | None = None, narrow: bool = False) -> Result:
        """Search with the current weights for `nbest` outputs; `narrow`: fast rather than complete."""
