"""Named test sets, in a folder made for the purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.data.testsets import load_test_set
from sbmt.errors import SbmtError


def test_reads_sources_and_references_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "testsets.yaml").write_text("mine/test: {source: s, references: [r1, r2, r3, r4]}")
    (tmp_path / "s").write_text("a b\nc\n")
    for i in range(1, 5):
        (tmp_path / f"r{i}").write_text(f"a {i}\n\n")
    test_set = load_test_set("mine/test", str(tmp_path))
    assert test_set.sources == ["a b", "c"]
    assert test_set.references == [["a 1", "a 2", "a 3", "a 4"], ["", "", "", ""]]
    monkeypatch.setenv("SBMT_DATA", str(tmp_path))
    assert load_test_set("mine/test") == test_set


def test_marks_of_editors_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "testsets.yaml").write_text("mine: {source: s, references: [r]}")
    (tmp_path / "s").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    (tmp_path / "r").write_bytes(b"c\nd\n")
    found = load_test_set("mine", str(tmp_path))
    assert (found.sources, found.references) == (["a", "b"], [["c"], ["d"]])


def test_a_registered_name_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "testsets.yaml").write_text(
        "asset/test: {source: s, references: [s]}\nmine: {source: s, references: [s]}"
    )
    (tmp_path / "s").write_text("a\n")
    with pytest.raises(
        SbmtError, match=r"testsets.yaml: 'asset/test' is the name of a registered set \(give yours anot"
    ):
        load_test_set("asset/test", str(tmp_path))
    assert load_test_set("mine", str(tmp_path)).sources == ["a"]


def test_mistakes_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SBMT_DATA", raising=False)
    with pytest.raises(SbmtError, match="no data folder: give --data-dir or set SBMT_DATA"):
        load_test_set("asset/test")
    with pytest.raises(SbmtError, match="no such data folder"):
        load_test_set("asset/test", str(tmp_path / "nowhere"))
    with pytest.raises(SbmtError, match=r"unknown test set 'zzz' .known: turkcorpus/test, "):
        load_test_set("zzz", str(tmp_path))
    with pytest.raises(SbmtError, match="unknown test set 'ASSET_test': did you mean 'asset/test'"):
        load_test_set("ASSET_test", str(tmp_path))
    with pytest.raises(SbmtError, match=r"'asset/test' is not under .*looked for asset/dataset/asset.test.orig"):
        load_test_set("asset/test", str(tmp_path))
