"""Checks of arguments, shared by all subpackages.

A value of the wrong type, which only a program can pass, raises TypeError. A wrong value raises SbmtError wherever it
comes from.
"""

from __future__ import annotations

from numbers import Integral
from reprlib import repr as shortened

from sbmt.errors import SbmtError


def refuse_text(value: object, expected: str, cure: str = "") -> None:
    """Raise TypeError for a text where a list is expected: it would be taken as the list of its characters.

    `expected` begins the message ("a sentence is a list of words").
    """
    if isinstance(value, str | bytes):
        raise TypeError(f"{expected}, not the text {shortened(value)}" + (f": {cure}" if cure else ""))


def check_whole(**values: object) -> None:
    """Raise TypeError naming the first value that is not a whole number."""
    for name, value in values.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise TypeError(f"{name}: {value!r} is not a whole number")


def check_least(least: int, **values: int) -> None:
    """Raise SbmtError naming the first value below `least`, TypeError for one that is not a whole number."""
    check_whole(**values)
    for name, value in values.items():
        if value < least:
            raise SbmtError(f"{name}={value}: at least {least}")


def check_kind(name: str, value: object, kind: type) -> None:
    """Raise TypeError unless `value` is an instance of `kind`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: {shortened(value)} is no {kind.__name__}")
