"""Parsers that commands make: help with examples, verbs, `--version`, errors in one line, and kinds of numbers."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING, Any, NoReturn

from sbmt.config import MOST_COUNTED
from sbmt.version import __version__

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]  # cannot be subscripted at run time

_WIDTH = 79  # of a description, which argparse prints as it is


class _Parser(argparse.ArgumentParser):
    """One that says in a line what is wrong, as commands do with all else; those of verbs are of this class, too."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message}; see {self.prog} --help\n")


def new_parser(description: str, examples: str) -> argparse.ArgumentParser:
    """An argument parser with examples below the options and `--version`."""
    return _with_version(_Parser(**_described(description, examples)))


def add_verb(verbs: Verbs, name: str, about: str, description: str, examples: str) -> argparse.ArgumentParser:
    """Declare a command within a command, such as `sbmt-rules filter`, with a --help of its own.

    `about` is for the list of commands, `description` and `examples` for its --help.
    """
    return _with_version(verbs.add_parser(name, help=about, **_described(description, examples)))


def _described(description: str, examples: str) -> dict[str, Any]:
    """What makes a parser print its description in lines of a terminal's width, and examples below the options."""
    return {
        "description": textwrap.fill(description, _WIDTH, break_on_hyphens=False),
        "epilog": f"examples:\n{examples}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def _with_version(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def natural(text: str) -> int:
    """Read an option that is a whole number, 0 to a billion."""
    return _at_least(0, text)


def positive(text: str) -> int:
    """Read an option that is a whole number, 1 to a billion."""
    return _at_least(1, text)


def _at_least(least: int, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if value < least:
        raise argparse.ArgumentTypeError(f"{value} is less than {least}")
    if value > MOST_COUNTED:
        raise argparse.ArgumentTypeError(f"{value} is more than {MOST_COUNTED:,}")
    return value
