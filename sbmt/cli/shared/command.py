"""Entry points of commands: one line on stderr and exit code 2 for a user's error, silence on a closed pipe."""

from __future__ import annotations

import atexit
import errno
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

from sbmt.errors import SbmtError, system_cause

Main = Callable[[Sequence[str] | None], None]  # takes the arguments; None: those of the process


class EntryPoint(Protocol):
    """A console entry point: returns the exit code."""

    def __call__(self, argv: Sequence[str] | None = None) -> int: ...


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_OUT_OF_MEMORY = "out of memory: give it shorter lines, fewer --jobs or more memory"
_NOT_MAPPED = "failed to map segment"  # the loader's words for a library that memory has no room for


def command(main: Main) -> EntryPoint:
    """Turn `main(argv)` into a console entry point that never shows a traceback for a foreseeable error."""

    @functools.wraps(main)
    def run(argv: Sequence[str] | None = None) -> int:
        name = os.path.basename(sys.argv[0])
        if sys.stderr is None:  # closed: messages are lost, and must not get into the output
            sys.stderr = _null_standard_error()
        _configure_logging(name)
        logging.getLogger("sbmt").setLevel(logging.INFO)  # other packages log only warnings
        try:
            if sys.stdout is None:
                raise SbmtError("standard output is closed")
            with _termination_as_exception():
                _run_and_flush(main, argv)
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
            _say(f"{name}: error: {_OUT_OF_MEMORY}")
            return 2
        except ImportError as error:
            if _NOT_MAPPED not in str(error):
                raise
            _say(f"{name}: error: {_OUT_OF_MEMORY} (see ulimit -v): {error}")
            return 2
        except BrokenPipeError:
            return 0  # the reader (`| head`) has enough
        except KeyboardInterrupt as error:
            _say(": ".join([name, "interrupted", *error.args]))
            return 130
        except _Terminated as error:
            _discard_output()  # its reader may be stalled
            with suppress(OSError):  # the terminal may be gone
                print(f"{name}: terminated", file=sys.stderr)
            return 128 + error.signal
        except OSError as error:
            _say(f"{name}: error: {_described(error)}")
            return 2
        finally:
            _settle_output()
            atexit.unregister(_silence_late_interrupt)
            atexit.register(_silence_late_interrupt)  # registered last, so that it runs first

    return run


def one_line(message: str) -> str:
    """Return a message with its control characters escaped: file names may hold line ends or terminal codes."""
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], message)


def _say(message: str) -> None:
    print(one_line(message), file=sys.stderr)


class _OneLine(logging.Formatter):
    """A formatter whose messages are escaped by `one_line`."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's name)
        return one_line(super().formatMessage(record))


def _configure_logging(name: str) -> None:
    """Log to standard error, unless the caller has configured logging."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine(f"{name}: %(message)s"))
    logging.basicConfig(handlers=[handler])


def _null_standard_error() -> TextIO:
    """Return a stream to nowhere as descriptor 2, which child processes such as joblib's workers need."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.fstat(2)
    except OSError:
        os.dup2(null, 2)
    if null == 2:
        os.set_inheritable(2, True)
    return os.fdopen(null, "w", encoding="utf-8")


def _silence_late_interrupt() -> None:
    """From here on, Ctrl-C ends the process without a traceback from library clean-up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _described(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is None:  # only os.getcwd() raises this
        return "the current folder is gone: go to another one"
    if error.errno == errno.EMFILE:  # whichever file was the last one
        return f"{system_cause(error)}: raise it, or use fewer --jobs"
    return f"{error.filename or 'output'}: {system_cause(error)}" if error.strerror else str(error)


def _run_and_flush(main: Main, argv: Sequence[str] | None) -> None:
    """Run `main` and flush its output, also if argparse ends it (`--help`)."""
    try:
        main(argv)
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()


class _Terminated(BaseException):
    """A termination signal as an exception, so that temporary files are removed and workers end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


@contextmanager
def _termination_as_exception() -> Iterator[None]:
    """Turn the first SIGTERM or SIGHUP (the terminal is gone) into an exception; a second ends the process at once."""

    def stop(number: int, frame: object) -> None:
        reset()
        raise _Terminated(number)

    def reset() -> None:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)

    handled: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():  # other threads may not set handlers
        # The parent process may have set a signal to be ignored (nohup), or the caller may handle it.
        handled += [number for number in _ENDING if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, stop)
    try:
        yield
    finally:
        reset()


def _settle_output() -> None:
    """Flush the output, or discard what cannot be written, so that the interpreter does not complain at its end."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    with suppress(AttributeError, OSError, ValueError):  # a replaced standard output may have no file descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
