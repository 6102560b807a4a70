"""Malformed lines that are set aside: when their file appears, stays and goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbmt.ppdb.skipped import SkippedLines


@pytest.fixture
def aside(tmp_path: Path) -> SkippedLines:
    """Lines set aside in a folder where an earlier run left some."""
    path = tmp_path / "out.skipped"
    path.write_text("1\told\tline\n")
    return SkippedLines(path)


def test_a_whole_file_replaces_that_of_an_earlier_run_at_the_end(aside: SkippedLines) -> None:
    with aside.whole():
        aside(7, "caf\udce9", "is bad")
        assert aside.path.read_text() == "1\told\tline\n"
    assert aside.path.read_text() == "7\tis bad\tcaf\\xe9\n"


def test_a_whole_file_of_no_lines_is_none(aside: SkippedLines) -> None:
    with aside.whole():
        assert aside.path.exists()
    assert not aside.path.exists()


def test_nothing_of_a_whole_file_stays_if_the_run_fails(aside: SkippedLines) -> None:
    def fail() -> None:
        with aside.whole():
            aside(7, "line", "is bad")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert [path.name for path in aside.path.parent.iterdir()] == ["out.skipped"]
    assert aside.path.read_text() == "1\told\tline\n"


def test_each_line_of_a_growing_file_is_there_at_once(aside: SkippedLines) -> None:
    """A killed run can then be resumed."""
    with aside.growing():
        assert not aside.path.exists()
        for number in (7, 9):
            aside(number, "line", "is bad")
            assert aside.path.read_text().endswith(f"{number}\tis bad\tline\n")
    assert aside.path.read_text() == "7\tis bad\tline\n9\tis bad\tline\n"


def test_a_growing_file_continues_that_of_an_interrupted_run(aside: SkippedLines) -> None:
    aside.path.write_text("1\told\tline\n5\tread\tagain\n")
    with aside.growing(4):
        aside(5, "again", "read")
    assert (aside.path.read_text(), aside.count) == ("1\told\tline\n5\tread\tagain\n", 2)


def test_a_file_is_opened_once(aside: SkippedLines) -> None:
    """Opening it for each line makes a million of them slow."""
    with aside.growing():
        aside(1, "line", "is bad")
        aside.path.unlink()
        aside(2, "line", "is bad")
        assert not aside.path.exists()
