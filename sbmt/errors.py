"""Errors a user can cause and cure; the command line prints them as one line and exits with 2."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from operator import eq

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


def unknown_name(kind: str, name: object, known: Sequence[str], other: str = "", named_by: str = "") -> SbmtError:
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
