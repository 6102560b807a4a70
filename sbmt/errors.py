"""Errors a user can cause and cure; the command line prints them as one line and exits with 2.

Also checks of arguments that every part needs: of a wrong kind, such as only a program can give, they raise TypeError.
A wrong value is an SbmtError wherever it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from numbers import Integral
from operator import eq
from reprlib import repr as shortened

HALVED = "holds half of a surrogate pair, which is no character"
_MOST_QUOTED = 60  # characters
_ALIKE = 0.6  # the share of letters in common from which one name is taken for another, as in difflib


class SbmtError(Exception):
    """Something in the user's input or set-up is wrong; the message says what, where, and what to do."""


class FormatError(SbmtError):
    """A file does not hold what it should: names the file, the line, what was expected and the cure."""

    def __init__(self, path: str, line: int | None, problem: str, cure: str = "") -> None:
        """`line` counts from 1; `path` is what the user typed ("-" for standard input)."""
        where = "standard input" if path == "-" else str(path)
        if line is not None:
            where += f", line {line}"
        super().__init__(f"{where}: {problem}" + (f" ({cure})" if cure else ""))
        self.path, self.line, self.problem, self.cure = path, line, problem, cure

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str, str]]:
        """Pickle by the four parts: errors cross process borders in parallel runs."""
        return type(self), (self.path, self.line, self.problem, self.cure)


class ModelError(SbmtError):
    """A model, grammar or language model cannot be found, opened, or does not fit its configuration."""


class NoRoomError(SbmtError):
    """A disk, or the user's share of it, is full."""


def unknown(kind: str, name: object, known: Sequence[str], other: str = "", named_by: str = "") -> SbmtError:
    """Say that there is no such name, which known one is spelt much alike, and what there is (`other` comes last).

    Of many names, `named_by` says instead what lists them.
    """
    plain = {one.casefold().replace("_", "-"): one for one in known}
    written = str(name).casefold().replace("_", "-")
    alike = {one: SequenceMatcher(None, one, written).ratio() for one in plain}
    close = max(plain, key=lambda one: (alike[one], sum(map(eq, one, written))), default="")  # by letters in place
    hint = f": did you mean {plain[close]!r}?" if alike.get(close, 0.0) >= _ALIKE else ""
    listed = named_by or f"known: {', '.join([*known, other] if other else known)}"
    return SbmtError(f"unknown {kind} {name!r}{hint} ({listed})")


def quoted(text: str) -> str:
    """A text as messages quote it: what it begins with."""
    return repr(text if len(text) <= _MOST_QUOTED else text[: _MOST_QUOTED - 3] + "...")


def counted(count: int, noun: str) -> str:
    """A number of things, as messages say it: "1 line", "2 lines"."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


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
