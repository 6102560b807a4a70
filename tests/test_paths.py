"""Where nothing may be written to."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sbmt.errors import SbmtError
from sbmt.files import atomic_path
from sbmt.io import write_lines
from sbmt.paths import check_outputs


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


def test_a_folder_is_no_place_to_write_a_text_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
