"""What a path names: a standard stream, a pipe, a file or a folder, and whether it can be written to."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from sbmt.errors import SbmtError

STDIO = "-"
_FOREIGN = (".7z", ".br", ".bz2", ".lz4", ".rar", ".zip", ".zst")  # what names of compressed files end in


def display_name(path: str | Path) -> str:
    """What messages and headings call a path: "standard input" for "-"."""
    return "standard input" if str(path) == STDIO else str(path)


def written(path: str | Path, what: str) -> str:
    """What is said of a file once it is written; of standard output, which has no name, only what went there."""
    return what if str(path) == STDIO else f"wrote {path}: {what}"


def is_stream(path: str | Path) -> bool:
    """Whether a path leads to a standard stream, a device or a pipe: read and written once, with nothing beside it."""
    there = Path(path)
    return str(path) == STDIO or (there.exists() and not there.is_file() and not there.is_dir())


def is_there(path: str | Path) -> bool:
    """Whether there is a file, or a pipe as the shell's `<(command)` names it, and no folder."""
    try:
        return Path(path).exists() and not Path(path).is_dir()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def numbered_files(prefix: str) -> list[str]:
    """Return the files PREFIX0, PREFIX1 ... (or from 1 on, or 00, 01 ...), none where there are neither 0 nor 1.

    Raises SbmtError where one is missing in between.
    """
    folder, start = os.path.split(prefix)
    beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    ends = [file.removeprefix(start) for file in beside if file.startswith(start)]
    numbered = sorted((int(end), prefix + end) for end in ends if end.isdecimal() and end.isascii())
    numbers = [number for number, _ in numbered]
    if not {0, 1} & set(numbers):
        return []
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        found = ", ".join(path for _, path in numbered)
        raise SbmtError(f"{prefix}: these files are not numbered one after the other (found {found}): name the files")
    return [path for _, path in numbered]


def expand(name: str) -> list[str]:
    """Return the file or stream of this name, or else the files that number it; none where there are neither.

    Raises SbmtError as `numbered_files` does.
    """
    return [name] if name == STDIO or is_there(name) else numbered_files(name)


