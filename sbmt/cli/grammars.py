"""Grammars that `sbmt-rules` reads: files, or those of a model, with bad lines set aside."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.errors import SbmtError
from sbmt.paths import STDIO, check_outputs

if TYPE_CHECKING:
    from sbmt.ppdb.rule import Rule

_log = logging.getLogger(__name__)


def rules_of(args: argparse.Namespace, path: str, output: str = STDIO, part: str = "") -> Iterator[Rule]:
    """Rules of a file or model with a progress bar; bad lines set aside, beside the output, if that was asked for."""
    from sbmt.ppdb.load import read_any
    from sbmt.ppdb.names import rename
    from sbmt.ppdb.skipped import SkippedLines, set_aside
    from sbmt.progress import progress

    skipped = None
    if args.on_error == "skip":
        skipped = SkippedLines(set_aside(output, part))
        skipped.begin()
    rules = chain.from_iterable(read_any(file, args.owner, skipped) for file in _grammar_files(path))
    for rule in progress(rules, "reading", "rules"):
        yield rename(rule, args.names) if args.names else rule
    if skipped and skipped.count:
        _log.warning("%d bad lines of %s set aside in %s", skipped.count, path, skipped.path)


def check_files(
    args: argparse.Namespace,
    inputs: Sequence[str],
    parts: Sequence[str] = ("",),
    output: str = STDIO,
    read: Sequence[str] = (),
) -> None:
    """Raise SbmtError where the output would go over `read`, or bad lines over whatever is read.

    The output itself may replace an input; `parts` are those of the inputs for `rules_of`.
    """
    from sbmt.ppdb.skipped import set_aside

    aside = [set_aside(output, part) for part in parts] if args.on_error == "skip" else []
    grammars = [file for path in inputs for file in _grammar_files(path)] if aside else []
    check_outputs([output], read, aside, grammars)


def refuse_packed(output: str) -> None:
    """Raise SbmtError where rules would be written as text to a file that has the name of a packed grammar."""
    if output.endswith(".packed"):
        text = output.removesuffix(".packed") + ".gz"
        raise SbmtError(f"{output}: rules are written as text: -o {text}, then sbmt-rules pack {text} {output}")


def _grammar_files(path: str) -> list[str | Path]:
    """The grammars of a model that goes by this name or is in this folder; otherwise the path itself."""
    from sbmt.model import FILE_NAME, Model

    named = path in Model.names() and not Path(path).exists()
    if named or (Path(path) / FILE_NAME).is_file():
        model = Model.load(path)
        return [model.file(grammar.path) for grammar in model.config.grammars]
    return [path]
