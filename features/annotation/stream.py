"""Annotating a rule file of any size: parallel, in order, in constant memory, and resumable.

An interrupted run can be resumed (`resumable.py`) if everything it has read is unchanged: the lines of the input by
their checksum (later lines may have been corrected), other files by size and time.
"""

from __future__ import annotations

import logging
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path

from sbmt.compressed import open_bytes
from sbmt.errors import FormatError, SbmtError
from sbmt.features.annotation.annotate import Annotator
from sbmt.features.annotation.options import FeatureOptions
from sbmt.features.annotation.resumable import Place, Reached, ResumableOutput, is_finished
from sbmt.io import read_lines, write_lines
from sbmt.parallel import ordered_map
from sbmt.paths import STDIO, check_not_folder, is_same, is_stream
from sbmt.ppdb.capitals import has_capitals, warn_of_capitals
from sbmt.ppdb.formats import RuleParser, format_rule, has_rule, numbered_lines, refuse_joshuas_folder
from sbmt.ppdb.packed import packed_rules
from sbmt.ppdb.packed_header import is_packed
from sbmt.ppdb.skipped import SkippedLines
from sbmt.progress import progress
from sbmt.version import __version__

_log = logging.getLogger(__name__)
_BATCH = 20_000
# Plain tuples, for named ones take a sixth more time to pass between processes.
Line = tuple[Place, str, bool]  # place, text, whether it or a line before it holds a rule
# Place, annotated rule, "", whether its source has capitals; or, for a malformed line: place, line, problem, False.
Outcome = tuple[Place, str, str, bool]


def _make_state(options: FeatureOptions, common: frozenset[str] | None) -> tuple[RuleParser, Annotator]:
    return RuleParser(options.owner), options.annotator(common)


def _annotate_line(state: tuple[RuleParser, Annotator], line: Line) -> Outcome:
    parser, annotator = state
    place, text, among_rules = line
    try:
        rule = parser.parse(text, among_rules)
        return place, annotator.line(rule), "", has_capitals(rule)
    except ValueError as error:
        return place, text, str(error), False


def annotate_file(
    source: str,
    target: str,
    options: FeatureOptions,
    jobs: int = 1,
    resume: bool = False,
    skipped: SkippedLines | None = None,
) -> int:
    """Write the annotated rules of `source` to `target` ("-": standard streams); returns the number of rules written.

    An interrupted run leaves the bad lines that it has set aside if it can be resumed. `resume` changes nothing if
    `target` is finished: 0 rules are written.

    Raises FormatError for a malformed line unless `skipped` takes it, and SbmtError if what the interrupted run has
    read is no longer the same, what a finished one has read is newer than `target`, or another process is writing it.
    """
    lines = _placed_lines(source)
    check_not_folder(target)
    if is_stream(target):
        if resume:
            raise SbmtError(f"{target}: --resume needs a file that the interrupted run was to make")
        with skipped.whole() if skipped else nullcontext():
            return write_lines(target, (rule for rule, _ in _annotated_rules(lines, source, options, jobs, skipped)))
    if resume and is_finished(target) and not is_same(source, target):
        _check_not_older(target, [source, *options.files()])
        _log.info("%s: is there and finished: nothing is left to do; to make it anew, start without --resume", target)
        return 0
    with ResumableOutput(Path(target), _run_of(source, options), resume, skipped.path if skipped else None) as output:
        if _skip_lines(lines, output.lines) != output.check_sum:
            raise SbmtError(f"{source}: has changed where the interrupted run has read it; start without --resume")
        rules = _annotated_rules(lines, source, options, jobs, skipped, output.capitals)
        return _write_batches(output, rules, skipped)


def _run_of(source: str, options: FeatureOptions) -> dict[str, object]:
    """Return what a run that goes on with another must have in common with it, with the name of each in a message."""
    files = {f"size or time of {path}": list(status) for path, status in options.files().items()}  # JSON has lists
    return {"input": source, **asdict(options), **files, "version of sbmt": __version__}


def _write_batches(output: ResumableOutput, rules: Iterator[tuple[str, Reached]], skipped: SkippedLines | None) -> int:
    """Write the rules, batch by batch; returns their number. If nothing can be resumed, no bad lines stay set aside."""
    try:
        with skipped.growing(output.lines) if skipped else nullcontext():
            while batch := list(islice(rules, _BATCH)):
                output.write(batch)
        return output.finish()
    except BaseException:
        if skipped and not output.lines:
            skipped.discard()
        raise


def _check_not_older(target: str, inputs: Iterable[str]) -> None:
    """Raise SbmtError if a file that the output is made from has been written after it."""
    for path in inputs:
        if Path(path).is_file() and os.stat(path).st_mtime_ns > os.stat(target).st_mtime_ns:
            raise SbmtError(f"{target}: is older than {path}, so it is not made from it; start without --resume")


def _placed_lines(source: str) -> Iterator[Line]:
    refuse_joshuas_folder(source)
    lines: Iterator[str] = read_lines(source, errors="surrogateescape")
    total = None
    if is_packed(source):
        lines = map(format_rule, packed_rules(source))
    elif source != STDIO and Path(source).is_file() and sys.stderr.isatty():
        total = _count_lines(source)
    check_sum = 0
    for number, text, among_rules in numbered_lines(progress(lines, "annotating", "rules", total)):
        check_sum = zlib.crc32(f"{text}\n".encode("utf-8", "surrogateescape"), check_sum)
        yield (number, check_sum), text, among_rules


def _skip_lines(lines: Iterator[Line], count: int) -> int:
    """Read that many lines, or all if there are fewer; returns their checksum."""
    check_sum = 0
    for place, _, _ in islice(lines, count):
        _, check_sum = place
    return check_sum


def _count_lines(path: str) -> int | None:
    """Count lines for the progress bar; None for a damaged archive, which reading will report with its line."""
    try:
        with open_bytes(path) as stream:
            return sum(piece.count(b"\n") for piece in iter(partial(stream.read, 1 << 20), b""))
    except (FormatError, OSError):
        return None


def _annotated_rules(
    lines: Iterable[Line],
    source: str,
    options: FeatureOptions,
    jobs: int,
    skipped: SkippedLines | None,
    capitals: int = 0,
) -> Iterator[tuple[str, Reached]]:
    """Yield annotated rules with what is reached by their lines; `capitals`: number of such rules before these."""
    rule_lines = (line for line in lines if has_rule(line[1]))
    start = partial(_make_state, options, options.read_common_words())
    for (number, check_sum), text, problem, is_cased in ordered_map(_annotate_line, rule_lines, start, jobs, chunk=512):
        capitals += is_cased
        if not problem:
            yield text, (number, check_sum, capitals)
        elif skipped is None:
            raise FormatError(source, number, problem, "--on-error skip passes such lines over")
        else:
            skipped(number, text, problem)
    warn_of_capitals(source, capitals)
