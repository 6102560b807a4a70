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


def test_mistakes_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SBMT_DATA", raising=False)
    with pytest.raises(SbmtError, match="no data folder: give --data-dir or set SBMT_DATA"):
        load_test_set("asset/test")
    with pytest.raises(SbmtError, match="no such data folder"):
        load_test_set("asset/test", str(tmp_path / "nowhere"))
    with pytest.raises(SbmtError, match=r"unknown test set 'assets' .known: turkcorpus/test, "):
        load_test_set("assets", str(tmp_path))
    with pytest.raises(SbmtError, match=r"'asset/test' is not under .*looked for asset/dataset/asset.test.orig"):
        load_test_set("asset/test", str(tmp_path))
