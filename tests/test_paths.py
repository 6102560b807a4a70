"""Checks of paths that must not be written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sbmt.errors import SbmtError
from sbmt.files import atomic_path
from sbmt.io import write_lines
from sbmt.paths import check_output_folder, check_outputs, check_replaceable, is_same


def test_a_pipe_or_a_folder_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "folder").mkdir()
    for name, what in {
        "pipe": "a device or a pipe, which a file would replace",
        "link": "a device or a pipe, which a file would replace",
        "folder": "a folder",
    }.items():
        with pytest.raises(SbmtError) as caught, atomic_path(tmp_path / name):
            pytest.fail("nothing is to be written")
        assert str(caught.value) == f"{tmp_path / name}: is {what}; name a file to write to"
    assert sorted(os.listdir(tmp_path)) == ["folder", "link", "pipe"]
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


def test_a_folder_is_refused_as_an_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkdir("folder")
    os.mkdir("-")
    for path, name in (("folder", "folder"), (Path("folder"), "folder"), ("", "''")):
        with pytest.raises(SbmtError) as caught:
            write_lines(path, ["line"])
        assert str(caught.value) == f"{name}: is a folder; name a file"
        with pytest.raises(SbmtError, match=f"{name}: is a folder; name a file"):
            check_outputs(["-", path], [])
    assert sorted(os.listdir()) == ["-", "folder"]


def test_files_beside_outputs_replace_no_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor over files that an output may replace; a hard link is the same file."""
    monkeypatch.chdir(tmp_path)
    Path("in").touch()
    os.link("in", "out.state")
    check_outputs(["in"], [], ["out.partial"], ["in"])
    for read, replaced in ((["out.state"], []), ([], ["out.state"]), ([], ["in"])):
        with pytest.raises(SbmtError) as caught:
            check_outputs(["out"], read, ["out.partial", "out.state"], replaced)
        message = "out.state is read, but has the name of a file to be written: rename it, or the output"
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("FILE >> FILE", "FILE"),
        ("- < FILE >> FILE", "standard input"),
        ("link 1<> FILE", "link"),
        ("FILE > FILE", "FILE"),
        ("FILE > other", None),
        ("FILE >&-", None),
        ("/dev/null > /dev/null", None),
        ("- < /dev/null > /dev/null", None),
        ("FILE | cat >> FILE", None),
    ],
)
def test_standard_output_is_not_an_input(tmp_path: Path, line: str, named: str | None) -> None:
    """It would grow while it is read."""
    (tmp_path / "FILE").write_text("text\n")
    os.link(tmp_path / "FILE", tmp_path / "link")
    program = "import sys; from sbmt.paths import check_outputs as c; c(['-'], [], (), sys.argv[1:])"
    shell = ["bash", "-c", f'{sys.executable} -P -c "{program}" {line}']
    done = subprocess.run(shell, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    emptied = "; with > the shell has emptied this one" if line == "FILE > FILE" else ""
    said = f"SbmtError: standard output goes to a file that is read ({named}): name another one{emptied}"
    assert done.stderr.splitlines()[-1:] == ([f"sbmt.errors.{said}"] if named else [])


@pytest.mark.parametrize("name", ["out.bz2", "out.txt.ZST", "out.zip"])
def test_unsupported_archives_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    message = f"{name}: only gzip and xz are written: let the name end in .gz or .xz"
    for write in (lambda: check_outputs([path], []), lambda: write_lines(path, ["line"])):
        with pytest.raises(SbmtError, match=message):
            write()
    assert not list(tmp_path.iterdir())


def test_a_link_to_itself(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    assert is_same(loop, loop)
    assert not is_same(loop, tmp_path / "file")
    with pytest.raises(SbmtError, match="loop: is a link that leads back to itself; name a file to write to"):
        write_lines(loop, ["line"])
    assert loop.is_symlink()


def test_a_place_where_no_file_can_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("old")
    for below in ("file/x", "file/x/y"):
        with pytest.raises(SbmtError, match=f"^{below}: cannot be written: file is not a folder$"):
            write_lines(below, ["line"])
    check_outputs(["new/folder/x", os.devnull], [])
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)  # as for who is not root
    with pytest.raises(SbmtError, match=r"^file: cannot be written: permission denied; see chmod$"):
        check_replaceable("file")
    check_replaceable("new")


@pytest.mark.parametrize("name", ["there", "new", "new/newer", "link"])
@pytest.mark.parametrize(
    ("flag", "refused"),
    [(0, "permission denied; see chmod"), (os.ST_RDONLY, "its disk is read-only; name a file elsewhere")],
)
def test_a_folder_that_may_not_be_changed_is_refused_before_the_work(
    name: str, flag: int, refused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, path = tmp_path / "folder", tmp_path / "folder" / name
    folder.mkdir()
    (folder / "there").write_text("old")
    if name == "link":
        path = tmp_path / name
        path.symlink_to(folder / "new")
    check_outputs([path], [])
    monkeypatch.setattr("os.access", lambda place, mode: Path(place) != folder)  # as for who is not root
    monkeypatch.setattr("os.statvfs", lambda place: SimpleNamespace(f_flag=flag))
    with pytest.raises(SbmtError, match=f"^{path}: cannot be written: {refused}$"):
        check_outputs([path], [])
    if name == "new":
        with pytest.raises(SbmtError, match=f"^{path}: cannot be written: {refused}$"):
            check_output_folder(path)
    check_outputs([tmp_path / "elsewhere"], [])
    check_output_folder(tmp_path)


@pytest.mark.parametrize("letter", ["n", "\N{KATAKANA LETTER NU}"])
def test_a_name_as_long_as_may_be(tmp_path: Path, letter: str) -> None:
    path = tmp_path / (letter * (255 // len(letter.encode())))
    assert write_lines(path, ["line"]) == 1
    assert list(tmp_path.iterdir()) == [path]
