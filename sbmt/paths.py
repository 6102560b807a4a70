"""Checks of paths: standard streams, pipes, files and folders, and what can be written."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from sbmt.errors import SbmtError, system_cause

STDIO = "-"
_UNSUPPORTED_SUFFIXES = (".7z", ".br", ".bz2", ".lz4", ".rar", ".zip", ".zst")  # of other compressed files


def display_name(path: str | Path) -> str:
    """Return a path as messages and headings show it: "standard input" for "-"."""
    return "standard input" if str(path) == STDIO else str(path)


def written(path: str | Path, what: str) -> str:
    """Return the message about a written file; for standard output only `what` was written."""
    return what if str(path) == STDIO else f"wrote {path}: {what}"


def is_stream(path: str | Path) -> bool:
    """Whether a path is a standard stream, a device or a pipe, which can be read or written only once."""
    file = Path(path)
    return str(path) == STDIO or (file.exists() and not file.is_file() and not file.is_dir())


def is_there(path: str | Path) -> bool:
    """Whether a path is a file or a pipe (such as the shell's `<(command)`), not a folder."""
    try:
        return Path(path).exists() and not Path(path).is_dir()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def numbered_files(prefix: str) -> list[str]:
    """Return the files PREFIX0, PREFIX1 ... (or from 1 on, or 00, 01 ...); none if neither 0 nor 1 exists.

    Raises SbmtError if one is missing in between.
    """
    folder, base = os.path.split(prefix)
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    suffixes = [file.removeprefix(base) for file in names if file.startswith(base)]
    numbered = sorted((int(suffix), prefix + suffix) for suffix in suffixes if suffix.isdecimal() and suffix.isascii())
    numbers = [number for number, _ in numbered]
    if not {0, 1} & set(numbers):
        return []
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        paths = ", ".join(path for _, path in numbered)
        raise SbmtError(f"{prefix}: these files are not numbered one after the other (found {paths}): name the files")
    return [path for _, path in numbered]


def expand(name: str) -> list[str]:
    """Return the file or stream of this name, otherwise its numbered files, if there are any.

    Raises SbmtError as `numbered_files` does.
    """
    return [name] if name == STDIO or is_there(name) else numbered_files(name)


def is_same(a: str | Path, b: str | Path) -> bool:
    """Whether two paths lead to the same file, or both to a standard stream."""
    if STDIO in (str(a), str(b)):
        return str(a) == str(b)
    try:
        return os.path.samefile(a, b)  # also under two names (a hard link)
    except OSError:  # one does not exist
        return os.path.realpath(a) == os.path.realpath(b)


def seen_from(folder: str | Path, path: str | Path, within: str | Path) -> str:
    """Return how a file in `folder` should refer to `path`, so that the tree `within` around the folder can be moved.

    The result is relative if `path` lies in that tree too, otherwise absolute. Symbolic links are kept. Since ".."
    behind a link does not lead where its text says, such a path is resolved first, and is absolute if `folder` itself
    is behind a link.
    """
    start, tree = os.path.abspath(folder), os.path.abspath(within)
    original = Path(path)
    resolved = Path(os.path.realpath(original.parent), original.name)
    target = resolved if ".." in original.parts else Path(os.path.abspath(original))
    if target.is_relative_to(start):
        return str(target.relative_to(start))
    is_linked = os.path.relpath(os.path.realpath(start), os.path.realpath(tree)) != os.path.relpath(start, tree)
    return str(target) if is_linked or not target.is_relative_to(tree) else os.path.relpath(target, start)


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
    """Raise SbmtError, before hours of work, for what `check_writable` refuses and for an output that is an input.

    An output may be standard output. `beside`: files that a command writes under names of its own choice. `replaced`:
    inputs that an output may replace at the end, but a file in `beside` may not.
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
    """Whether a path is standard input, redirected from the file at `output` (`< FILE`)."""
    try:
        return str(path) == STDIO and os.path.samestat(os.fstat(0), os.stat(output))
    except OSError:  # closed, or does not exist yet
        return False


def _check_standard_output(read: Iterable[str | Path]) -> None:
    """Raise SbmtError if standard output is a file that is read (`>> FILE`), which would grow without end."""
    for path in read:
        try:
            status = os.fstat(0) if str(path) == STDIO else os.stat(path)
            is_output = stat.S_ISREG(status.st_mode) and os.path.samestat(status, os.fstat(1))
        except OSError:  # closed, or does not exist
            continue
        if is_output:
            problem = f"standard output goes to a file that is read ({display_name(path)})"
            hint = "" if status.st_size else "; with > the shell has emptied this one"
            raise SbmtError(f"{problem}: name another one{hint}")


def check_writable(path: str | Path) -> None:
    """Raise SbmtError for a folder, the suffix of an unsupported compressed format, and a file that cannot be written.

    Streams (`is_stream`) are accepted; for others see `check_replaceable`.
    """
    check_not_folder(path)
    if Path(path).suffix.lower() in _UNSUPPORTED_SUFFIXES:
        raise SbmtError(f"{path}: only gzip and xz are written: let the name end in .gz or .xz")
    if not is_stream(path):
        check_replaceable(path)


def check_not_folder(path: str | Path) -> None:
    """Raise SbmtError for a folder."""
    if str(path) != STDIO and Path(path).is_dir():
        raise SbmtError(f"{path or repr(path)}: is a folder; name a file")


def check_readable_file(path: str) -> None:
    """Raise SbmtError for a missing or unreadable file, and for a folder."""
    if path == STDIO:
        return
    if path:
        check_not_folder(path)
    if not is_there(path):
        raise SbmtError(f"{path or repr(path)}: no such file")
    if not os.access(path, os.R_OK):
        raise SbmtError(f"{path}: cannot be read")


def check_output_file(path: str | Path) -> None:
    """Raise SbmtError for standard output, and for what `check_replaceable` refuses."""
    if str(path) == STDIO:
        raise SbmtError(f"{path}: is standard output; name a file to write to")
    check_replaceable(path)


def check_replaceable(path: str | Path) -> None:
    """Raise SbmtError for a path that no file may replace: a folder, a device, a pipe, a cyclic link, a read-only file.

    Also if its parent is not a folder, or one where no file may be created.
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # realpath resolves all but cycles
        raise SbmtError(f"{path}: is a link that leads back to itself; name a file to write to")
    if target.exists() and not target.is_file():
        kind = "a folder" if target.is_dir() else "a device or a pipe, which a file would replace"
        raise SbmtError(f"{path}: is {kind}; name a file to write to")
    parent_folder = next((parent for parent in Path(path).parents if parent.exists()), None)
    if parent_folder is not None and not parent_folder.is_dir():
        raise SbmtError(f"{path}: cannot be written: {parent_folder} is not a folder")
    _check_permission(path, target.parent)  # the file is created anew
    if target.exists():
        _check_permission(path, target)


def check_output_folder(path: str | Path) -> None:
    """Raise SbmtError for an existing path that is not a folder, and for one where no file may be created."""
    if Path(path).exists() and not Path(path).is_dir():
        raise SbmtError(f"{path}: is no folder; name one, or a new one")
    _check_permission(path, Path(os.path.realpath(path)))


def _check_permission(path: str | Path, changed: Path) -> None:
    """Raise SbmtError, naming `path`, if the user may not change a file or folder, or a missing one's parent."""
    existing = next(place for place in (changed, *changed.parents) if place.exists())
    if not os.access(existing, os.W_OK | os.X_OK if existing.is_dir() else os.W_OK):
        is_read_only = os.statvfs(existing).f_flag & os.ST_RDONLY
        refused = system_cause(OSError(errno.EROFS if is_read_only else errno.EACCES, ""))
        raise SbmtError(f"{path}: cannot be written: {refused}")
