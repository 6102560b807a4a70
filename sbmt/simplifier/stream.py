"""Streaming simplification of lines by one or several processes: ordered, with flat memory and identical output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING

from sbmt.decoder.hypothesis import Constraint
from sbmt.errors import SbmtError, unknown_name
from sbmt.model import Model
from sbmt.parallel import ordered_map
from sbmt.simplifier.constraints import whole_line
from sbmt.simplifier.core import Simplifier
from sbmt.simplifier.formats import as_diff, as_json, as_nbest, as_text
from sbmt.simplifier.html import as_html
from sbmt.simplifier.options import Options
from sbmt.simplifier.result import Result
from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.protection.code import Line, marked_lines
from sbmt.text.unwrap import joined_lines

if TYPE_CHECKING:
    from sbmt.decoder.joshua import Joshua

Printed = tuple[int, str, tuple[str, ...]]  # the text's number, from 0, what to print for a line, warnings
Printer = Callable[[int, str, bool], tuple[str, tuple[str, ...]]]
FORMATS: dict[str, Callable[[Result, int, bool], str]] = {
    "text": as_text,
    "diff": as_diff,
    "html": as_html,
    "jsonl": as_json,
    "nbest": as_nbest,
}
_VERBATIM = TextOptions.verbatim()


@dataclass(frozen=True, slots=True)
class Request:
    """How to simplify and print lines: the model (or Joshua configuration), options, and the output format.

    `unwrap`: lines that were broken for width are joined first.
    """

    model: str = "starter"
    joshua: str | None = None
    options: Options = field(default_factory=Options)
    output: str = "text"
    colour: bool = False
    unwrap: bool = False

    def __post_init__(self) -> None:
        """Raises SbmtError for an unknown format."""
        if self.output not in FORMATS:
            raise unknown_name("output", self.output, list(FORMATS))


def simplified_lines(
    request: Request, *texts: Iterable[str], names: Iterable[str] = (), jobs: int = 1
) -> Iterator[Printed]:
    """Yield for each line its text's number, from 0, what to print (without the last line end), and warnings.

    Log messages about a text include its name, if there are `names`. An error in reading a text is raised after all
    lines before it have been yielded.
    """
    if jobs != 1 and request.joshua is None:
        Model.load(request.model).prepare()
    failure: list[SbmtError] = []
    readable = (_until_error(text, failure) for text in texts)
    marked = map(marked_lines, readable, repeat(request.options.tokenized), chain(names, repeat("")))
    line_streams = map(joined_lines, marked) if request.unwrap else marked
    numbered = enumerate((text, line) for text, lines in enumerate(line_streams) for line in lines)
    yield from ordered_map(_print_line, numbered, partial(_printer, request), jobs)
    if failure:
        raise failure[0]


def _until_error(text: Iterable[str], failure: list[SbmtError]) -> Iterator[str]:
    """Yield the lines of a text before one that cannot be read, and none of later texts."""
    if failure:
        return
    try:
        yield from text
    except SbmtError as error:
        failure.append(error)


def _print_line(printer: Printer, item: tuple[int, tuple[int, Line]]) -> Printed:
    number, (text, (line, in_block)) = item
    return text, *printer(number, line, in_block)


def _printer(request: Request) -> Printer:
    """Return the function that a worker calls for each line."""
    if request.joshua is None:
        return _result_printer(Simplifier.load(request.model, request.options), request)
    from sbmt.decoder.joshua import load_joshua

    if request.options.unprotected:
        raise SbmtError("--unprotect needs a model (-m): with a Joshua configuration no kind of text is protected")
    joshua = load_joshua(request.joshua)
    if request.output == "nbest":
        return _joshua_printer(joshua, request.options)
    show = _result_printer(Simplifier(joshua.decoder, _VERBATIM, request.options), request)
    return _segment_printer(show, joshua.why_not_enforced() or "which only --output nbest does")


def _result_printer(simplifier: Simplifier, request: Request) -> Printer:
    """Return a printer of a simplifier's results in the requested format."""

    def show(number: int, line: str, in_block: bool) -> tuple[str, tuple[str, ...]]:
        result = simplifier.simplify_line(line, in_block)
        return FORMATS[request.output](result, number, request.colour), result.warnings

    return show


def _segment_printer(show: Printer, why_not_enforced: str) -> Printer:
    """Return a printer of lines in Joshua's input format, whose markup is not part of the words."""
    from sbmt.decoder.joshua.lines import read_segment

    def show_segment(number: int, line: str, in_block: bool) -> tuple[str, tuple[str, ...]]:
        segment = read_segment(line, number)
        shown, warnings = show(number, segment.source, in_block)
        if segment.target is not None:
            warnings = (f"the target is not enforced, {why_not_enforced}", *warnings)
        if segment.mistaken:
            warnings = (segment.mistaken, *warnings)
        return shown, warnings

    return show_segment


def _joshua_printer(joshua: Joshua, options: Options) -> Printer:
    """Return a printer of Joshua's n-best lists; matches of patterns are kept."""
    pipeline = Pipeline(_VERBATIM, True, options.patterns)

    def protect(words: Sequence[str]) -> list[Constraint]:
        return whole_line(pipeline.sentences(" ".join(words)))[1]

    def show(number: int, line: str, _: bool) -> tuple[str, tuple[str, ...]]:
        return "\n".join(joshua.decode_line(line, number, options.nbest or None, protect)), ()

    return show
