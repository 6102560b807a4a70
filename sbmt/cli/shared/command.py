"""What every command shares: one line on stderr and exit code 2 for a user's error, quiet on a closed pipe."""

from __future__ import annotations

import atexit
import functools
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol, TextIO

from sbmt.errors import SbmtError

Main = Callable[[Sequence[str] | None], None]  # does what arguments say; None: those of the process


class EntryPoint(Protocol):
    """A console entry point: returns the exit code."""

    def __call__(self, argv: Sequence[str] | None = None) -> int: ...


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ENDING = (signal.SIGTERM, signal.SIGHUP)


def command(main: Main) -> EntryPoint:
    """Turn `main(argv)` into a console entry point that never shows a traceback for a foreseeable error."""

    @functools.wraps(main)
    def run(argv: Sequence[str] | None = None) -> int:
        name = os.path.basename(sys.argv[0])
        if sys.stderr is None:  # closed: what is said there is lost, and must not land in the output
            sys.stderr = _nothing_for_standard_error()
        _log_in_lines(name)
        logging.getLogger("sbmt").setLevel(logging.INFO)  # of what other packages say only the warnings
        try:
            if sys.stdout is None:
                raise SbmtError("standard output is closed")
            with _heeding_termination():
                _flushed(main, argv)
            return 0
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            cure = "it is half of a character: take it out" if error.encoding.startswith("utf") else "use utf-8"
            _say(f"{name}: error: {character!a} cannot be written in {error.encoding}: {cure}")
            return 2
        except SbmtError as error:
            _say(f"{name}: error: {error}")
            return 2
        except MemoryError:
            _say(f"{name}: error: out of memory: give it shorter lines, fewer --jobs or more memory")
            return 2
        except BrokenPipeError:
            return 0  # the reader (`| head`) has enough
        except KeyboardInterrupt as error:
            _say(": ".join([name, "interrupted", *error.args]))
            return 130
        except _Terminated as error:
            _discard_output()  # whoever reads it may be stalled
            with suppress(OSError):  # a terminal that is gone takes no more
                print(f"{name}: terminated", file=sys.stderr)
            return 128 + error.signal
        except OSError as error:
            _say(f"{name}: error: {_told(error)}")
            return 2
        finally:
            _settle_output()
            atexit.unregister(_silence_late_interrupt)
            atexit.register(_silence_late_interrupt)  # the last to be registered is the first to run

    return run


def one_line(message: str) -> str:
    """A message with its control characters escaped: a file's name may hold line ends or a terminal's codes."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], message)


def _say(message: str) -> None:
    print(one_line(message), file=sys.stderr)


class _OneLine(logging.Formatter):
    """Escapes what `one_line` does."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        return one_line(super().formatMessage(record))


def _log_in_lines(name: str) -> None:
    """Say on standard error what is logged, unless whoever runs the command has arranged for it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine(f"{name}: %(message)s"))
    logging.basicConfig(handlers=[handler])


def _nothing_for_standard_error() -> TextIO:
    """What swallows what is said, also what processes say that are started later: joblib's need a descriptor 2."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.fstat(2)
    except OSError:
        os.dup2(null, 2)
    if null == 2:
        os.set_inheritable(2, True)
    return os.fdopen(null, "w", encoding="utf-8")


def _silence_late_interrupt() -> None:
    """From here on Ctrl-C ends the process without a traceback of library clean-up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _told(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is None:  # what only asking for it raises
        return "the current folder is gone: go to another one"
    return f"{error.filename or 'output'}: {error.strerror}" if error.strerror else str(error)


def _flushed(main: Main, argv: Sequence[str] | None) -> None:
    """Run `main` and write out what it printed, also where argparse ends it (`--help`)."""
    try:
        main(argv)
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()


class _Terminated(BaseException):
    """A signal to end, as an exception: temporary files go and workers end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


@contextmanager
def _heeding_termination() -> Iterator[None]:
    """Turn the first SIGTERM or SIGHUP (the terminal is gone) into an exception; a second ends the process at once."""

    def stop(number: int, frame: object) -> None:
        reset()
        raise _Terminated(number)

    def reset() -> None:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)

    heeded: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():  # no other may set handlers
        # Whoever started us may ignore one (nohup) or heed it.
        heeded += [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in heeded:
        signal.signal(number, stop)
    try:
        yield
    finally:
        reset()


def _settle_output() -> None:
    """What could not be written is not tried again, with a complaint, as the interpreter ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    with suppress(AttributeError, OSError, ValueError):  # what stands in for standard output may have no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
