"""Parsers that commands make: help with examples, verbs, `--version`, errors in one line, and kinds of options."""

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
_NUMBER = re.compile(r"-\.?\d")  # what begins like this is a value, as from Python 3.14 on, and no option
_WIDTH = 79  # of a description, which argparse prints as it is


class _Parser(argparse.ArgumentParser):
    """One that says in a line what is wrong, as commands do with all else; those of verbs are of this class, too.

    An option's value may be a sum that begins with a negative weight, -0.5*fkgl+sari.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._negative_number_matcher = _NUMBER

    def error(self, message: str) -> NoReturn:
        self.exit(2, one_line(f"{self.prog}: error: {message}; see {self.prog} --help") + "\n")


def new_parser(description: str, examples: str) -> argparse.ArgumentParser:
    """An argument parser with examples below the options and `--version`."""
    return _with_version(_Parser(**_described(description, examples)))


def add_verb(
    verbs: Verbs, name: str, run: Callable[[argparse.Namespace], None], about: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """Declare a command within a command, such as `sbmt-rules filter`, with a --help of its own.

    `run` is what it does, `args.run` of arguments that name it. `about` is for the list of commands, `description` and
    `examples` for its --help.
    """
    parser = _with_version(verbs.add_parser(name, help=about, **_described(description, examples)))
    parser.set_defaults(run=run)
    return parser


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


def add_named(
    parser: argparse.ArgumentParser,
    option: str,
    form: str,
    help_text: str,
    read: Callable[[str], Any],
    *,
    at_last: bool = False,
) -> None:
    """Declare an option NAME=VALUE that may be repeated: values by their names, none by default.

    `form` is how help and messages write it; `read` makes the value of its text, and raises ValueError for what is
    none. The first "=" ends the name, or `at_last` the last, where names may hold others. Reading raises SbmtError for
    another form and a name given twice.
    """
    about: dict[str, Any] = {"metavar": form, "help": help_text, "read": read, "at_last": at_last}
    parser.add_argument(option, action=_Named, default={}, **about)


class _Named(argparse.Action):
    """Adds a value to those that an option has given by name."""

    def __init__(self, *args: Any, read: Callable[[str], Any], at_last: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._read, self._divide = read, str.rpartition if at_last else str.partition

    def __call__(self, parser: object, namespace: argparse.Namespace, text: Any, option: str | None = None) -> None:
        name, equals, value = self._divide(text, "=")
        try:
            if not (name and equals):
                raise ValueError(text)
            found = self._read(value)
        except ValueError:
            raise SbmtError(f"{option} {text}: not of the form {self.metavar}") from None
        named = getattr(namespace, self.dest)
        if name in named:
            raise SbmtError(f"{option} {text}: {name} is given before: leave one of the two out")
        setattr(namespace, self.dest, {**named, name: found})


def number(text: str) -> float:
    """Read a number, also an infinite one; raises ValueError for what is none."""
    value = float(text)
    if math.isnan(value):
        raise ValueError(text)
    return value


def file_name(text: str) -> str:
    """Read the name of a file; raises ValueError for an empty one."""
    if not text:
        raise ValueError(text)
    return text


@contextmanager
def settings_of_options() -> Iterator[None]:
    """Turn ConfigError of a setting into SbmtError of the option that has its name: `--max-phrase: 30 is not ...`."""
    try:
        yield
    except ConfigError as error:
        name, colon, problem = str(error).partition(":")
        raise SbmtError(f"--{name.replace('_', '-')}{colon}{problem}") from None
