"""Options that several commands have, declared once; each takes a parser, or a group of its options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping

from sbmt.cli.shared.parsers import natural
from sbmt.errors import SbmtError
from sbmt.paths import STDIO

OptionGroup = argparse._ActionsContainer  # what parsers and groups have in common
_MIN_SAMPLES = 100  # fewer have hardly any beyond a 95 % interval's bounds
_MAX_SAMPLES = 1_000_000  # many times what the bounds of an interval need
RULES_OUT = "PPDB's format, compressed if .gz or .xz"  # help of an output


def add_jobs(parser: OptionGroup, help_text: str = "processes; 0: all cores (default: %(default)s)") -> None:
    """Declare --jobs."""
    parser.add_argument("--jobs", type=natural, default=1, metavar="N", help=help_text)


def add_samples(parser: OptionGroup) -> None:
    """Declare --samples."""
    from sbmt.metrics.significance import RESAMPLES

    about = "bootstrap samples of the intervals (0: none; default: %(default)s)"
    parser.add_argument("--samples", type=_samples, default=RESAMPLES, help=about)


def _samples(text: str) -> int:
    number = natural(text)
    if 0 < number < _MIN_SAMPLES:
        raise argparse.ArgumentTypeError(f"{number} is too few for an interval: 0 for none, or at least {_MIN_SAMPLES}")
    if number > _MAX_SAMPLES:
        raise argparse.ArgumentTypeError(f"{number} is too many: at most {_MAX_SAMPLES:,}")
    return number


def add_output(parser: OptionGroup, metavar: str = "OUT") -> None:
    """Declare -o, --output for rules."""
    about = f"{RULES_OUT} (default: standard output)"
    parser.add_argument("-o", "--output", type=rules_output, default=STDIO, metavar=metavar, help=about)


def rules_output(path: str) -> str:
    """Read the name of a file for rules as text; raises SbmtError for that of a packed grammar."""
    if path.endswith(".packed"):
        text = path.removesuffix(".packed") + ".gz"
        raise SbmtError(f"{path}: rules are written as text: name it {text}, then sbmt-rules pack {text} {path}")
    return path


def paired(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The files of --source and --target, side by side; raises SbmtError unless they are equally many."""
    if len(args.source) != len(args.target):
        raise SbmtError(f"{len(args.source)} --source but {len(args.target)} --target: give them in pairs")
    return list(zip(args.source, args.target, strict=True))


def refuse_unused(
    args: argparse.Namespace, parser: argparse.ArgumentParser, chosen: str, used_by: Mapping[str, Collection[str]]
) -> None:
    """Raise SbmtError for an option that is given (not as by default) where what was `chosen` does nothing with it.

    `used_by`: options, by their names in `args`, that not every choice uses, and those that do.
    """
    for name, users in used_by.items():
        if chosen not in users and getattr(args, name) != parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            raise SbmtError(f"{option} is for {', '.join(users)}, not for {chosen}: leave it out")


def to_terminal(path: str) -> bool:
    """Whether an output goes to a terminal, where somebody reads it at once."""
    return path == STDIO and sys.stdout.isatty()


def refuse_page_in_terminal(path: str) -> None:
    """Raise SbmtError where a page of HTML would fill the terminal."""
    if to_terminal(path):
        raise SbmtError("a page of HTML would go to the terminal: name a file for it (-o page.html), or pipe it")


def _owner(text: str) -> str:
    if not text or any(letter in "=|" or letter.isspace() for letter in text):
        raise argparse.ArgumentTypeError(f"{text!r} would not be read back: give one word without = and |")
    return text


def add_reading(parser: OptionGroup) -> None:
    """Declare --owner and --on-error, for commands that read rules."""
    owner = "whose rules they are, for naming values without a name: tm_OWNER_0, tm_OWNER_1 ... (default: pt)"
    parser.add_argument("--owner", type=_owner, default="pt", help=owner)
    parser.add_argument("--on-error", choices=("stop", "skip"), default="stop", help="what to do with a bad line")
