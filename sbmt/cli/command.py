"""What every command shares: one line on stderr and exit code 2 for a user's error, quiet on a closed pipe."""

from __future__ import annotations

import argparse
import functools
import logging
import os
import sys
from collections.abc import Callable, Sequence

from sbmt.errors import SbmtError
from sbmt.version import __version__

Main = Callable[[Sequence[str] | None], int | None]


def command(main: Main) -> Callable[[Sequence[str] | None], int]:
    """Turn `main(argv)` into a console entry point that never shows a traceback for a foreseeable error."""

    @functools.wraps(main)
    def run(argv: Sequence[str] | None = None) -> int:
        name = os.path.basename(sys.argv[0])
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format=f"{name}: %(message)s")
        try:
            if sys.stdout is None:
                raise SbmtError("standard output is closed")
            code = main(argv) or 0
            sys.stdout.flush()
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            print(f"{name}: error: {character!a} cannot be written in {error.encoding}: use utf-8", file=sys.stderr)
            return 2
        except SbmtError as error:
            print(f"{name}: error: {error}", file=sys.stderr)
            return 2
        except BrokenPipeError:
            # The reader (`| head`) has enough; the interpreter's last flush must not complain either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt:
            print(f"{name}: interrupted", file=sys.stderr)
            return 130
        except OSError as error:
            print(f"{name}: error: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
            return 2
        return code

    return run


def natural(text: str) -> int:
    """Read an option that is a whole number, 0 or more."""
    return _at_least(0, text)


def positive(text: str) -> int:
    """Read an option that is a whole number, 1 or more."""
    return _at_least(1, text)


def _at_least(least: int, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if value < least:
        raise argparse.ArgumentTypeError(f"{value} is less than {least}")
    return value


def parser(description: str, examples: str) -> argparse.ArgumentParser:
    """An argument parser with examples below the options and `--version`."""
    made = argparse.ArgumentParser(
        description=description,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return made
