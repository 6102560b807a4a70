"""Reading and writing text: all forms of input, all errors."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import re
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.compressed import compressing, open_bytes
from sbmt.errors import FormatError, SbmtError
from sbmt.files import atomic_path, digest, sha256
from sbmt.io import (
    check_parallel,
    check_readable,
    escaped,
    open_output,
    read_lines,
    read_parallel,
    read_text,
    write_lines,
)


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


@pytest.mark.parametrize("stream", [None, io.StringIO("text")])
def test_a_standard_input_without_bytes(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None) -> None:
    monkeypatch.setattr(sys, "stdin", stream)
    with pytest.raises(SbmtError, match="standard input is closed; name a file"):
        list(read_lines("-"))


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (gzip.compress(b"zipped\n"), ["zipped"]),
        (lzma.compress(b"xz\n"), ["xz"]),
        (b"\x1f", ["\x1f"]),
        (b"\x1fplain\nplain", ["\x1fplain", "plain"]),
        ("\u1fff\n".encode("utf-16-be") * 9000, ["\u1fff"] * 9000),  # more than a reader's buffer
    ],
    ids=["gzip", "xz", "one byte", "plain", "long"],
)
def test_a_pipe_that_begins_with_one_byte(tmp_path: Path, written: bytes, lines: list[str]) -> None:
    """A reader may see less of it than what compressed files start with."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    both_ends = os.open(pipe, os.O_RDWR)
    os.write(both_ends, written[:1])

    def rest() -> None:
        time.sleep(0.1)
        os.write(both_ends, written[1:])
        os.close(both_ends)

    writer = threading.Thread(target=rest)
    writer.start()
    assert list(read_lines(pipe, "utf-16-be" if len(written) > 9000 else "utf-8")) == lines
    writer.join()


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(SbmtError, match=f"{tmp_path}: is a folder; name a file"):
        list(read_lines(tmp_path))
    with pytest.raises(SbmtError, match="absent: no such file"):
        list(read_lines(tmp_path / "absent"))


def test_undecodable_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(
        FormatError, match=r"latin, line 2: is not valid utf-8 at byte 3 \(convert it to utf-8; sbmt-dec"
    ):
        list(read_lines(tmp_path / "latin"))
    assert list(read_lines(tmp_path / "latin", "latin-1")) == ["fine", "café"]


