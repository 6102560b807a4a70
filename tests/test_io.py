"""Reading and writing text: every form of input, every complaint."""

from __future__ import annotations

import gzip
import lzma
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.errors import FormatError, SbmtError
from sbmt.io import atomic_path, check_parallel, open_output, read_lines, read_parallel, read_text


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_what_is_written_is_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"text{suffix}"
    lines = ["one", "", "zwei\u2028drei", "vier\r", "last"]
    with open_output(path) as stream:
        stream.writelines(line + "\n" for line in lines)
    assert list(read_lines(path)) == lines


def test_compression_is_known_by_content_not_by_name(tmp_path: Path) -> None:
    (tmp_path / "plain.gz").write_text("plain\n")
    (tmp_path / "zipped.txt").write_bytes(gzip.compress(b"zipped\n"))
    (tmp_path / "xz.txt").write_bytes(lzma.compress(b"xz\n"))
    assert [list(read_lines(tmp_path / name)) for name in ("plain.gz", "zipped.txt", "xz.txt")] == [
        ["plain"],
        ["zipped"],
        ["xz"],
    ]


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match="absent: cannot be read: No such file"):
        list(read_lines(tmp_path / "absent"))


def test_undecodable_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(
        FormatError, match=r"latin, line 2: is not valid utf-8 at byte 3 \(convert it to utf-8; sbmt-dec"
    ):
        list(read_lines(tmp_path / "latin"))
    assert list(read_lines(tmp_path / "latin", "latin-1")) == ["fine", "café"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32-be", "utf-8-sig"])
def test_encodings_that_write_a_line_end_or_a_start_of_their_own(tmp_path: Path, encoding: str) -> None:
    """U+0A0A is two bytes that both are line ends elsewhere."""
    lines = ["one", "", "\u0a0a zwei", "trois"]
    (tmp_path / "text").write_bytes("\n".join(lines).encode(encoding))
    assert list(read_lines(tmp_path / "text", encoding)) == lines
    (tmp_path / "cut").write_bytes("a\nb".encode("utf-16") + b"!")
    with pytest.raises(FormatError, match="cut, line 2: is not valid utf-16"):
        list(read_lines(tmp_path / "cut", "utf-16"))


@pytest.mark.parametrize("encoding", ["klingon", "base64", "undefined"])
def test_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "text").write_text("a\n")
    with pytest.raises(SbmtError, match=f"unknown encoding '{encoding}'"):
        list(read_lines(tmp_path / "text", encoding))


def test_binary_file(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"ok\n\x00\x01\n")
    with pytest.raises(FormatError, match="line 2: holds a NUL byte"):
        list(read_lines(tmp_path / "binary"))


def test_truncated_archive_names_how_far_it_got(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"line %d\n" % (i * 7919 % 1000) for i in range(5000)))
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"cut\.gz, line \d+: the compressed file is damaged"):
        list(read_lines(tmp_path / "cut.gz"))


def test_parallel_files_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n3\n")
    (tmp_path / "b").write_text("1\n\n")
    with pytest.raises(FormatError, match=r"b: has 2 lines, but .*a has 3 \(its first blank line is 2\)"):
        read_parallel([tmp_path / "a", tmp_path / "b"])


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ({"S": 3, "R": 3, "A": 4}, "A: has 4 lines, but S has 3"),  # not the shortest
        ({"S": 4, "R": 3, "A": 3}, "S: has 4 lines, but R has 3"),  # nor the first
        ({"S": 2, "A": 3}, r"A: has 3 lines, but S has 2 \(its first blank line is 2\)"),  # no majority: as the first
    ],
)
def test_the_odd_one_out_is_named(lengths: dict[str, int], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        check_parallel({name: ["a", "", "b", "c"][:length] for name, length in lengths.items()})


def test_marks_of_editors_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfone\r\n\r\n\xef\xbb\xbftwo \r\r\nthree\r")
    assert read_text(tmp_path / "text") == ["one", "", "\ufefftwo \r", "three"]
    (tmp_path / "empty").write_bytes(b"")
    assert read_text(tmp_path / "empty") == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_path(path) as temporary:
        temporary.write_text(str(1 / 0))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_unwritable_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises((SbmtError, OSError)), open_output(tmp_path / "file" / "below"):
        pass


@given(st.text("abc\u0085\u2029\r\v é", max_size=30))
def test_only_newline_ends_a_line(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        path.write_bytes(text.encode() + b"\n")
        assert list(read_lines(path)) == [text]


def test_errors_survive_pickling() -> None:
    error = FormatError("file", 3, "is bad", "make it good")
    assert str(pickle.loads(pickle.dumps(error))) == "file, line 3: is bad (make it good)"


def test_a_named_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with open_output(pipe) as stream:
        stream.write("text\n")
    assert os.read(reader, 100) == b"text\n"
    os.close(reader)
    assert pipe.is_fifo()
