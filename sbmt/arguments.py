"""Checks of arguments that every part needs.

What is of a wrong kind, such as only a program can give, raises TypeError. A wrong value is an SbmtError wherever it
comes from.
"""

from __future__ import annotations

from numbers import Integral
from reprlib import repr as shortened

from sbmt.errors import SbmtError


def refuse_text(value: object, due: str, cure: str = "") -> None:
    """Raise TypeError for a text where a list is due, which would otherwise be taken as the list of its characters.

    `due` begins the message ("a sentence is a list of words").
    """
    if isinstance(value, str | bytes):
        raise TypeError(f"{due}, not the text {shortened(value)}" + (f": {cure}" if cure else ""))


def check_whole(**values: object) -> None:
    """Raise TypeError, naming it, for a value that is no whole number."""
    for name, value in values.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise TypeError(f"{name}: {value!r} is not a whole number")


def check_least(least: int, **values: object) -> None:
    """Raise SbmtError, naming it, for a value below `least`, and TypeError for one that is no whole number."""
    check_whole(**values)
    for name, value in values.items():
        if value < least:  # type: ignore[operator]
            raise SbmtError(f"{name}={value}: at least {least}")


def check_kind(name: str, value: object, kind: type) -> None:
    """Raise TypeError for a value of another kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: {shortened(value)} is no {kind.__name__}")
