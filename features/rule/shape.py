"""The features of PPDB 1.0 that a rule alone determines (Ganitkevitch et al. 2013), as the Thrax extractor has them.

docs/grammar.md lists the definitions that are verified, and how.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from sbmt.features.rule.base import FeatureInfo, rounded
from sbmt.ppdb.rule import Rule, Side, is_gap

_PPDB = "PPDB 1.0"


@lru_cache(maxsize=1 << 10)  # rules of a source side are consecutive
def measure(side: Side) -> tuple[int, int, int, bool]:
    """Count words, their letters, and characters with spaces between symbols; also whether two gaps touch."""
    gaps = [is_gap(symbol) for symbol in side]
    letters = sum(len(symbol) for symbol, gap in zip(side, gaps, strict=True) if not gap)
    touching = any(a and b for a, b in pairwise(gaps))
    return len(side) - sum(gaps), letters, letters + max(len(side) - 1, 0), touching


def _log_ratio(target: int, source: int) -> float:
    return rounded(math.log(target / source)) if target and source else 0.0


class Shape:
    """Counts and flags of the two sides."""

    info: Sequence[FeatureInfo] = tuple(
        FeatureInfo(name, meaning, sign, _PPDB)
        for name, meaning, sign in (
            ("Abstract", "1 if neither side has words", "flag"),
            ("Adjacent", "1 if two gaps touch on the source side", "flag"),
            ("CharCountDiff", "characters of the target minus the source, spaces included", "negative: shorter"),
            ("CharLogCR", "ln of the ratio target to source in characters", "negative: shorter"),
            ("ContainsX", "1 if the left-hand side is X", "flag"),
            ("GlueRule", "1 if the left-hand side is GOAL", "flag"),
            ("Identity", "1 if both sides are the same", "flag"),
            ("Lexical", "1 if there are no gaps", "flag"),
            ("Monotonic", "1 if the gaps keep their order", "flag"),
            ("PhrasePenalty", "1 for every rule", "count"),
            ("SourceTerminalsButNoTarget", "1 if only the source side has words", "flag"),
            ("SourceWords", "words of the source side", "count"),
            ("TargetTerminalsButNoSource", "1 if only the target side has words", "flag"),
            ("TargetWords", "words of the target side", "count"),
            ("UnalignedSource", "source words without an alignment point", "count"),
            ("UnalignedTarget", "target words without an alignment point", "count"),
            ("WordCountDiff", "words of the target minus the source", "negative: fewer"),
            ("WordLenDiff", "mean word length of the target minus the source", "negative: shorter words"),
            ("WordLogCR", "ln of the ratio target to source in words", "negative: fewer"),
        )
    )

    def values(self, rule: Rule) -> Sequence[float]:
        """Return the features in the order of `info`."""
        source, target = rule.source, rule.target
        n_source, letters_source, chars_source, touching = measure(source)
        n_target, letters_target, chars_target, _ = measure(target)
        gaps = len(source) - n_source
        unaligned_source, unaligned_target = self._count_unaligned(rule) if rule.alignment else (0, 0)
        length = letters_target / n_target - letters_source / n_source if n_source and n_target else 0.0
        return (
            not n_source and not n_target,
            touching,
            chars_target - chars_source,
            _log_ratio(chars_target, chars_source),
            rule.lhs == "X",
            rule.lhs == "GOAL",
            source == target,
            not gaps,
            not gaps or [s for s in source if is_gap(s)] == [s for s in target if is_gap(s)],
            1,
            n_source > 0 and not n_target,
            n_source,
            n_target > 0 and not n_source,
            n_target,
            unaligned_source,
            unaligned_target,
            n_target - n_source,
            rounded(length),
            _log_ratio(n_target, n_source),
        )

    @staticmethod
    def _count_unaligned(rule: Rule) -> tuple[int, int]:
        source, target = ({point[side] for point in rule.alignment} for side in (0, 1))
        return (
            sum(i not in source and not is_gap(symbol) for i, symbol in enumerate(rule.source)),
            sum(i not in target and not is_gap(symbol) for i, symbol in enumerate(rule.target)),
        )
