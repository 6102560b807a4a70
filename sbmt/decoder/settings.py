"""Settings of the decoders, and checks of weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite, nan
from numbers import Real
from reprlib import repr as shortened

from sbmt.arguments import check_kind
from sbmt.config import ConfigError, check_fields
from sbmt.ppdb.feature_text import LARGEST
from sbmt.ppdb.rule import DEFAULT_LABEL


@dataclass(frozen=True, slots=True)
class Settings:
    """`pop_limit`: hypotheses taken per span by cube pruning, 0 = all (exhaustive search).

    `goal` is the label to reach over the whole sentence, `default_label` that of words passed through and of what a
    constraint keeps; `pass_labels`, if given, are those of words passed through instead. Every word may pass through;
    with `pass_only_unknown` only those that no one-word rule covers. `mark_oovs` adds "_OOV" to them.
    `max_words` cuts longer sentences, with a warning; None never cuts. Ties are broken by the order in which
    glue's cubes are tried: by the left end of their last phrase, descending, or, with `longest_last`, ascending.
    """

    pop_limit: int = 100
    goal: str = "GOAL"
    default_label: str = DEFAULT_LABEL
    pass_labels: tuple[str, ...] = ()
    pass_only_unknown: bool = False
    mark_oovs: bool = False
    max_words: int | None = None
    longest_last: bool = False

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("pop_limit", 0, inf), ("max_words", 1, inf)))


@dataclass(frozen=True, slots=True)
class PhraseSettings:
    """`distortion_limit`: most source words a jump may pass, -1 = any; `stack_size`: hypotheses kept per stack.

    `options_per_span`: best phrases tried for a span. Only words that no one-word phrase covers pass through, unless
    `pass_only_unknown` is off.
    """

    distortion_limit: int = 6
    stack_size: int = 100
    options_per_span: int = 20
    pass_only_unknown: bool = True

    def __post_init__(self) -> None:
        """Check the fields; raises ConfigError."""
        check_fields(self, (("distortion_limit", -1, inf), ("stack_size options_per_span", 1, inf)))


def check_factor(name: str, factor: float) -> None:
    """Raise ConfigError for a factor so large that scores might overflow."""
    if abs(factor) > LARGEST:
        raise ConfigError(f"{name}: {factor:g} is beyond {LARGEST:g}: scores would overflow")


def checked_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Return weights by name as floats; raises ConfigError for one that is not a finite number, or too large."""
    check_kind("weights", weights, Mapping)
    checked = {}
    for name, weight in weights.items():
        try:
            checked[name] = float(weight) if isinstance(weight, Real) and not isinstance(weight, bool) else nan
        except OverflowError:  # a whole number that no float holds
            checked[name] = nan
        if not isfinite(checked[name]):
            raise ConfigError(f"weights.{name}: expected a finite number, found {shortened(weight)}")
        check_factor(f"weights.{name}", checked[name])
    return checked