def is_same(one: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to the same file, or both to a standard stream."""
    if STDIO in (str(one), str(other)):
        return str(one) == str(other)
    try:
        return os.path.samefile(one, other)  # also under two names (a hard link)
    except OSError:  # one is not there
        return os.path.realpath(one) == os.path.realpath(other)


def seen_from(folder: str | Path, path: str | Path, within: str | Path) -> str:
    """How a file in `folder` should refer to `path`, so that the tree `within`, which holds the folder, can be moved.

    Relative if `path` lies in that tree too, otherwise absolute. Symbolic links are kept; but ".." behind a link does
    not lead where its text says, so such a path is resolved first, and is absolute if `folder` itself is behind a link.
    """
    start, around = os.path.abspath(folder), os.path.abspath(within)
    given = Path(path)
    linked = Path(os.path.realpath(given.parent), given.name)
    place = linked if ".." in given.parts else Path(os.path.abspath(given))
    if place.is_relative_to(start):
        return str(place.relative_to(start))
    is_linked = os.path.relpath(os.path.realpath(start), os.path.realpath(around)) != os.path.relpath(start, around)
    return str(place) if is_linked or not place.is_relative_to(around) else os.path.relpath(place, start)


def check_standard_input(paths: Sequence[str | Path]) -> None:
    """Raise SbmtError if standard input stands for more than one of the texts."""
    if [str(path) for path in paths].count(STDIO) > 1:
        raise SbmtError("standard input (-) stands for two of the texts: name a file for all but one")


def check_outputs(
    written: Iterable[str | Path],
    read: Sequence[str | Path],
    beside: Iterable[str | Path] = (),
    replaced: Sequence[str | Path] = (),
) -> None:
    """Raise SbmtError for what `check_writable` refuses, a file over one that is read, and standard output that is one.

    `beside`: what a command writes under names of its own choice. `replaced`: files that are read, too, but which an
    output may replace at the end; nothing beside it may.
    """
    for output in written:
        check_writable(output)
        if _is_read(output, read):
            raise SbmtError(f"{output} is read: give another name to write to")
        if str(output) == STDIO:
            _check_standard_output([*read, *replaced])
    for path in beside:
        if _is_read(path, [*read, *replaced]):
            raise SbmtError(f"{path} is read, but has the name of a file to be written: rename it, or the output")


def _is_read(output: str | Path, read: Iterable[str | Path]) -> bool:
    return not is_stream(output) and any(is_same(output, path) or _is_piped(output, path) for path in read)


def _is_piped(output: str | Path, path: str | Path) -> bool:
    """Whether a path is standard input, and that comes from the file at `output` (`< FILE`)."""
    try:
        return str(path) == STDIO and os.path.samestat(os.fstat(0), os.stat(output))
    except OSError:  # closed, or not there yet
        return False


def _check_standard_output(read: Iterable[str | Path]) -> None:
    """Raise SbmtError where standard output is a file that is read (`>> FILE`): it would grow and never end."""
    for path in read:
        try:
            there = os.fstat(0) if str(path) == STDIO else os.stat(path)
            is_output = stat.S_ISREG(there.st_mode) and os.path.samestat(there, os.fstat(1))
        except OSError:  # one is closed, or not there
            continue
        if is_output:
            problem = f"standard output goes to a file that is read ({display_name(path)})"
            emptied = "" if there.st_size else "; with > the shell has emptied this one"
            raise SbmtError(f"{problem}: name another one{emptied}")


def check_writable(path: str | Path) -> None:
    """Raise SbmtError for a folder, and for the name of an archive that we neither write nor read."""
    check_not_folder(path)
    if Path(path).suffix.lower() in _FOREIGN:
        raise SbmtError(f"{path}: only gzip and xz are written: let the name end in .gz or .xz")


def check_not_folder(path: str | Path) -> None:
    """Raise SbmtError for a folder, where a file or a stream is due."""
    if str(path) != STDIO and Path(path).is_dir():
        raise SbmtError(f"{path or repr(path)}: is a folder; name a file")


def check_readable_file(path: str) -> None:
    """Raise SbmtError for what cannot be read: no file, or a folder."""
    if path == STDIO:
        return
    if path:
        check_not_folder(path)
    if not is_there(path):
        raise SbmtError(f"{path or repr(path)}: no such file")
    if not os.access(path, os.R_OK):
        raise SbmtError(f"{path}: cannot be read")


def check_output_file(path: str | Path) -> None:
    """Raise SbmtError for what is not a file, where a stream will not do."""
    if str(path) == STDIO:
        raise SbmtError(f"{path}: is standard output; name a file to write to")
    check_replaceable(path)


def check_replaceable(path: str | Path) -> None:
    """Raise SbmtError for what no file must replace: a folder, a device, a pipe, a link to itself, a read-only file.

    So for a place in what is no folder.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # what it leads to would have been found
        raise SbmtError(f"{path}: is a link that leads back to itself; name a file to write to")
    if target.exists() and not target.is_file():
        kind = "a folder" if target.is_dir() else "a device or a pipe, which a file would replace"
        raise SbmtError(f"{path}: is {kind}; name a file to write to")
    if target.exists() and not os.access(target, os.W_OK):
        raise SbmtError(f"{path}: cannot be written: {os.strerror(errno.EACCES)}")
    above = next((parent for parent in Path(path).parents if parent.exists()), None)
    if above is not None and not above.is_dir():
        raise SbmtError(f"{path}: cannot be written: {above} is not a folder")


def check_output_folder(path: str | Path) -> None:
    """Raise SbmtError for what is there and is no folder, where files are to be written into one."""
    if Path(path).exists() and not Path(path).is_dir():
        raise SbmtError(f"{path}: is no folder; name one, or a new one")
