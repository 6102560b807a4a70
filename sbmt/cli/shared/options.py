"""Options shared by several commands; functions take a parser or a group of options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Mapping

from sbmt.cli.shared.parsers import natural
from sbmt.errors import SbmtError
from sbmt.paths import STDIO
from sbmt.ppdb.rule import DEFAULT_OWNER

OptionGroup = argparse._ActionsContainer  # the base class of parsers and groups
_MIN_SAMPLES = 100  # fewer leave hardly any beyond the bounds of a 95 % interval
_MAX_SAMPLES = 1_000_000  # many times what the bounds of an interval need
DEFAULT_MODEL = "starter"  # the packaged one
RULES_OUT = "PPDB's format, compressed if .gz or .xz"  # help text of an output


def add_jobs(parser: OptionGroup, help_text: str = "processes; 0: all cores (default: %(default)s)") -> None:
    """Declare --jobs."""
    parser.add_argument("--jobs", type=natural, default=1, metavar="N", help=help_text)


def add_samples(parser: OptionGroup) -> None:
    """Declare --samples."""
    from sbmt.metrics.significance import RESAMPLES

    help_text = "bootstrap samples of the intervals (0: none; default: %(default)s)"
    parser.add_argument("--samples", type=_samples, default=RESAMPLES, help=help_text)


def _samples(text: str) -> int:
    number = natural(text)
    if 0 < number < _MIN_SAMPLES:
        raise argparse.ArgumentTypeError(f"{number} is too few for an interval: 0 for none, or at least {_MIN_SAMPLES}")
    if number > _MAX_SAMPLES:
        raise argparse.ArgumentTypeError(f"{number} is too many: at most {_MAX_SAMPLES:,}")
    return number


def add_output(parser: OptionGroup, metavar: str = "OUT") -> None:
    """Declare -o, --output for rules."""
    help_text = f"{RULES_OUT} (default: standard output)"
    parser.add_argument("-o", "--output", type=rules_output, default=STDIO, metavar=metavar, help=help_text)


def rules_output(path: str) -> str:
    """Return the path of an output for rules as text; raises SbmtError for a packed grammar's."""
    if path.endswith(".packed"):
        text = path.removesuffix(".packed") + ".gz"
        raise SbmtError(f"{path}: rules are written as text: name it {text}, then sbmt-rules pack {text} {path}")
    return path


def paired(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return pairs of files of --source and --target; raises SbmtError if their numbers differ."""
    if len(args.source) != len(args.target):
        raise SbmtError(f"{len(args.source)} --source but {len(args.target)} --target: give them in pairs")
    return list(zip(args.source, args.target, strict=True))


def refuse_unused(
    args: argparse.Namespace, parser: argparse.ArgumentParser, chosen: str, used_by: Mapping[str, Collection[str]]
) -> None:
    """Raise SbmtError for an option with another value than its default that the `chosen` command does not use.

    used_by: attributes of `args` for options that not every choice uses -> the choices that use them.
    """
    for name, users in used_by.items():
        if chosen not in users and getattr(args, name) != parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            raise SbmtError(f"{option} is for {', '.join(users)}, not for {chosen}: leave it out")


def to_terminal(path: str) -> bool:
    """Whether an output goes to a terminal."""
    return path == STDIO and sys.stdout.isatty()


def refuse_page_in_terminal(path: str) -> None:
    """Raise SbmtError if a page of HTML would be written to the terminal."""
    if to_terminal(path):
        raise SbmtError("a page of HTML would go to the terminal: name a file for it (-o page.html), or pipe it")


def _owner(text: str) -> str:
    if not text or any(letter in "=|" or letter.isspace() for letter in text):
        raise argparse.ArgumentTypeError(f"{text!r} would not be read back: give one word without = and |")
    return text


def add_reading(parser: OptionGroup) -> None:
    """Declare --owner and --on-error for commands that read rules."""
    owner = "whose rules they are, for naming values without a name: tm_OWNER_0, tm_OWNER_1 ... (default: %(default)s)"
    parser.add_argument("--owner", type=_owner, default=DEFAULT_OWNER, help=owner)
    on_error = "at a bad line, stop (default), or set it aside in OUT.skipped (without OUT: rules.skipped) and go on"
    parser.add_argument("--on-error", choices=("stop", "skip"), default="stop", help=on_error)