@pytest.mark.parametrize(
    ("content", "problem", "cure"),
    [
        (
            "café".encode("cp1252"),
            "line 1: is not valid utf-8 at byte 3",
            "--encoding NAME, cp1252 for text from Windows",
        ),
        ("café\n".encode("utf-16"), "line 1: is not valid utf-8 at byte 0", "--encoding utf-16"),
        (b"PK\x03\x04\x14\n", "is a Word document or another zip archive, not a text file", "save it as plain text"),
        (b"\xd0\xcf\x11\xe0\xa1\n", "is an old Word document or another Office file, not a text", "save it as plain"),
        (b"%PDF-1.7\n%", "is a PDF, not a text file", "save it as plain text, in UTF-8"),
        (
            rb"{\rtf1\ansi" + b"\nWords.\\par\n}",
            "is rich text (RTF), not a text file",
            "save it as plain text, in UTF-8",
        ),
        (b"fine\n\0", "line 2: holds a NUL byte, so it is not a text file", "save it as plain text, in UTF-8"),
        (b"\0", "line 1: holds a NUL byte, so it is not a text file", "save it as plain text, in UTF-8"),
        (b"\x89PNG\r\n" + bytes(40), "text: is binary, not a text file", "save it as plain text, in UTF-8"),
    ],
    ids=["windows", "utf-16", "docx", "doc", "pdf", "rtf", "later", "binary", "picture"],
)
def test_what_people_give_that_is_no_plain_text(tmp_path: Path, content: bytes, problem: str, cure: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(FormatError) as error:
        list(read_lines(tmp_path / "text"))
    assert problem in str(error.value)
    assert cure in error.value.cure


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


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz"])
def test_a_file_without_line_ends_is_not_read_whole(tmp_path: Path, suffix: str) -> None:
    """A hundred million NULs."""
    path = tmp_path / f"zeros{suffix}"
    with open(path, "wb") as raw, compressing(raw, suffix, fast=True) as packed:
        for _ in range(100):
            packed.write(bytes(1_000_000))
    tracemalloc.start()
    with pytest.raises(FormatError, match="line 1: holds a NUL byte, so it is not a text file"):
        next(read_lines(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize("text", ["one line", "two\nlines\n"])
def test_utf_16_is_told_by_its_first_byte(tmp_path: Path, text: str) -> None:
    (tmp_path / "text").write_text(text, encoding="utf-16")
    with pytest.raises(FormatError, match=r"line 1: is not valid utf-8 at byte 0 \(convert it to utf-8; sbmt-decode"):
        next(read_lines(tmp_path / "text"))


def test_single_lines_that_are_no_text_may_come_too(tmp_path: Path) -> None:
    """With their bytes; whoever asks for them tells them by `check_readable`."""
    content = b"\xef\xbb\xbffine\n\xc3\xa9 caf\xe9\na\0b\n\xed\xa0\x80\n\xc3\xa9\n"
    (tmp_path / "text").write_bytes(content)
    lines = list(read_lines(tmp_path / "text", errors="surrogateescape"))
    assert "\n".join(lines).encode("utf-8", "surrogateescape") == content[3:-1]
    problems = []
    for line in lines:
        try:
            check_readable(line)
        except ValueError as error:
            problems.append((str(error), escaped(line)))
    assert problems == [
        ("is not valid utf-8 at byte 6", r"é caf\xe9"),
        ("holds a NUL byte", r"a\x00b"),
        ("is not valid utf-8 at byte 0", r"\xed\xa0\x80"),
    ]


@given(st.binary(max_size=30))
def test_a_line_is_readable_if_python_decodes_it(content: bytes) -> None:
    problem = "holds a NUL byte" if b"\0" in content else ""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        problem = problem or f"is not valid utf-8 at byte {error.start}"
    with pytest.raises(ValueError, match=problem) if problem else nullcontext():
        check_readable(content.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("café\n".encode("utf-16"), "line 1: is in UTF-16 (save it as plain text, in UTF-8)"),
        (b"title\n" + bytes(range(256)) * 9, "is binary, not a text file (save it as plain text, in UTF-8)"),
        (b"\0\0", "line 1: holds a NUL byte, so it is not a text file"),
        (b"%PDF-1.7\n", "is a PDF, not a text file"),
        (gzip.compress(b"caf\xe9\n" * 99)[:-9], "the compressed file is damaged"),
    ],
    ids=["utf-16", "binary", "NULs", "pdf", "damaged"],
)
def test_a_file_that_is_no_text_is_refused_as_a_whole(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(FormatError, match=re.escape(problem)):
        list(read_lines(tmp_path / "text", errors="surrogateescape"))


def test_bzip2_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.bz2").write_bytes(bz2.compress(b"text\n"))
    message = r"a\.bz2: is compressed by bzip2 \(unpack it, or compress it by gzip or xz\)"
    with pytest.raises(FormatError, match=message):
        next(read_lines(tmp_path / "a.bz2"))
    (tmp_path / "text").write_text("BZh9 is no archive\n")
    assert list(read_lines(tmp_path / "text")) == ["BZh9 is no archive"]


def test_truncated_archive_names_how_far_it_got(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"line %d\n" % (i * 7919 % 1000) for i in range(5000)))
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"cut\.gz, line \d+: the compressed file is damaged: .* \(copy or make"):
        list(read_lines(tmp_path / "cut.gz"))


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
@pytest.mark.parametrize("change", [lambda whole: whole[:15], lambda whole: whole[:20] + bytes(9) + whole[29:]])
def test_a_damaged_archive_is_named_by_whoever_reads_its_bytes(
    tmp_path: Path, compress: Callable[[bytes], bytes], change: Callable[[bytes], bytes]
) -> None:
    whole = compress(b"".join(b"line %d\n" % (i * 7919 % 1000) for i in range(5000)))
    (tmp_path / "packed").write_bytes(change(whole))
    with (
        pytest.raises(FormatError, match=r"packed: the compressed file is damaged: "),
        open_bytes(tmp_path / "packed") as stream,
    ):
        stream.read()


def test_parallel_files_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\n2\n3\n")
    (tmp_path / "b").write_text("1\n\n")
    with pytest.raises(FormatError, match=r"b: has 2 lines, but .*a has 3 \(first blank line of \S*b: 2, of \S*a: no"):
        read_parallel([tmp_path / "a", tmp_path / "b"])


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ({"S": 3, "R": 3, "A": 4}, "A: has 4 lines, but S has 3"),  # not the shortest
        ({"S": 4, "R": 3, "A": 3}, "S: has 4 lines, but R has 3"),  # nor the first
        ({"S": 2, "A": 3}, r"A: has 3 lines, but S has 2 \(first blank line of A: 2, of S: 2\)"),  # no majority
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_a_mark_of_the_order_of_bytes_is_no_text(tmp_path: Path, encoding: str) -> None:
    """It stands before the first line alone; elsewhere that character is text."""
    mark = "" if encoding == "utf-16" else "\ufeff"  # which that codec writes and reads itself
    (tmp_path / "text").write_bytes(f"{mark}the dog\n\ufeffthe cat\n".encode(encoding))
    assert list(read_lines(tmp_path / "text", encoding)) == ["the dog", "\ufeffthe cat"]


@pytest.mark.parametrize("name", ["pipe", "text", "text.gz", "text.xz"])
def test_utf_16_has_its_mark_wherever_it_is_written(tmp_path: Path, name: str) -> None:
    """Python leaves it out where it cannot seek."""
    path = tmp_path / name
    if name == "pipe":
        os.mkfifo(path)
        both_ends = os.open(path, os.O_RDWR)
    with open_output(path, "utf-16") as stream:
        stream.write("é\n")
    if name == "pipe":
        assert os.read(both_ends, 100) == "é\n".encode("utf-16")
        os.close(both_ends)
    else:
        assert list(read_lines(path, "utf-16")) == ["é"]


@pytest.mark.parametrize(("encoding", "written"), [("utf-8", b"\xc3\xa9\n"), ("latin-1", b"\xe9\n")])
def test_standard_output_has_the_encoding_that_files_have(
    monkeypatch: pytest.MonkeyPatch, encoding: str, written: bytes
) -> None:
    """Not that of the locale."""
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, "ascii"))
    with open_output("-", encoding) as stream:
        stream.write("é\n")
    stream.flush()
    assert content.getvalue() == written


