"""Settings of a report."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from sbmt.config import ConfigError, check_fields
from sbmt.metrics.registry import DEFAULT_METRICS
from sbmt.metrics.significance import RESAMPLES


@dataclass(frozen=True, slots=True)
class Settings:
    """What is computed, how many sentences a report may hold, and `origin`, which tells readers how it was made.

    Sentences are sampled where their texts exceed `max_bytes`, or their texts, word labels, figures and rules together
    1.5 times as many.
    """

    metrics: tuple[str, ...] = DEFAULT_METRICS
    title: str = "Simplification report"
    baseline: str | None = None  # default: the first system
    seed: int = 1
    samples: int = RESAMPLES
    max_sentences: int = 2000
    max_bytes: int = 6_000_000  # of text in UTF-8
    holm: bool = False  # p-values are corrected for the number of tests
    origin: tuple[tuple[str, str], ...] = ()  # names and values: files, the command

    def __post_init__(self) -> None:
        """Raise ConfigError as `check_fields` does, without a metric, and for an origin that is not a pair."""
        check_fields(self, (("samples seed", 0, inf), ("max_sentences max_bytes", 1, inf)))
        if not self.metrics:
            raise ConfigError("metrics: there is none to report")
        for pair in self.origin:
            if len(pair) != 2:
                raise ConfigError(f"origin: {pair!r} is no pair of a name and a value")
