"""Synchronous rules: symbols, sides and features as written in files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

DEFAULT_LABEL = "X"  # of rules without a part of speech
DEFAULT_OWNER = "pt"  # of the rules of a grammar, Joshua's name for it
DEFAULT_SPAN_LIMIT = 20  # source words that a rule may cover
BAR = "|||"  # between the fields of a written rule
SEPARATOR = f" {BAR} "
MOST_SYMBOLS = 65_535  # on a side, in a grammar
LAST_ALIGNED = 255  # the last position on a side, from 0, of an alignment point in a grammar
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
    """Return the words of a side, without its nonterminals."""
    return tuple([symbol for symbol in side if symbol[0] != "[" or not is_gap(symbol)])


def rule_text(lhs: str, source: str, target: str) -> str:
    """Return a rule as written in a grammar, without features; the sides are symbols separated by spaces."""
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
        """The source and target sides."""
        return self.source, self.target

    @property
    def text(self) -> str:
        """The rule as written in a grammar, without features."""
        return rule_text(self.lhs, " ".join(self.source), " ".join(self.target))
