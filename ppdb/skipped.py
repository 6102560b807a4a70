"""Malformed lines, set aside in a file beside the output."""

from __future__ import annotations

from pathlib import Path

from sbmt.errors import FormatError
from sbmt.io import escaped, read_lines
from sbmt.paths import check_not_folder, is_stream


def set_aside(output: str, part: str = "") -> Path:
    """Where bad lines go: OUTPUT.skipped, or rules.skipped in the current folder where the output is a stream.

    `part` tells several inputs apart: OUTPUT.PART.skipped. Raises SbmtError if the output is a folder.
    """
    check_not_folder(output)
    return Path(".".join(["rules" if is_stream(output) else output, *([part] if part else []), "skipped"]))


class SkippedLines:
    """Collects them, so that none is lost; the file appears with the first.

    Each is written as NUMBER, PROBLEM, LINE with tabs between; bytes of the line that are no text are escaped.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is written or removed before `begin`: the run may have to stop first."""
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
        """Remove what an earlier run left; of one that is resumed, what is among the first `lines` lines stays.

        Raises FormatError where a line of the file does not begin with a number.
        """
        found = []
        if lines and self.path.exists():
            for number, line in enumerate(read_lines(self.path), 1):
                first = line.partition("\t")[0]
                if not (first.isascii() and first.isdecimal()):
                    cure = "start without --resume"
                    raise FormatError(str(self.path), number, "does not begin with the number of a bad line", cure)
                found += [line] if int(first) <= lines else []
        self.count = len(found)
        if found:
            self.path.write_text("".join(line + "\n" for line in found), encoding="utf-8")
        else:
            self.discard()
