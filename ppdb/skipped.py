"""Malformed lines, which are set aside in a file beside the output."""

from __future__ import annotations

from pathlib import Path

from sbmt.errors import FormatError
from sbmt.io import escaped, read_lines
from sbmt.paths import check_not_folder, is_stream


def set_aside(output: str, part: str = "") -> Path:
    """Return the file for malformed lines: OUTPUT.skipped, or rules.skipped in the current folder for a stream.

    With several inputs, `part` distinguishes them: OUTPUT.PART.skipped. Raises SbmtError if the output is a folder.
    """
    check_not_folder(output)
    return Path(".".join(["rules" if is_stream(output) else output, *([part] if part else []), "skipped"]))


class SkippedLines:
    """A file of malformed lines, created with the first one.

    Each is written as NUMBER, PROBLEM, LINE, separated by tabs; bytes of the line that are not text are escaped.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is written or removed before `begin`, since the run may fail earlier."""
        self.path, self.count = path, 0

    def __call__(self, number: int, line: str, problem: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a" if self.count else "w", encoding="utf-8") as stream:
            stream.write(f"{number}\t{problem}\t{escaped(line)}\n")
        self.count += 1

    def discard(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def begin(self, lines: int = 0) -> None:
        """Remove what an earlier run left; if it is resumed, entries for the first `lines` lines of its input stay.

        Raises FormatError for a line of the file that does not begin with a number.
        """
        kept = []
        if lines and self.path.exists():
            for number, line in enumerate(read_lines(self.path), 1):
                first = line.partition("\t")[0]
                if not (first.isascii() and first.isdecimal()):
                    cure = "start without --resume"
                    raise FormatError(str(self.path), number, "does not begin with the number of a bad line", cure)
                kept += [line] if int(first) <= lines else []
        self.count = len(kept)
        if kept:
            self.path.write_text("".join(line + "\n" for line in kept), encoding="utf-8")
        else:
            self.discard()
