"""Annotating a rule file of any size: parallel, in order, in flat memory, and resumable.

The output grows as OUT.partial, a batch at a time (for .gz and .xz a member a batch, which both formats allow);
OUT.state then records how far input and output have come. Resuming cuts the partial file back to that and goes on, if
all that was read is still what it was: the lines of the input by their check sum (what comes after them may have been
mended), other files by size and time.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from sbmt.errors import FormatError, SbmtError
from sbmt.features.annotate import Annotator
from sbmt.features.base import FeatureFamily
from sbmt.features.language import LanguageModelScores
from sbmt.features.shape import Shape
from sbmt.features.simplicity import Simplicity
from sbmt.files import atomic_path
from sbmt.io import compressing, open_bytes, open_output, read_lines
from sbmt.parallel import ordered_map
from sbmt.paths import STDIO, check_not_folder, is_stream
from sbmt.ppdb.formats import RuleParser, format_rule, numbered_lines
from sbmt.ppdb.packed import packed_rules
from sbmt.ppdb.packed_header import is_packed
from sbmt.ppdb.skipped import SkippedLines
from sbmt.progress import progress
from sbmt.version import __version__

_BATCH = 50_000
_log = logging.getLogger(__name__)
Place = tuple[int, int]  # of a line: number from 1, check sum of all lines up to it
Line = tuple[Place, str, bool]  # place, text, whether a rule comes before it or is in it
Outcome = tuple[Place, str, str]  # place, the annotated rule, ""; or place, the line, what is wrong with it


@dataclass(frozen=True, slots=True)
class FeatureOptions:
    """Which features: language models by name, a common-word list, the language, whether to replace what rules have."""

    language_models: Mapping[str, str] = field(default_factory=dict)
    common_words: str | None = None
    language: str = "en"
    replace: bool = False
    owner: str = "pt"

    def annotator(self) -> Annotator:
        """Load what the features need; raises SbmtError for a file that cannot be used."""
        common = None
        if self.common_words:
            common = frozenset(line.strip().lower() for line in read_lines(self.common_words) if line.strip())
        families: list[FeatureFamily] = [Shape(), Simplicity(common, self.language)]
        families += [LanguageModelScores(name, path) for name, path in self.language_models.items()]
        return Annotator(families, self.replace)

    def files(self) -> dict[str, tuple[int, int]]:
        """Size and time of the files that the features are made with, but for pipes, which have none of their own."""
        named = filter(None, [self.common_words, *self.language_models.values()])
        found = {path: os.stat(path) for path in named if Path(path).is_file()}
        return {path: (status.st_size, status.st_mtime_ns) for path, status in found.items()}


def _start(options: FeatureOptions) -> tuple[RuleParser, Annotator]:
    return RuleParser(options.owner), options.annotator()


def _annotate(state: tuple[RuleParser, Annotator], line: Line) -> Outcome:
    parser, annotator = state
    place, text, among_rules = line
    try:
        return place, annotator.line(parser.parse(text, among_rules)), ""
    except ValueError as error:
        return place, text, str(error)


def annotate_file(
    source: str,
    target: str,
    options: FeatureOptions,
    jobs: int = 1,
    resume: bool = False,
    skipped: SkippedLines | None = None,
) -> int:
    """Annotate the rules of `source` into `target` ("-": standard streams); returns the number of rules written.

    Raises FormatError for a malformed line unless `skipped` takes it, and SbmtError when there is nothing to resume or
    what the interrupted run has read is no longer the same.
    """
    lines = _placed(source)
    check_not_folder(target)
    if is_stream(target):
        if resume:
            raise SbmtError(f"{target}: --resume needs a file that the interrupted run was to make")
        with open_output(target) as stream:
            return sum(stream.write(rule + "\n") > 0 for rule, _ in _rules(lines, source, options, jobs, skipped))
    files = {f"size or time of {path}": list(status) for path, status in options.files().items()}  # JSON has lists
    run = {"input": source, **asdict(options), **files, "version of sbmt": __version__}
    output = _Output(Path(target), run, resume)
    if _pass_over(lines, output.lines) != output.check_sum:
        raise SbmtError(f"{source}: has changed where the interrupted run has read it; start without --resume")
    if skipped and resume:
        skipped.keep(output.lines)
    rules = _rules(lines, source, options, jobs, skipped)
    try:
        while batch := list(islice(rules, _BATCH)):
            output.write(batch)
    except BaseException:
        output.give_up()
        raise
    return output.finish()


def _placed(source: str) -> Iterator[Line]:
    lines: Iterator[str] = read_lines(source)
    total = None
    if is_packed(source):
        lines = map(format_rule, packed_rules(source))
    elif source != STDIO and Path(source).is_file() and sys.stderr.isatty():
        total = _count_lines(source)
    check_sum = 0
    for number, text, among_rules in numbered_lines(progress(lines, "annotating", "rules", total)):
        check_sum = zlib.crc32(f"{text}\n".encode(), check_sum)
        yield (number, check_sum), text, among_rules


def _pass_over(lines: Iterator[Line], count: int) -> int:
    """Read that many lines, or all if there are fewer; returns their check sum."""
    last = deque(islice(lines, count), maxlen=1)
    return last[0][0][1] if last else 0


def _count_lines(path: str) -> int | None:
    """For the progress bar's time left; None for a damaged archive, which reading it will report with its line."""
    try:
        with open_bytes(path) as stream:
            return sum(piece.count(b"\n") for piece in iter(partial(stream.read, 1 << 20), b""))
    except (FormatError, OSError):
        return None


