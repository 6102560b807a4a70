"""Errors that users can cause and fix; the command line prints them as one line and exits with 2."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from difflib import SequenceMatcher
from operator import eq

HALVED = "holds half of a surrogate pair, which is no character"
_MAX_QUOTED = 60  # characters
_MIN_SIMILARITY = 0.6  # difflib's ratio from which a name is suggested for another
_SYSTEM_CAUSES = {
    errno.ENOENT: "no such file or folder",
    errno.EISDIR: "it is a folder; name a file",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EEXIST: "something else has this name",
    errno.ENAMETOOLONG: "its name is too long; take a shorter one",
    errno.EACCES: "permission denied; see chmod",
    errno.EPERM: "permission denied; name another file",
    errno.EROFS: "its disk is read-only; name a file elsewhere",
    errno.ENOSPC: "the disk is full; make room",
    errno.EDQUOT: "your quota of the disk is used up; make room",
    errno.EFBIG: "larger than ulimit -f allows",
    errno.EMFILE: "more files are open than ulimit -n allows",
}


class SbmtError(Exception):
    """The user's input or set-up is wrong; the message says what, where, and what to do."""


class FormatError(SbmtError):
    """A file has the wrong content; names the file, the line, the problem and the cure."""

    def __init__(self, path: str, line: int | None, problem: str, cure: str = "") -> None:
        """`line` counts from 1; `path` is what the user typed ("-" for standard input)."""
        where = "standard input" if path == "-" else str(path)
        if line is not None:
            where += f", line {line}"
        super().__init__(f"{where}: {problem}" + (f" ({cure})" if cure else ""))
        self.path, self.line, self.problem, self.cure = path, line, problem, cure

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str, str]]:
        """Pickle the four parts: errors are passed between processes in parallel runs."""
        return type(self), (self.path, self.line, self.problem, self.cure)


class ModelError(SbmtError):
    """A model, grammar or language model cannot be found or opened, or does not fit its configuration."""


class NoRoomError(SbmtError):
    """The disk is full, or the user's quota is exceeded."""


def unknown_name(kind: str, name: object, known: Sequence[str], other: str = "", named_by: str = "") -> SbmtError:
    """Return an error that suggests the most similar known name and lists all known names, `other` last.

    `named_by` replaces a list that would be too long by a hint where to find it.
    """
    normalised = {candidate.casefold().replace("_", "-"): candidate for candidate in known}
    written = str(name).casefold().replace("_", "-")
    similarity = {candidate: SequenceMatcher(None, candidate, written).ratio() for candidate in normalised}
    in_place = {candidate: sum(map(eq, candidate, written)) for candidate in normalised}  # equal letters, for ties
    closest = max(normalised, key=lambda candidate: (similarity[candidate], in_place[candidate]), default="")
    hint = f": did you mean {normalised[closest]!r}?" if similarity.get(closest, 0.0) >= _MIN_SIMILARITY else ""
    listed = named_by or f"known: {', '.join([*known, other] if other else known)}"
    return SbmtError(f"unknown {kind} {name!r}{hint} ({listed})")


def quoted(text: str) -> str:
    """Return a text as messages quote it, cut if it is long."""
    return repr(text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 3] + "...")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, plural unless it is 1: "1 line", "2 lines"."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def system_cause(error: OSError) -> str:
    """Return why the system refused to read or write a file, with the cure if we know it."""
    return _SYSTEM_CAUSES.get(error.errno or 0) or error.strerror or str(error)