def test_what_stands_in_for_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in contextlib.redirect_stdout."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with open_output("-", "utf-16") as stream:
        stream.write("é\n")
    assert sys.stdout.getvalue() == "é\n"  # type: ignore[attr-defined]


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_the_same_text_makes_the_same_file(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for path in paths:
        with open_output(path) as stream:
            stream.write("text\n")
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    if suffix == ".gz":
        assert first[3:8] == bytes(5)  # RFC 1952: no name, no time


@pytest.mark.parametrize("compress", [bytes, gzip.compress, lzma.compress])
def test_sha256(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    """The example of FIPS 180-2, B.1, and what a compressed file holds."""
    (tmp_path / "abc").write_bytes(b"abc")
    (tmp_path / "packed").write_bytes(compress(b"-abc"))
    with open_bytes(tmp_path / "packed") as stream:
        stream.read(1)
        assert sha256(tmp_path / "abc") == digest(stream)
    assert sha256(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_path(path) as temporary:
        temporary.write_text(str(1 / 0))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_has_its_name_when_its_content_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of system calls that a power failure cannot turn into a file of the right length with other bytes."""
    done: list[str] = []
    replace, sync = os.replace, os.fsync

    def synced(handle: int) -> None:
        done.append(f"sync {os.fstat(handle).st_size} bytes")
        sync(handle)

    def replaced(temporary: Path, target: Path) -> None:
        done.append(f"name {target.name}")
        replace(temporary, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    write_lines(tmp_path / "file", ["line"])
    assert done == ["sync 5 bytes", "name file"]


def test_a_file_that_there_is_no_room_for_is_named(tmp_path: Path) -> None:
    """In a process that may write no long file, as on a full disk."""
    code = """
import resource, signal, sys
from sbmt.io import write_lines
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
write_lines(sys.argv[1], ["line"] * 10_000)
"""
    path = tmp_path / "text"
    done = subprocess.run([sys.executable, "-P", "-c", code, path], capture_output=True, text=True, check=False)
    message = f"sbmt.errors.NoRoomError: {path}: cannot be written: larger than ulimit -f allows"
    assert done.stderr.splitlines()[-1] == message
    assert list(tmp_path.iterdir()) == []


def test_lines_written_are_counted(tmp_path: Path) -> None:
    for lines in ([], [""], ["one", "", "three"]):
        assert write_lines(tmp_path / "text", lines) == len(lines)
        assert (tmp_path / "text").read_text() == "".join(f"{line}\n" for line in lines)


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path: Path) -> None:
    """Not those of temporary files, which nobody else may read."""
    path = tmp_path / "text"
    before = os.umask(0o022)
    try:
        for expected in (0o644, 0o640):
            with open_output(path) as stream:
                stream.write("text\n")
            assert path.stat().st_mode & 0o777 == expected
            path.chmod(0o640)
    finally:
        os.umask(before)


def test_no_file_is_as_long_as_the_others() -> None:
    assert read_parallel([]) == []


def test_unwritable_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    message = "file/below: cannot be written: .*file is not a folder"
    with pytest.raises(SbmtError, match=message), open_output(tmp_path / "file" / "below"):
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
