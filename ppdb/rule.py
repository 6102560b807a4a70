"""One synchronous rule, as the formats of the field write it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

BAR = "|||"  # what stands between the fields of a rule that is written out
SEPARATOR = f" {BAR} "
MOST_SYMBOLS = 65_535  # of a side that a grammar can hold
LAST_ALIGNED = 255  # the last place in a side, from 0, that a grammar can hold an alignment point of
NONTERMINAL = re.compile(r"\[(?P<label>[^\s\[\]]+),(?P<index>[1-9])\]")

Side = tuple[str, ...]
Sides = tuple[Side, Side]


def is_gap(symbol: str) -> bool:
    """Whether a symbol of a rule is a nonterminal."""
    return symbol[0] == "[" and _is_nonterminal(symbol)


@lru_cache(maxsize=1 << 14)
def _is_nonterminal(bracketed: str) -> bool:
    return NONTERMINAL.fullmatch(bracketed) is not None


def terminals(side: Sequence[str]) -> tuple[str, ...]:
    """The words of a side, without its nonterminals."""
    return tuple([symbol for symbol in side if symbol[0] != "[" or not is_gap(symbol)])


def rule_text(lhs: str, source: str, target: str) -> str:
    """A rule as grammars have it, without its features; the sides are symbols between spaces."""
    return SEPARATOR.join((f"[{lhs}]", source, target))


@dataclass(frozen=True, slots=True)
class Rule:
    """lhs -> (source, target): `source` and `target` are symbols, nonterminals written "[NP,1]" on both sides.

    `features` keep the file's names, signs and scale (`p(e|f)=1.57` is a cost, -ln p). `alignment` points are
    (source position, target position), counted from 0 over all symbols. `entailment` is PPDB 2.0's last column.
    """

    lhs: str
    source: Side
    target: Side
    features: Mapping[str, float] = field(default_factory=dict)
    alignment: tuple[tuple[int, int], ...] = ()
    entailment: str = ""

    @property
    def sides(self) -> Sides:
        """What rules for the same have in common, whatever their labels and features."""
        return self.source, self.target

    @property
    def text(self) -> str:
        """As `rule_text` has it."""
        return rule_text(self.lhs, " ".join(self.source), " ".join(self.target))
