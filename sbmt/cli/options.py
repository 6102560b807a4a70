"""Options that several commands have, declared once; each takes a parser, or a group of its options."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sbmt.cli.command import natural
from sbmt.errors import SbmtError
from sbmt.paths import STDIO

if TYPE_CHECKING:
    Options = argparse._ActionsContainer  # what parsers and groups have in common

_MIN_SAMPLES = 100  # fewer have hardly any beyond a 95 % interval's bounds
_MAX_SAMPLES = 1_000_000  # many times what the bounds of an interval need
RULES_OUT = "PPDB's format, compressed if .gz or .xz"  # help of an output


def add_jobs(made: Options, help_text: str = "processes; 0: all cores (default: %(default)s)") -> None:
    """Declare --jobs."""
    made.add_argument("--jobs", type=natural, default=1, metavar="N", help=help_text)


def add_samples(made: Options) -> None:
    """Declare --samples."""
    from sbmt.metrics.significance import RESAMPLES

    about = "bootstrap samples of the intervals (0: none; default: %(default)s)"
    made.add_argument("--samples", type=_samples, default=RESAMPLES, help=about)


def _samples(text: str) -> int:
    number = natural(text)
    if 0 < number < _MIN_SAMPLES:
        raise argparse.ArgumentTypeError(f"{number} samples make no interval: 0 for none, or at least {_MIN_SAMPLES}")
    if number > _MAX_SAMPLES:
        raise argparse.ArgumentTypeError(f"{number} samples are too many: at most {_MAX_SAMPLES:,}")
    return number


def add_output(made: Options, metavar: str = "OUT") -> None:
    """Declare -o, --output for rules."""
    made.add_argument("-o", "--output", default=STDIO, metavar=metavar, help=f"{RULES_OUT} (default: standard output)")


def paired(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The files of --source and --target, side by side; raises SbmtError unless they are equally many."""
    if len(args.source) != len(args.target):
        raise SbmtError(f"{len(args.source)} --source but {len(args.target)} --target: give them in pairs")
    return list(zip(args.source, args.target, strict=True))


def add_data(made: Options) -> None:
    """Declare --data, a Path, for scripts that need the corpora."""
    given = os.environ.get("SBMT_DATA") or None
    about = "folder of the corpora (default: $SBMT_DATA)"
    made.add_argument("--data", type=Path, default=given, required=given is None, metavar="DIR", help=about)


def add_reading(made: Options) -> None:
    """Declare --owner and --on-error, for commands that read rules."""
    owner = "whose rules they are, for naming values without a name: tm_OWNER_0, tm_OWNER_1 ... (default: pt)"
    made.add_argument("--owner", default="pt", help=owner)
    made.add_argument("--on-error", choices=("stop", "skip"), default="stop", help="what to do with a bad line")