def _rules(
    lines: Iterable[Line], source: str, options: FeatureOptions, jobs: int, skipped: SkippedLines | None
) -> Iterator[tuple[str, Place]]:
    """Annotated rules, each with the place of the line it came from."""
    given = (line for line in lines if line[1].strip())
    for place, text, problem in ordered_map(_annotate, given, partial(_start, options), jobs, chunk=512):
        if not problem:
            yield text, place
        elif skipped is None:
            raise FormatError(source, place[0], problem, "--on-error skip passes such lines over")
        else:
            skipped(place[0], text, problem)


class _Output:
    """The growing output and the record of how far it has come."""

    def __init__(self, target: Path, run: Mapping[str, object], resume: bool) -> None:
        """`run`: what an interrupted run must have in common with this one to be resumed."""
        self.target, self.run = target, run
        self.place = Path(os.path.realpath(target))  # where it is a link, what that leads to is replaced
        self.partial = self.place.with_name(self.place.name + ".partial")
        self.state = self.place.with_name(self.place.name + ".state")
        self.lines = self.rules = self.check_sum = 0
        if resume and self.partial.exists() and not self.state.exists():
            _log.info("%s: the interrupted run had recorded nothing yet: starting from the beginning", target)
        elif resume:
            self._resume()
            return
        try:
            self.partial.write_bytes(b"")
            self.state.unlink(missing_ok=True)
        except OSError as error:
            raise SbmtError(f"{target}: cannot be written: {error.strerror}") from None

    def _resume(self) -> None:
        try:
            record = json.loads(self.state.read_text(encoding="utf-8"))
            changed = [key for key in self.run if record["run"].get(key) != self.run[key]]
            self.lines, self.rules, self.check_sum = record["lines"], record["rules"], record["check_sum"]
            size = record["bytes"]
            if self.partial.stat().st_size < size:
                raise ValueError
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SbmtError(f"{self.target}: there is no interrupted run to resume") from None
        if changed:
            raise SbmtError(f"{self.target}: the interrupted run had another {changed[0]}; start without --resume")
        with self.partial.open("r+b") as stream:
            stream.truncate(size)

    def write(self, batch: list[tuple[str, Place]]) -> None:
        """Append a batch, then record it."""
        content = "".join(rule + "\n" for rule, _ in batch).encode()
        with self.partial.open("ab") as stream, compressing(stream, self.target.suffix, fast=True) as packed:
            packed.write(content)  # fast: to press it further would take more time than the features
        size = self.partial.stat().st_size
        self.lines, self.check_sum = batch[-1][1]
        self.rules += len(batch)
        with atomic_path(self.state) as temporary:
            read = {"lines": self.lines, "check_sum": self.check_sum}
            record = {**read, "rules": self.rules, "bytes": size, "run": self.run}
            temporary.write_text(json.dumps(record), encoding="utf-8")

    def give_up(self) -> None:
        """Leave what a later run can go on from, and nothing where there is nothing."""
        if not self.lines:
            self.partial.unlink(missing_ok=True)

    def finish(self) -> int:
        """Give the output its name; returns the number of rules in it."""
        self.partial.replace(self.place)
        self.state.unlink(missing_ok=True)
        return self.rules
