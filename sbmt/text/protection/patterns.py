"""Reading --protect files of words and regular expressions that are never changed."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, runtime_checkable

from sbmt.errors import FormatError
from sbmt.io import read_text
from sbmt.text.comments import without_comment
from sbmt.text.protection.phrases import Phrases

_log = logging.getLogger(__name__)

_EXPRESSION = re.compile(r"/(.+?)/(i?)(?:\s+#.*)?")
_INCOMPLETE = re.compile(r"/(?:\\.|[^/])+(?:/[gimsuxy]{1,3})?")  # no second slash, or unsupported flags; not /etc/hosts
_LINE_END = re.compile(r"\[(?:\\.|[^\]\\])*\]|\\[^n]|(?P<end>\\n)")  # outside [^\n]
_LOOKS_LIKE_EXPRESSION = re.compile(  # rare in words: .*  \w+  \b at the start  (?  s[ei]t  a|b
    r"\.[*+]|\\[bdsw](?:[^a-z]|$)|^\\b|\(\?|\w\[[^\]\s]+\]\w|[^\s|]\|[^\s|]"
)
_MAX_SHOWN = 80  # characters of an expression


@runtime_checkable
class Pattern(Protocol):
    """What finds text that is never changed: a compiled expression, or the words and phrases of a list."""

    def finditer(self, line: str, /) -> Iterator[re.Match[str]]:
        """Yield the matches in a line."""


def read_patterns(path: str | Path, encoding: str = "utf-8") -> tuple[Pattern, ...]:
    """Read a --protect file: a word or phrase per line (any case), or a /regular expression/ (any case: /.../i).

    All words and phrases become one pattern. "#" starts a comment at the start of a line or after white space. Raises
    FormatError naming the line for an expression that does not compile or is incomplete.
    """
    phrases: list[str] = []
    expressions: list[Pattern] = []
    for number, line in enumerate(read_text(path, encoding), 1):
        entry = without_comment(line)
        is_cut_off = entry.startswith("/") and "/" not in entry[1:]  # an expression with " #" inside
        expression = _EXPRESSION.fullmatch(line.strip() if is_cut_off else entry)
        if not entry:
            continue
        if expression is not None:
            expressions.append(_compiled(expression, path, number))
            if any(match["end"] for match in _LINE_END.finditer(expression[1])):
                message = r"%s, line %d: a line is looked at by itself, and no line holds \n: %s"
                _log.warning(message, path, number, entry)
            continue
        if _INCOMPLETE.fullmatch(entry):
            cure = r"write /.../ or, for any case, /.../i; a word that begins with a slash itself is /\/word/"
            raise FormatError(str(path), number, f"{entry!r} is an expression half written", cure)
        if _LOOKS_LIKE_EXPRESSION.search(entry):
            message = "%s, line %d: %s is taken as it is written; an expression stands between slashes: /%s/"
            _log.warning(message, path, number, entry, entry)
        phrases.append(entry)
    return (Phrases(tuple(phrases)), *expressions) if phrases else tuple(expressions)


def _compiled(expression: re.Match[str], path: str | Path, number: int) -> re.Pattern[str]:
    """Compile a line's expression; raises FormatError if that fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # the meaning may change in later versions
            return re.compile(expression[1], re.IGNORECASE if expression[2] else 0)
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        entry = f"/{expression[1]}/{expression[2]}"
        shown = entry if len(entry) <= _MAX_SHOWN else f"{entry[:_MAX_SHOWN]} ..."
        raise FormatError(str(path), number, f"not a regular expression: {shown}: {error}") from None
