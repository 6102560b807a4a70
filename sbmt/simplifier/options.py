"""Options of a simplifier."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import inf
from reprlib import repr as shortened

from sbmt.config import ConfigError, check_fields
from sbmt.text.glossary import NO_GLOSSARY, Glossary
from sbmt.text.protection.patterns import Pattern

AS_TUNED = 0.5  # the strength that adds nothing


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a simplifier, in addition to its model.

    `strength` is between 0 (change nothing) and 1 (change everything possible); 0.5 is the model as tuned.
    `unprotected` names kinds of text (fields of ProtectOptions) that may change, `patterns` are compiled expressions of
    text that may not (`sbmt.text.protection.patterns.read_patterns` reads them from a file). `glossary` has required
    and refused replacements of terms (`sbmt.text.glossary_lines.read_glossary` reads it from a file). `nbest` is the
    length of Result.nbest (0: no list). `explain`: each change has its score, its features, and up to `alternatives`
    other wordings.
    """

    tokenized: bool = False
    strength: float = AS_TUNED
    unprotected: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    glossary: Glossary = field(default=NO_GLOSSARY, hash=False)
    nbest: int = 0
    alternatives: int = 3
    explain: bool = True

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does, but accepts sets for tuples, and no text for numbers."""
        if not isinstance(self.glossary, Glossary):  # check_fields would build one from a mapping
            cure = "read_glossary reads one from a file, parse_glossary from lines"
            raise ConfigError(f"glossary: {shortened(self.glossary)} is no Glossary: {cure}")
        if isinstance(self.strength, str):
            raise ConfigError(f"strength: expected a number, found {self.strength!r}")
        for name in ("unprotected", "patterns"):
            if isinstance(getattr(self, name), set | frozenset):
                object.__setattr__(self, name, tuple(getattr(self, name)))
        check_fields(self, (("nbest alternatives", 0, inf),))
        if not 0 <= self.strength <= 1:
            meaning = "0 changes nothing, 1 all that can be changed"
            raise ConfigError(f"strength: {self.strength} is not from 0 to 1: {meaning}")
        for pattern in self.patterns:
            if isinstance(pattern, re.Pattern) and not isinstance(pattern.pattern, str):
                raise ConfigError(f"patterns: {pattern!r} is an expression of bytes: compile one of text")
