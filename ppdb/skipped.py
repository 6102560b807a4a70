"""Malformed lines, set aside in a file beside the output."""

from __future__ import annotations

from pathlib import Path

from sbmt.io import read_lines
from sbmt.paths import check_not_folder, is_stream


class SkippedLines:
    """Collects them, so that none is lost; the file appears with the first.

    Each is written as NUMBER, PROBLEM, LINE with tabs between.
    """

    def __init__(self, path: Path, resume: bool = False) -> None:
        """Removes what an earlier run left, unless that run is to be resumed (see `keep`)."""
        self.path, self.count = path, 0
        if not resume:
            path.unlink(missing_ok=True)

    @classmethod
    def beside(cls, output: str, part: str = "", resume: bool = False) -> SkippedLines:
        """In OUTPUT.skipped, or in rules.skipped in the current folder where the output is a stream.

        `part` tells several inputs apart: OUTPUT.PART.skipped. Raises SbmtError if the output is a folder.
        """
        check_not_folder(output)
        names = ["rules" if is_stream(output) else output, *([part] if part else []), "skipped"]
        return cls(Path(".".join(names)), resume)

    def __call__(self, number: int, line: str, problem: str) -> None:
        with self.path.open("a" if self.count else "w", encoding="utf-8") as stream:
            stream.write(f"{number}\t{problem}\t{line}\n")
        self.count += 1

    def keep(self, lines: int) -> None:
        """Go on after an interrupted run: what it set aside stays if it is among the first `lines` lines."""
        if self.path.exists():
            found = [line for line in read_lines(self.path) if int(line.partition("\t")[0]) <= lines]
            self.count = len(found)
            if found:
                self.path.write_text("".join(line + "\n" for line in found), encoding="utf-8")
            else:
                self.path.unlink()
