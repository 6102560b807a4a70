"""What a caller may ask of a simplifier."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import inf
from reprlib import repr as shortened

from sbmt.config import ConfigError, check_fields
from sbmt.text.glossary import NO_GLOSSARY, Glossary

AS_TUNED = 0.5  # the strength that adds nothing


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may ask of a simplifier, beside its model.

    `strength` lies between 0 (change nothing) and 1 (change all that can be); 0.5 is the model as tuned. `unprotected`
    names kinds of text (fields of ProtectOptions) that may be changed, `patterns` are compiled expressions of what may
    not (`sbmt.text.protection.patterns.read_patterns` reads them from a file). `glossary` is what is to be written for
    a term, and what never (`sbmt.text.glossary_lines.read_glossary` reads it from a file). `nbest` is the length of
    Result.nbest (0: no list). `explain`: each change has its score, the features that make it up, and up to
    `alternatives` other wordings.
    """

    tokenized: bool = False
    strength: float = AS_TUNED
    unprotected: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    glossary: Glossary = field(default=NO_GLOSSARY, hash=False)
    nbest: int = 0
    alternatives: int = 3
    explain: bool = True

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does, but takes sets for tuples, and no text for a number."""
        if not isinstance(self.glossary, Glossary):  # mappings make none
            cure = "read_glossary reads one from a file, parse_glossary from lines"
            raise ConfigError(f"glossary: {shortened(self.glossary)} is no Glossary: {cure}")
        if isinstance(self.strength, str):
            raise ConfigError(f"strength: expected a number, found {self.strength!r}")
        for name in ("unprotected", "patterns"):
            if isinstance(getattr(self, name), set | frozenset):
                object.__setattr__(self, name, tuple(getattr(self, name)))
        check_fields(self, (("nbest alternatives", 0, inf),))
        if not 0 <= self.strength <= 1:
            meant = "0 changes nothing, 1 all that can be changed"
            raise ConfigError(f"strength: {self.strength} is not from 0 to 1: {meant}")
        for pattern in self.patterns:
            if not isinstance(pattern.pattern, str):
                raise ConfigError(f"patterns: {pattern!r} is an expression of bytes: compile one of text")
