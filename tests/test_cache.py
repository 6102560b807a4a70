"""Cached files: their place, and building them once."""

from __future__ import annotations

import errno
import multiprocessing
import os
import pwd
import stat
import tempfile
import time
from pathlib import Path

import pytest

from sbmt.cache import build_once, cached
from sbmt.errors import ModelError, SbmtError
from sbmt.files import atomic_path


def write(path: Path) -> None:
    path.write_text("built")


def full(path: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The parent of the cache folder and the folder for temporary files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_is_built_once(folder: Path) -> None:
    path = cached("file.txt", write, "a file")
    assert path == folder / "cache/sbmt/file.txt"
    assert path.read_text() == "built"
    assert cached("file.txt", full, "a file") == path


def test_cache_in_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(folder / "home"))
    assert cached("file.txt", write, "a file").parent == folder / "home/.cache/sbmt"


def test_a_relative_name_of_the_cache_is_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG Base Directory Specification says."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(folder / "home"))
    assert cached("file.txt", write, "a file").parent == folder / "home/.cache/sbmt"
    assert not (folder / "relative").exists()


def test_leftovers_of_killed_builders_are_removed(folder: Path) -> None:
    """Parts of other files stay."""
    parts = folder / "cache/sbmt"
    parts.mkdir(parents=True)
    with atomic_path(parts / "file.txt.txt") as other, atomic_path(parts / "file.txt") as left:
        cached("file.txt", write, "a file")
        assert not left.exists()
        left.touch()
        assert other.exists()
        other.touch()


def test_a_user_without_a_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs under an arbitrary user id."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)

    def unknown(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    path = cached("file.txt", write, "a file")
    assert path == folder / f"sbmt-{os.getuid()}" / "file.txt"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert cached("file.txt", full, "a file") == path


def test_a_cache_without_permissions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/" + "x" * 300)  # a name too long for any file system
    assert cached("file.txt", write, "a file").parent.name.startswith("sbmt-")


def test_a_file_that_is_not_whole_is_built_anew(folder: Path) -> None:
    """A crash of the machine may leave an empty file under the right name."""
    path = cached("file.txt", write, "a file")
    path.write_text("")
    assert cached("file.txt", write, "a file").read_text() == "built"
    assert cached("file.txt", lambda path: path.write_text("more"), "a file", lambda path: False).read_text() == "more"


def test_a_file_that_was_cut_is_built_anew(folder: Path) -> None:
    """As by a disk that was full while it was copied."""
    path = cached("file.txt", write, "a file")
    path.write_text("buil")
    assert cached("file.txt", write, "a file").read_text() == "built"
    assert cached("file.txt", full, "a file") == path  # that one is whole


def test_unused_versions_are_removed(folder: Path) -> None:
    fresh, used, old, other = (
        cached(name, write, "a file") for name in ("file-1.txt", "file-2.txt", "file-3.txt", "other-3.txt")
    )
    os.utime(fresh, (0, time.time()))  # where the file system keeps no times of access
    os.utime(used, (time.time(), 0))
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))
    new = cached("file-4.txt", write, "a file")
    assert sorted(new.parent.glob("*.txt")) == sorted([fresh, used, other, new])
    assert not old.with_suffix(".lock").exists()


def test_cache_that_cannot_be_written(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    path = cached("file.txt", write, "a file")
    assert path.is_relative_to(folder)
    assert path.parent.name.startswith("sbmt-")
    assert "the cache folder cannot be used" in caplog.text
    caplog.clear()
    monkeypatch.setattr("sbmt.cache._warned_of", set())  # as in the next process
    assert cached("file.txt", full, "a file") == path
    assert not caplog.text


def test_a_file_built_elsewhere_is_copied_later(folder: Path) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    elsewhere = cached("file.txt", write, "a file")
    (folder / "cache").unlink()
    path = cached("file.txt", full, "a file")
    assert (path, path.read_text()) == (folder / "cache/sbmt/file.txt", "built")
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["file.lock", "file.txt"]
    elsewhere.unlink()
    assert cached("file.txt", full, "a file") == path


def test_full_cache(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = cached("file.txt", lambda path: full(path) if "cache" in path.parts else write(path), "a file")
    assert "cache" not in path.parts
    assert f"({folder}/cache/sbmt: the disk is full; make room); building in " in caplog.text
    cached("other.txt", write, "a file")
    caplog.clear()
    cached("third.txt", lambda path: full(path) if "cache" in path.parts else write(path), "a file")
    assert "cannot be used" not in caplog.text  # it was said of the folder


def test_nothing_can_be_written(folder: Path) -> None:
    with pytest.raises(SbmtError, match=r"/sbmt-\d+: cannot be written: the disk is full; make room \(or let XDG_C"):
        cached("file.txt", full, "a file")


@pytest.mark.parametrize("planted", ["open to all", "open to a group", "somebody else's", "a link"])
def test_a_temporary_folder_that_others_can_write_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    """Anybody may make it before us, and put links there that lead to our files."""
    (folder / "cache").write_text("a file where the folder should be")
    (folder / "victim").write_text("precious")
    planted_folder = folder / "made"
    planted_folder.mkdir(mode=0o755)
    (planted_folder / "file.lock").symlink_to(folder / "victim")
    (planted_folder / "file.txt").write_text("not ours")
    number = os.getuid() + (planted == "somebody else's")
    monkeypatch.setattr(os, "getuid", lambda: number)
    place = folder / f"sbmt-{number}"
    if planted == "a link":
        place.symlink_to(planted_folder)
    else:
        planted_folder.rename(place)
    if planted.startswith("open"):
        place.chmod(0o777 if planted == "open to all" else 0o775)
    with pytest.raises(SbmtError, match=r"/sbmt-\d+: is not a folder that you alone can write to \(let XDG_CACHE_HOME"):
        cached("file.txt", write, "a file", lambda path: path.exists())
    assert (folder / "victim").read_text() == "precious"


def test_no_room_for_temporary_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk has no folder for temporary files; the cache on another disk is still used."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [str(folder / "nosuch")])
    assert cached("file.txt", write, "a file") == folder / "cache/sbmt/file.txt"


def test_a_temporary_folder_that_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs pass TMPDIR on to machines without that folder: another one is used."""
    (folder / "cache").write_text("a file where the folder should be")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(folder / "nosuch"))
    monkeypatch.setenv("TEMP", str(folder))
    assert cached("file.txt", write, "a file") == folder / f"sbmt-{os.getuid()}" / "file.txt"


def test_a_file_where_the_temporary_folder_should_be(folder: Path) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    (folder / f"sbmt-{os.getuid()}").write_text("another")
    with pytest.raises(SbmtError, match=r"/sbmt-\d+: cannot be written: something else has this name \(or let XDG"):
        cached("file.txt", write, "a file")


def test_a_failed_build_is_not_repeated_elsewhere(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    def build(path: Path) -> None:
        raise ModelError("nothing to build it from")

    with pytest.raises(ModelError, match="nothing to build it from"):
        cached("file.txt", build, "a file")
    assert "the cache folder" not in caplog.text


def build_in(folder: Path) -> None:
    """Build in one of several processes, which leaves a file as evidence."""

    def slow(path: Path) -> None:
        (folder / f"built-by-{os.getpid()}").touch()
        time.sleep(0.2)
        write(path)

    build_once(folder / "file.txt", slow, "a file")


def test_several_processes_at_once(tmp_path: Path) -> None:
    processes = [multiprocessing.get_context("fork").Process(target=build_in, args=(tmp_path,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    assert len(list(tmp_path.glob("built-by-*"))) == 1
    assert (tmp_path / "file.txt").read_text() == "built"
