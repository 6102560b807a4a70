"""Argument parsers of commands: help with examples, subcommands, `--version`, errors in one line, option types."""

from __future__ import annotations

import argparse
import math
import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias

from sbmt.cli.shared.command import one_line
from sbmt.config import MOST_COUNTED, ConfigError
from sbmt.errors import SbmtError
from sbmt.version import __version__

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # quoted, for it takes no [] at run time
# An argument that begins like this is a value, not an option: a number (as in Python 3.14), or a feature, -logp(e|f).
_VALUE = re.compile(r"-(\.?\d|\w+\()")
_WIDTH = 79  # of a description, which argparse prints unchanged


class _Parser(argparse.ArgumentParser):
    """A parser that prints errors in one line, like all errors of commands; subcommands' parsers have this class, too.

    An option's value may be a sum that begins with a negative weight, -0.5*fkgl+sari, or a feature with a minus in its
    name, -logp(e|f).
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._negative_number_matcher = _VALUE

    def error(self, message: str) -> NoReturn:
        self.exit(2, one_line(f"{self.prog}: error: {message}; see {self.prog} --help") + "\n")


def new_parser(description: str, examples: str) -> argparse.ArgumentParser:
    """Return an argument parser with examples below the options and `--version`."""
    return _with_version(_Parser(**_help_settings(description, examples)))


def add_verb(
    verbs: Verbs, name: str, run: Callable[[argparse.Namespace], None], about: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """Declare a subcommand, such as `sbmt-rules filter`, with its own --help.

    run: the function of the subcommand, which becomes `args.run`. about: its line in the list of subcommands.
    description, examples: for its --help.
    """
    parser = _with_version(verbs.add_parser(name, help=about, **_help_settings(description, examples)))
    parser.set_defaults(run=run)
    return parser


def _help_settings(description: str, examples: str) -> dict[str, Any]:
    """Return parser arguments for a wrapped description, and examples below the options."""
    return {
        "description": textwrap.fill(description, _WIDTH, break_on_hyphens=False),
        "epilog": f"examples:\n{examples}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def _with_version(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def natural(text: str) -> int:
    """Parse an option that is a whole number, 0 to a billion."""
    return _whole_number(text, least=0)


def positive(text: str) -> int:
    """Parse an option that is a whole number, 1 to a billion."""
    return _whole_number(text, least=1)


def _whole_number(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if value < least:
        raise argparse.ArgumentTypeError(f"{value} is less than {least}")
    if value > MOST_COUNTED:
        raise argparse.ArgumentTypeError(f"{value} is more than {MOST_COUNTED:,}")
    return value


def add_named(
    parser: argparse.ArgumentParser,
    option: str,
    form: str,
    help_text: str,
    read: Callable[[str], Any],
    *,
    at_last: bool = False,
) -> None:
    """Declare a repeatable option NAME=VALUE, parsed to values by name; none by default.

    form: how help and messages write it. read: parses a value, and raises ValueError if that is invalid. at_last: the
    last "=" ends the name instead of the first, for names that may contain "=". Parsing raises SbmtError for another
    form and a name given twice.
    """
    settings: dict[str, Any] = {"metavar": form, "help": help_text, "read": read, "at_last": at_last}
    parser.add_argument(option, action=_Named, default={}, **settings)


class _Named(argparse.Action):
    """An action that adds a value to a dictionary by name."""

    def __init__(self, *args: Any, read: Callable[[str], Any], at_last: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._read, self._divide = read, str.rpartition if at_last else str.partition

    def __call__(self, parser: object, namespace: argparse.Namespace, text: Any, option: str | None = None) -> None:
        name, equals, value = self._divide(text, "=")
        try:
            if not (name and equals):
                raise ValueError(text)
            parsed = self._read(value)
        except ValueError:
            raise SbmtError(f"{option} {text}: not of the form {self.metavar}") from None
        values = getattr(namespace, self.dest)
        if name in values:
            raise SbmtError(f"{option} {text}: {name} is given before: leave one of the two out")
        setattr(namespace, self.dest, {**values, name: parsed})


def number(text: str) -> float:
    """Parse a number, possibly infinite; raises ValueError for anything else, also NaN."""
    value = float(text)
    if math.isnan(value):
        raise ValueError(text)
    return value


def file_name(text: str) -> str:
    """Return the name of a file; raises ValueError for an empty one."""
    if not text:
        raise ValueError(text)
    return text


@contextmanager
def settings_of_options() -> Iterator[None]:
    """Turn ConfigError of a setting into SbmtError of the option with its name: `--max-phrase: 30 is not ...`."""
    try:
        yield
    except ConfigError as error:
        name, colon, problem = str(error).partition(":")
        raise SbmtError(f"--{name.replace('_', '-')}{colon}{problem}") from None
