"""Atomic writing: links, missing folders, unrelated errors, and leftovers of killed processes."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from sbmt.errors import NoRoomError
from sbmt.files import HALF_WRITTEN, atomic_path, is_named, remove_parts, try_lock


def test_what_a_link_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")
    for content in ("first", "second"):  # the first time it leads nowhere
        with atomic_path(tmp_path / "link") as temporary:
            temporary.write_text(content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "file").read_text() == content


def test_folders_are_made(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "new" / "newer" / "file") as temporary:
        temporary.write_text("content")
    assert (tmp_path / "new" / "newer" / "file").read_text() == "content"


@pytest.mark.parametrize(
    ("error", "is_of_the_file"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.ENOSPC, "No space left on device", "another file"), False),
        (OSError(errno.ENOSPC, "No space left on device", "copied from", None, "copied to"), True),
        (OSError(errno.EIO, "Input/output error"), False),
    ],
)
def test_only_a_full_disk_is_the_files_own_error(tmp_path: Path, error: OSError, is_of_the_file: bool) -> None:
    with pytest.raises(NoRoomError if is_of_the_file else OSError) as caught, atomic_path(tmp_path / "file"):
        raise error
    assert (caught.value is error) is not is_of_the_file
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["file", "[a-z]*?", "x" * 200])
def test_only_parts_of_the_file_are_removed(tmp_path: Path, name: str) -> None:
    with atomic_path(tmp_path / name) as part, atomic_path(tmp_path / "b") as other:
        remove_parts(tmp_path / name)
        assert [path.name for path in tmp_path.glob(f".*{HALF_WRITTEN}")] == [other.name]
        part.touch()


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    with (tmp_path / "file").open("a") as first, (tmp_path / "file").open("a") as second:
        assert try_lock(first)
        assert not try_lock(second)
    with (tmp_path / "file").open("a") as third:
        assert try_lock(third)


def test_whether_an_open_file_has_the_name(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("a") as stream:
        assert is_named(stream, path)
        path.rename(tmp_path / "other")
        assert not is_named(stream, path)
        path.touch()
        assert not is_named(stream, path)
