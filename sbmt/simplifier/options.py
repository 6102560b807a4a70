"""What a caller may ask of a simplifier."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from numbers import Integral, Real

from sbmt.errors import SbmtError
from sbmt.text.glossary import NO_GLOSSARY, Glossary

AS_TUNED = 0.5  # the strength that adds nothing
_SEVERAL = (tuple, list, set, frozenset)
_DUE: dict[str, tuple[type | tuple[type, ...], str]] = {  # type and, in words, what it is, of each option
    "tokenized": (bool, "True or False"),
    "strength": (Real, "a number from 0 (change nothing) to 1 (change all that can be)"),
    "unprotected": (_SEVERAL, 'a tuple of kinds of text, such as ("numbers", "titles")'),
    "patterns": (_SEVERAL, "a tuple of compiled expressions, such as read_patterns reads from a file"),
    "glossary": (Glossary, "a Glossary, such as read_glossary reads from a file"),
    "nbest": (Integral, "a whole number"),
    "explain": (bool, "True or False"),
    "alternatives": (Integral, "a whole number"),
}


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may ask of a simplifier, beside its model.

    `strength` lies between 0 (change nothing) and 1 (change all that can be); 0.5 is the model as tuned. `unprotected`
    names kinds of text (fields of ProtectOptions) that may be changed, `patterns` are compiled expressions of what may
    not (`sbmt.text.protect.read_patterns` reads them from a file). `glossary` is what is to be written for a term, and
    what never (`sbmt.text.glossary_lines.read_glossary` reads it from a file). `nbest` is the length of Result.nbest
    (0: no list). `explain`: each change has its score, the features that make it up, and up to `alternatives` other
    wordings.
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
        """Raises SbmtError for a value of another type, a strength outside 0 .. 1, and a length below 0."""
        for name, (kind, due) in _DUE.items():
            value = getattr(self, name)
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):  # which is an int, too
                raise SbmtError(f"{name}: {value!r} is not {due}")
        if not 0 <= self.strength <= 1:  # nor is NaN
            raise SbmtError(f"strength: {self.strength:g} is not {_DUE['strength'][1]}")
        for pattern in self.patterns:
            if not isinstance(pattern, re.Pattern) or not isinstance(pattern.pattern, str):
                cure = "use re.compile on a str, or read_patterns"
                raise SbmtError(f"patterns: {pattern!r} is no compiled expression of text: {cure}")
        for name, length in (("nbest", self.nbest), ("alternatives", self.alternatives)):
            if length < 0:
                raise SbmtError(f"{name}: {length} is less than 0")
