"""A metric of the user's own: any function of source, output and references, averaged over sentences.

One that `batched` marks takes lists of them. What it prints goes to standard error: standard output is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from reprlib import repr as shortened
from typing import Any, ClassVar, TypeVar

import numpy as np

from sbmt.arrays import Floats
from sbmt.errors import SbmtError, counted, quoted
from sbmt.metrics.base import LARGEST, MeanMetric, counted_references
from sbmt.metrics.tokenizers import tokenize
from sbmt.user_code import load, place_in, printing_to_stderr

_MARK = "takes_lists"  # attribute of a function that `batched` has marked
_MOST_KNOWN = 100_000  # values that are kept, some 400 bytes each
_Key = tuple[str, str, tuple[str, ...]]  # source, output, references
Function = TypeVar("Function", bound=Callable[..., Any])


def batched(function: Function) -> Function:
    """Mark a function of lists: `function(sources, outputs, references) -> numbers`, one for each output.

    references[i] are those of sources[i]. It is called with many sentences at once, which neural metrics need.
    Raises TypeError for what cannot be marked, as a method of an object cannot.
    """
    try:
        setattr(function, _MARK, True)
    except AttributeError:
        raise TypeError(f"{function!r} cannot be marked: write a function that calls it, and mark that") from None
    return function


@dataclass(frozen=True, slots=True)
class Lines:
    """A sentence's source and references, as the function gets them."""

    source: str
    references: list[str]


class CustomMetric(MeanMetric[Lines]):
    """The mean of a function over sentences."""

    label = "custom"
    needs_source = needs_references = False
    reads_references = True
    splits_at_spaces = False
    variants: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, variant: str, function: Callable[..., Any] | None = None, /, **options: str) -> None:
        """The `function`, or what `MODULE:FUNCTION` names; raises SbmtError where that is nothing to call.

        The function gets lines as they stand, or, by `tok` and `case`, tokens between single spaces, in lower case.
        """
        super().__init__(variant, **{"level": "sentence", **options})
        self.name = variant
        self.function = _import(variant) if function is None else function
        self._known: dict[_Key, float] = {}

    def prepare_many(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> list[Lines]:
        """Keep both sides; a sentence may have no reference."""
        self.check_references(sources, references)
        kept = [self._read(counted_references(lines, self.blank)) for lines in references]
        return [Lines(source, lines) for source, lines in zip(self._read(sources), kept, strict=True)]

    def _read(self, lines: Sequence[str]) -> list[str]:
        if self.tok == "none":  # white space stays as it is
            return [line.lower() if self.case == "lc" else line for line in lines]
        return [" ".join(words) for words in tokenize(lines, self.tok, self.case == "lc")]

    def statistics_lists(self, prepared: Sequence[Lines], lists: Sequence[Sequence[str]]) -> list[Floats]:
        """Ask the function for all hypotheses of all sentences at once."""
        read = map(self._read, lists)
        values = iter(self._values([(s, line) for s, lines in zip(prepared, read, strict=True) for line in lines]))
        return [np.array([(next(values), 1.0) for _ in lines]).reshape(-1, 2) for lines in lists]

    def _values(self, pairs: Sequence[tuple[Lines, str]]) -> list[float]:
        """The function's number for each pair; equal ones, and those that it has given before, are not asked for again.

        Raises SbmtError where it fails, or gives no number that can be counted.
        """
        keys = [(sentence.source, hypothesis, tuple(sentence.references)) for sentence, hypothesis in pairs]
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            if len(self._known) > _MOST_KNOWN:
                self._known = {key: self._known[key] for key in keys if key in self._known}
            given = self._ask_batch(new) if _takes_lists(self.function) else map(self._ask, new)
            self._known.update((key, self._number(value, key[1])) for key, value in zip(new, given, strict=True))
        return [self._known[key] for key in keys]

    def _ask(self, key: _Key) -> Any:
        source, output, references = key
        try:
            with printing_to_stderr:
                return self.function(source, output, list(references))
        except (Exception, SystemExit) as error:  # whatever the user's code raises
            what = f"{self.name} fails on {quoted(source)} and the output {quoted(output)}"
            raise SbmtError(f"{what}: {error!r}{self._place(error)}") from error

    def _ask_batch(self, keys: Sequence[_Key]) -> list[Any]:
        sources, outputs, references = (list(column) for column in zip(*keys, strict=True))
        try:
            with printing_to_stderr:
                given = list(self.function(sources, outputs, [list(lines) for lines in references]))
        except (Exception, SystemExit) as error:
            what = f"{self.name} fails on {counted(len(keys), 'output')}, the first of which is {quoted(outputs[0])}"
            raise SbmtError(f"{what}: {error!r}{self._place(error)}") from error
        if len(given) != len(keys):
            numbers, asked = counted(len(given), "number"), counted(len(keys), "output")
            raise SbmtError(f"{self.name} gives {numbers} for {asked}: one for each is due")
        return given

    def _place(self, error: BaseException) -> str:
        """Where in the user's own module the error came from, as the end of a message."""
        return place_in(getattr(_bare(self.function), "__module__", ""), error)

    def _number(self, given: Any, output: str) -> float:
        try:
            value = float(given)
        except (TypeError, ValueError, OverflowError):
            value = nan
        if not abs(value) <= LARGEST:  # nor is NaN
            hint = "; a function of lists is marked by @batched" if isinstance(given, list) else ""
            raise SbmtError(
                f"{self.name} gives no finite number but {shortened(given)} for the output {quoted(output)} "
                f"(at most {LARGEST:g} counts{hint})"
            )
        return value


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called as a metric: `MODULE:FUNCTION`, and what a partial one fixes."""
    if isinstance(function, partial):
        fixed = [*map(_shown, function.args), *(f"{name}={_shown(v)}" for name, v in function.keywords.items())]
        return name_of(function.func) + (f"({', '.join(fixed)})" if fixed else "")
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}:{named.__qualname__}"


def _shown(value: object) -> str:
    """A number or a text as it is, of anything else its kind alone: a signature must be the same every time."""
    plain = isinstance(value, int | float | str)
    return repr(value).replace("|", "/") if plain else type(value).__name__


def _bare(function: Callable[..., Any]) -> Callable[..., Any]:
    return _bare(function.func) if isinstance(function, partial) else function


def _takes_lists(function: Callable[..., Any]) -> bool:
    """Whether `batched` has marked a function, the one that a partial one calls, or the call of an object."""
    bare = _bare(function)
    return getattr(bare, _MARK, False) or getattr(type(bare).__call__, _MARK, False)


def _import(specification: str) -> Callable[..., Any]:
    unknown = "no metric (sbmt-eval --list-metrics) nor function of that name, of a module here or on PYTHONPATH"
    if not callable(found := load(specification, unknown)):
        raise SbmtError(f"{specification} is not a function(source, output, references)")
    made: Callable[..., Any] = found
    return made
