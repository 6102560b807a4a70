"""What learning can be told, with the defaults: which rules there may be, which are kept, which paraphrases."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from sbmt.config import check_fields

INITIAL_PHRASE, SOURCE_SYMBOLS = 10, 5  # Chiang's limits for rules with gaps, in words and in symbols


@dataclass(frozen=True, slots=True)
class Limits:
    """What may become a rule: words of a phrase without gaps (either side), and gaps."""

    max_phrase: int = 5
    max_gaps: int = 0

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("max_phrase", 1, 20), ("max_gaps", 0, 2)))

    @property
    def longest(self) -> int:
        """The longest span that is looked at, in words."""
        return max(self.max_phrase, INITIAL_PHRASE if self.max_gaps else 0)


@dataclass(frozen=True, slots=True)
class Pruning:
    """A rule is kept if it was seen `min_count` times and is among the `top` most frequent of its source (0: all).

    Listed rules are kept in any case. Rules with equal sides are kept only if `identical` (phrase-based decoding needs
    them; a chart decoder passes words through anyway).
    """

    min_count: int = 1
    top: int = 20
    identical: bool = False

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("min_count", 1, inf), ("top", 0, inf)))


@dataclass(frozen=True, slots=True)
class Settings:
    """What is learnt: limits of rules, pruning, folds for cross-fitting (0: none), worker processes."""

    limits: Limits = field(default_factory=Limits)
    pruning: Pruning = field(default_factory=Pruning)
    folds: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("folds jobs", 0, inf),))


@dataclass(frozen=True, slots=True)
class PivotSettings:
    """`forward`, `backward`: features of the bilingual grammar with ln p(e | f) and ln p(f | e), of either sign.

    Of each foreign side only the `top_targets` likeliest targets are paired (0: all); paraphrases less likely than
    `min_probability` in p(e2 | e1) are dropped, and of the rest of a source only `top` are kept (0: all).
    """

    forward: str = "p(e|f)"
    backward: str = "p(f|e)"
    top_targets: int = 50
    min_probability: float = 1e-4
    top: int = 100

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("top_targets top", 0, inf), ("min_probability", 0, 1)))
