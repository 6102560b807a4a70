"""Settings of learning and their defaults: length of sentences, limits of rules, pruning, pivoting, word vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from sbmt.config import check_fields

MAX_LENGTH = 100  # words of a sentence; the cost of alignment is quadratic
INITIAL_PHRASE, SOURCE_SYMBOLS = 10, 5  # Chiang's limits for rules with gaps, in words and in symbols
VECTOR_DIMENSIONS, VECTOR_MIN_COUNT = 150, 20  # of word vectors; how often a word with a vector occurs


@dataclass(frozen=True, slots=True)
class Limits:
    """The most words of a phrase without gaps (on either side), and the most gaps."""

    max_phrase: int = 5
    max_gaps: int = 0

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("max_phrase", 1, 20), ("max_gaps", 0, 2)))

    @property
    def longest(self) -> int:
        """The length of the longest spans, in words."""
        return max(self.max_phrase, INITIAL_PHRASE if self.max_gaps else 0)


@dataclass(frozen=True, slots=True)
class Pruning:
    """Which rules are kept: seen at least `min_count` times and among the `top` most frequent of a source (0: all).

    Listed rules are always kept. Rules with equal sides are kept only if `identical` (phrase-based decoding needs them;
    a chart decoder copies words anyway).
    """

    min_count: int = 1
    top: int = 20
    identical: bool = False

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("min_count", 1, inf), ("top", 0, inf)))


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """Limits of rules, pruning, folds for cross-fitting (0: none), worker processes."""

    limits: Limits = field(default_factory=Limits)
    pruning: Pruning = field(default_factory=Pruning)
    folds: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("folds jobs", 0, inf),))


@dataclass(frozen=True, slots=True)
class PivotSettings:
    """Settings of pivoting.

    `forward`, `backward`: features of the bilingual grammar with ln p(e | f) and ln p(f | e), of either sign. Only the
    `top_targets` likeliest targets of each foreign side are paired (0: all). Paraphrases with p(e2 | e1) below
    `min_probability` are dropped; of the others only the `top` of each source are kept (0: all).
    """

    forward: str = "p(e|f)"
    backward: str = "p(f|e)"
    top_targets: int = 50
    min_probability: float = 1e-4
    top: int = 100

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("top_targets top", 0, inf), ("min_probability", 0, 1)))
