"""Malformed lines, which are set aside in a file beside the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from sbmt.errors import FormatError
from sbmt.io import escaped, open_output, read_lines
from sbmt.paths import check_not_folder, is_stream


def set_aside(output: str, part: str = "") -> Path:
    """Return the file for malformed lines: OUTPUT.skipped, or rules.skipped in the current folder for a stream.

    With several inputs, `part` distinguishes them: OUTPUT.PART.skipped. Raises SbmtError if the output is a folder.
    """
    check_not_folder(output)
    return Path(".".join(["rules" if is_stream(output) else output, *([part] if part else []), "skipped"]))


class SkippedLines:
    """A file of malformed lines, opened with the first one, in a block that says what becomes of it.

    Each is written as NUMBER, PROBLEM, LINE, separated by tabs; bytes of the line that are not text are escaped.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is written or removed before a block begins, since the run may fail earlier."""
        self.path, self.count = path, 0
        self._opened = ExitStack()
        self._open: Callable[[], AbstractContextManager[IO[str]]] = partial(open_output, path)
        self._stream: IO[str] | None = None

    def __call__(self, number: int, line: str, problem: str) -> None:
        if self._stream is None:
            self._stream = self._opened.enter_context(self._open())
        self._stream.write(f"{number}\t{problem}\t{escaped(line)}\n")
        self.count += 1

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Replace the file of an earlier run at the end of the block; if it fails, that file stays as it was."""
        with self._opened:
            yield
        if not self.count:
            self.discard()

    @contextmanager
    def growing(self, lines: int = 0) -> Iterator[None]:
        """Write each line at once, so that those of an interrupted run stay.

        What an earlier run left is removed; if it is resumed, entries for the first `lines` lines of its input stay.

        Raises FormatError for a line of the file that does not begin with a number.
        """
        self.count = self._keep(lines)
        self._open = partial(self.path.open, "a", buffering=1, encoding="utf-8")  # written at the end of each line
        with self._opened:
            yield

    def discard(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def _keep(self, lines: int) -> int:
        kept = []
        if lines and self.path.exists():
            for number, line in enumerate(read_lines(self.path), 1):
                first = line.partition("\t")[0]
                if not (first.isascii() and first.isdecimal()):
                    cure = "start without --resume"
                    raise FormatError(str(self.path), number, "does not begin with the number of a bad line", cure)
                kept += [line] if int(first) <= lines else []
        if kept:
            self.path.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
        else:
            self.discard()
        return len(kept)
