"""User-defined metrics: any function of source, output and references, averaged over sentences.

A function that `batched` marks takes lists of them. What functions print goes to standard error.
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

_MARK = "takes_lists"  # attribute of functions marked by `batched`
_MAX_CACHED = 100_000  # values, some 400 bytes each
_Key = tuple[str, str, tuple[str, ...]]  # source, output, references
Function = TypeVar("Function", bound=Callable[..., Any])


def batched(function: Function) -> Function:
    """Mark a function of lists: `function(sources, outputs, references) -> numbers`, one for each output.

    references[i] are those of sources[i]. It is called with many sentences at once, which neural metrics need.
    Raises TypeError for a function that cannot be marked, such as a method of an object.
    """
    try:
        setattr(function, _MARK, True)
    except AttributeError:
        raise TypeError(f"{function!r} cannot be marked: write a function that calls it, and mark that") from None
    return function


@dataclass(frozen=True, slots=True)
class Lines:
    """A sentence's source and references, as passed to the function."""

    source: str
    references: list[str]


class CustomMetric(MeanMetric[Lines]):
    """The mean of a function over sentences."""

    label = "custom"
    needs_source = needs_references = False
    reads_references = True
    splits_at_spaces = False
    block_size = None
    variants: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, variant: str, function: Callable[..., Any] | None = None, /, **options: str) -> None:
        """Take the `function`, or import the one that `variant`, MODULE:FUNCTION, names; raises SbmtError without one.

        The function gets lines as they are, or, by `tok` and `case`, tokens between single spaces, in lower case.
        """
        super().__init__(variant, **{"level": "sentence", **options})
        self.name = variant
        self.function = _import(variant) if function is None else function
        self._cache: dict[_Key, float] = {}

    def prepare_many(self, sources: Sequence[str], references: Sequence[Sequence[str]]) -> list[Lines]:
        """Keep both sides; a sentence may have no reference."""
        self.check_references(sources, references)
        counted = [self._read(counted_references(lines, self.blank)) for lines in references]
        return [Lines(source, lines) for source, lines in zip(self._read(sources), counted, strict=True)]

    def _read(self, lines: Sequence[str]) -> list[str]:
        if self.tok == "none":  # white space stays as it is
            return [line.lower() if self.case == "lc" else line for line in lines]
        return [" ".join(words) for words in tokenize(lines, self.tok, self.case == "lc")]

    def statistics_lists(self, prepared: Sequence[Lines], lists: Sequence[Sequence[str]]) -> list[Floats]:
        """Call the function for all hypotheses of all sentences together."""
        read = map(self._read, lists)
        values = iter(self._values([(s, line) for s, lines in zip(prepared, read, strict=True) for line in lines]))
        return [np.array([(next(values), 1.0) for _ in lines]).reshape(-1, 2) for lines in lists]

    def _values(self, pairs: Sequence[tuple[Lines, str]]) -> list[float]:
        """Return the function's number for each pair, cached.

        Raises SbmtError where the function fails or returns no finite number.
        """
        keys = [(sentence.source, hypothesis, tuple(sentence.references)) for sentence, hypothesis in pairs]
        new = [key for key in dict.fromkeys(keys) if key not in self._cache]
        if new:
            if len(self._cache) > _MAX_CACHED:
                self._cache = {key: self._cache[key] for key in keys if key in self._cache}
            values = self._call_batch(new) if _takes_lists(self.function) else map(self._call, new)
            self._cache.update((key, self._number(value, key[1])) for key, value in zip(new, values, strict=True))
        return [self._cache[key] for key in keys]

    def _call(self, key: _Key) -> Any:
        source, output, references = key
        try:
            with printing_to_stderr:
                return self.function(source, output, list(references))
        except (Exception, SystemExit) as error:  # whatever the user's code raises
            problem = f"{self.name} fails on {quoted(source)} and the output {quoted(output)}"
            raise SbmtError(f"{problem}: {error!r}{self._place(error)}") from error

    def _call_batch(self, keys: Sequence[_Key]) -> list[Any]:
        sources, outputs, references = (list(column) for column in zip(*keys, strict=True))
        try:
            with printing_to_stderr:
                values = list(self.function(sources, outputs, [list(lines) for lines in references]))
        except (Exception, SystemExit) as error:
            problem = f"{self.name} fails on {counted(len(keys), 'output')}, the first of which is {quoted(outputs[0])}"
            raise SbmtError(f"{problem}: {error!r}{self._place(error)}") from error
        if len(values) != len(keys):
            sizes = f"{counted(len(values), 'number')} for {counted(len(keys), 'output')}"
            raise SbmtError(f"{self.name} gives {sizes}: one for each is due")
        return values

    def _place(self, error: BaseException) -> str:
        """Return where in the user's module the error was raised, as the end of a message."""
        return place_in(getattr(_unwrap_partial(self.function), "__module__", ""), error)

    def _number(self, value: Any, output: str) -> float:
        """Return a value of the function as a number; raises SbmtError unless it is finite."""
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = nan
        if not abs(number) <= LARGEST:  # also NaN
            hint = "; a function of lists is marked by @batched" if isinstance(value, list) else ""
            raise SbmtError(
                f"{self.name} gives no finite number but {shortened(value)} for the output {quoted(output)} "
                f"(at most {LARGEST:g} counts{hint})"
            )
        return number


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function as a metric: `MODULE:FUNCTION`, with the arguments of a partial one."""
    if isinstance(function, partial):
        keywords = (f"{name}={_show_argument(value)}" for name, value in function.keywords.items())
        arguments = [*map(_show_argument, function.args), *keywords]
        return name_of(function.func) + (f"({', '.join(arguments)})" if arguments else "")
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}:{named.__qualname__}"


def _show_argument(value: object) -> str:
    """Return a number or text as it is, of other objects the type alone: signatures must be reproducible."""
    plain = isinstance(value, int | float | str)
    return repr(value).replace("|", "/") if plain else type(value).__name__


def _unwrap_partial(function: Callable[..., Any]) -> Callable[..., Any]:
    return _unwrap_partial(function.func) if isinstance(function, partial) else function


def _takes_lists(function: Callable[..., Any]) -> bool:
    """Whether `batched` marked a function, the function of a partial one, or an object's `__call__`."""
    unwrapped = _unwrap_partial(function)
    return getattr(unwrapped, _MARK, False) or getattr(type(unwrapped).__call__, _MARK, False)


def _import(specification: str) -> Callable[..., Any]:
    unknown = "no metric (sbmt-eval --list-metrics) nor function of that name, of a module here or on PYTHONPATH"
    if not callable(loaded := load(specification, unknown)):
        raise SbmtError(f"{specification} is not a function(source, output, references)")
    function: Callable[..., Any] = loaded
    return function
