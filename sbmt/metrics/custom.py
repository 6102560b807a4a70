"""A metric of the user's own: any importable function of source, output and references, averaged over sentences.

What it prints goes to standard error: standard output is the caller's.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

from sbmt.errors import SbmtError
from sbmt.metrics.base import LARGEST, MeanMetric, present

SentenceMetric = Callable[[str, str, list[str]], float]


@dataclass(frozen=True, slots=True)
class Lines:
    """A sentence's source and references as they stand."""

    source: str
    references: list[str]


class CustomMetric(MeanMetric[str, Lines]):
    """The mean of a function over sentences."""

    label = "custom"
    needs_source = needs_references = False
    variants: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, variant: str, **options: str) -> None:
        """Import `MODULE:FUNCTION`; raises SbmtError where there is none, or it cannot be called.

        The function reads lines as they stand: `tok` and `case` play no part, and the signature says so.
        """
        super().__init__(variant, **{"level": "sentence", **options})
        self.tok, self.case = "none", "mixed"
        self.name = variant
        self.function = _import(variant)

    def conventions(self) -> dict[str, str]:
        """Name what becomes of blank references, unless they are absent."""
        return {"blank": self.blank} if self.blank == "counted" else {}

    def read(self, lines: Sequence[str]) -> list[str]:
        """Take lines as they stand."""
        return list(lines)

    def prepare_many(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> list[Lines]:
        """Keep both sides; a sentence may have no reference."""
        return [Lines(source, present(lines, self.blank)) for source, lines in zip(sources, references, strict=True)]

    def prepare_text(self, source: str, references: Sequence[str]) -> Lines:
        """Keep both sides."""
        return Lines(source, list(references))

    def measure(self, prepared: Lines, hypothesis: str) -> float:
        """Call the function; raises SbmtError where it fails, or gives no number that can be counted."""
        source, references = prepared.source, prepared.references
        try:
            with redirect_stdout(sys.stderr):
                given = self.function(source, hypothesis, references)
        except (Exception, SystemExit) as error:  # whatever the user's code raises
            raise SbmtError(f"{self.name} fails on {source!r} and the output {hypothesis!r}: {error!r}") from error
        try:
            value = float(given)
        except (TypeError, ValueError, OverflowError):
            value = nan
        if not abs(value) <= LARGEST:  # nor is NaN
            raise SbmtError(
                f"{self.name} gives no finite number but {given!r} for the output {hypothesis!r} "
                f"(at most {LARGEST:g} counts)"
            )
        return value


def _import(specification: str) -> SentenceMetric:
    module, _, function = specification.partition(":")
    try:
        with redirect_stdout(sys.stderr):
            found = getattr(importlib.import_module(module), function)
    except (Exception, SystemExit) as error:  # a module of the user's own may raise anything
        raise SbmtError(
            f"{specification}: no metric (sbmt-eval --list-metrics) nor function of that name, of a module on "
            f"PYTHONPATH: {error!r}"
        ) from None
    if not callable(found):
        raise SbmtError(f"{specification} is not a function(source, output, references)")
    callable_metric: SentenceMetric = found
    return callable_metric
