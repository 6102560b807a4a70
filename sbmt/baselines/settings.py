"""Settings of the baselines and their defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from sbmt.config import ConfigError, check_fields
from sbmt.decoder.settings import PhraseSettings


@dataclass(frozen=True, slots=True)
class IdentitySettings:
    """No settings."""


@dataclass(frozen=True, slots=True)
class TruncateSettings:
    """`share` of the words, rounded up, is kept from the start; a full stop, ! or ? at the end stays."""

    share: float = 0.8

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError, also for a share that is not above 0 and at most 1."""
        check_fields(self)
        if not 0 < self.share <= 1:
            raise ConfigError(f"share: {self.share} is not above 0 and at most 1")


@dataclass(frozen=True, slots=True)
class FrequencySettings:
    """A word below this Zipf frequency is rare (4 is ten times in a million words)."""

    rare: float = 4.0

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self)


@dataclass(frozen=True, slots=True)
class PbmtSettings:
    """Length of the n-best list that is re-ranked, and the settings of the phrase-based search (kind "phrase")."""

    candidates: int = 10
    search: PhraseSettings = field(default_factory=PhraseSettings)

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("candidates", 1, inf),))
