"""Lengths and Levenshtein distances, as in Table 5 of Xu et al. 2016 (means over sentences)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rapidfuzz.distance import Levenshtein

from sbmt.metrics.counted import MeasuredMetric
from sbmt.metrics.edit_limit import compared
from sbmt.metrics.tokenizers import tokenize

Units = Sequence[str]  # tokens, or the characters of a line

_VARIANTS: dict[str, dict[str, Any]] = {"words": {}, "characters": {"unit": "characters"}}


@dataclass(frozen=True, slots=True)
class Sides:
    """The texts that an output is compared with."""

    source: Units
    references: Sequence[Units]


class _Surface(MeasuredMetric[Units, Sides]):
    """A length or distance, in words or characters."""

    higher_is_better: bool | None = None
    choices: ClassVar[Mapping[str, Sequence[str]]] = {**MeasuredMetric.choices, "unit": ("words", "characters")}
    variants: ClassVar[dict[str, dict[str, Any]]] = _VARIANTS

    def __init__(self, variant: str, unit: str = "words", **options: str) -> None:
        """unit: `words` (tokens) or `characters` (of the line as it is, with spaces: `tok` has no effect)."""
        super().__init__(variant, **options)
        self.unit = self.choice("unit", unit)
        if unit == "characters":
            self.tok = "none"

    @property
    def splits_at_spaces(self) -> bool:
        """Whether words are split at white space alone."""
        return self.unit == "words" and super().splits_at_spaces

    def conventions(self) -> dict[str, str]:
        """Name the unit."""
        return {"unit": self.unit}

    def read(self, lines: Sequence[str]) -> list[Units]:
        """Read tokens or characters."""
        if self.unit == "words":
            return list(tokenize(lines, self.tok, self.case == "lc"))
        return [line.lower() if self.case == "lc" else line for line in lines]

    def prepare_text(self, source: Units, references: Sequence[Units]) -> Sides:
        """Keep both sides."""
        return Sides(source, references)


class Length(_Surface):
    """The length of the outputs."""

    name = "length"
    label = "length"
    needs_source = needs_references = False

    def measure(self, prepared: Sides, hypothesis: Units) -> int:
        """Return the number of units."""
        return len(hypothesis)


class EditDistance(_Surface):
    """The Levenshtein distance to the source, or to the nearest reference."""

    name = "levenshtein"
    label = "Levenshtein"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {
        **_Surface.choices,
        "to": ("source", "reference"),
        "accents": ("kept", "folded"),
    }
    variants: ClassVar[dict[str, dict[str, Any]]] = {
        **{name: {**options, "to": "source"} for name, options in _VARIANTS.items()},
        **{f"{name}-reference": {**options, "to": "reference"} for name, options in _VARIANTS.items()},
        "xu2016": {"to": "source", "accents": "folded"},
    }

    def __init__(self, variant: str, to: str = "source", accents: str = "kept", **options: str) -> None:
        """to: the `source`, or the nearest `reference`. accents: `kept`, or `folded`, so that "café" equals "cafe"."""
        super().__init__(variant, **options)
        self.to = self.choice("to", to)
        self.accents = self.choice("accents", accents)
        self.needs_references = to == "reference"
        self.needs_source = to == "source"
        self.higher_is_better = False if to == "reference" else None

    def conventions(self) -> dict[str, str]:
        """Name the unit, the text compared with, and folded accents."""
        folded = {"accents": self.accents} if self.accents == "folded" else {}
        return {**super().conventions(), "to": self.to, **folded}

    def read(self, lines: Sequence[str]) -> list[Units]:
        """Read tokens or characters, with or without accents."""
        return super().read([_without_accents(line) for line in lines] if self.accents == "folded" else lines)

    def measure(self, prepared: Sides, hypothesis: Units) -> int:
        """Return the number of insertions, deletions and substitutions."""
        others = [prepared.source] if self.to == "source" else prepared.references
        return min(Levenshtein.distance(*compared(other, hypothesis)) for other in others)


def _without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
