"""Options and reading of the grammars of `sbmt-rules`: files, or those of a model; bad lines may be set aside."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.shared.options import add_reading
from sbmt.errors import counted
from sbmt.paths import STDIO, check_outputs

if TYPE_CHECKING:
    from sbmt.ppdb.rule import Rule
    from sbmt.ppdb.skipped import SkippedLines

_log = logging.getLogger(__name__)

GRAMMAR = "rules in any format, packed ones too; a model, for all its grammars; - for standard input"


def add_reading_rules(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `read_grammars`, and --names."""
    add_reading(parser)
    parser.add_argument("--names", choices=("1.0", "2.0"), help="give probabilities the names of that PPDB release")


@contextmanager
def read_grammars(
    args: argparse.Namespace,
    paths: Sequence[str],
    output: str = STDIO,
    also_read: Sequence[str] = (),
    *,
    numbered: bool = False,
) -> Iterator[list[Iterator[Rule]]]:
    """Yield the rules of each file or model, read with progress bars; --on-error skip sets bad lines aside.

    numbered: bad lines of path n go to OUT.n.skipped; otherwise there is one path, and they go to OUT.skipped; these
    files appear when the block ends without an error. The output may replace one of the paths. Raises SbmtError if it
    would overwrite a file of `also_read`, or bad lines any input.
    """
    from sbmt.ppdb.skipped import SkippedLines, set_aside

    parts = [str(number) for number in range(1, len(paths) + 1)] if numbered else [""]
    skipped = [SkippedLines(set_aside(output, part)) if args.on_error == "skip" else None for part in parts]
    aside = [lines.path for lines in skipped if lines]
    check_outputs([output], also_read, aside, [file for path in paths for file in _grammar_files(path)])
    with ExitStack() as stack:
        for lines in skipped:
            if lines:
                stack.enter_context(lines.whole())
        yield [_rules(args, path, lines) for path, lines in zip(paths, skipped, strict=True)]
    for path, lines in zip(paths, skipped, strict=True):
        if lines and lines.count:
            _log.warning("%s of %s set aside in %s", counted(lines.count, "bad line"), path, lines.path)


def _rules(args: argparse.Namespace, path: str, skipped: SkippedLines | None) -> Iterator[Rule]:
    from sbmt.ppdb.load import read_any
    from sbmt.ppdb.release_names import rename
    from sbmt.progress import progress

    rules = chain.from_iterable(read_any(file, args.owner, skipped) for file in _grammar_files(path))
    for rule in progress(rules, "reading", "rules"):
        yield rename(rule, args.names) if args.names else rule


def _grammar_files(path: str) -> list[str | Path]:
    """Return the grammars of the model with this name or in this folder; otherwise the path itself."""
    from sbmt.model import FILE_NAME, Model

    is_model_name = path in Model.names() and not Path(path).exists()
    if is_model_name or (Path(path) / FILE_NAME).is_file():
        model = Model.load(path)
        return [model.file(grammar.path) for grammar in model.config.grammars]
    return [path]
