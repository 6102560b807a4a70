"""Reading and writing text: plain, gzip or xz files and standard streams ("-"), with strict checks of encoding.

Only "\\n" ends a line (Unicode's other line separators are text), so one line in is one line out.
"""

from __future__ import annotations

import codecs
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import IO, BinaryIO, Literal, cast

from sbmt.compressed import DAMAGED, compressing, damaged, open_bytes
from sbmt.errors import FormatError, SbmtError, counted
from sbmt.files import atomic_path
from sbmt.paths import STDIO, check_standard_input, check_writable, is_stream

_NUL = "holds a NUL byte"
_NOT_TEXT = f"{_NUL}, so it is not a text file"
_SAVE_AS_TEXT = "save it as plain text, in UTF-8"
PACKED_GRAMMAR = b"SBMTGRAM"  # first bytes (`sbmt.ppdb.packed_header`)
KENLM_BINARY = b"mmap lm http"  # first bytes in every version (`sbmt.lm.kenlm_binary`)
_OTHER_FORMATS = {  # first bytes -> common name, cure
    b"PK\x03\x04": ("a Word document or another zip archive", _SAVE_AS_TEXT),
    b"\xd0\xcf\x11\xe0": ("an old Word document or another Office file", _SAVE_AS_TEXT),
    b"%PDF-": ("a PDF", _SAVE_AS_TEXT),
    rb"{\rtf": ("rich text (RTF)", _SAVE_AS_TEXT),
    PACKED_GRAMMAR: ("a packed grammar", "give it as a file, where a grammar is due"),
    KENLM_BINARY: ("a KenLM binary", "give the ARPA file or the text that it was made of"),
}
_CONTROLS = bytes({*range(32)} - {*b"\t\n\v\f\r"})
_MAX_CONTROLS = 30  # that the first block of a text may have
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
Errors = Literal["strict", "surrogateescape"]
_NEED_MARK = ("utf-16", "utf-32")  # encodings that need a byte order mark


def _check_text(path: str | Path, start: bytes, errors: Errors) -> None:
    """Raise FormatError for a stream whose first bytes are not text: its first line end may be very far.

    UTF-16 also has NULs: for strict reading the decoder gives the better message. If single lines may be bad
    ("surrogateescape"), a file of which all lines would be bad is still refused.
    """
    for magic, (kind, cure) in _OTHER_FORMATS.items():
        if start.startswith(magic):
            raise FormatError(str(path), None, f"is {kind}, not a text file", cure)
    if start.startswith(_UTF_16):
        if errors != "strict":
            raise FormatError(str(path), 1, "is in UTF-16", _SAVE_AS_TEXT)
        return
    if b"\0" in start and b"\n" not in start:
        raise FormatError(str(path), 1, _NOT_TEXT, _SAVE_AS_TEXT)
    if b"\0" in start or errors != "strict":
        controls = len(start) - len(start.translate(None, _CONTROLS))
        if controls > max(_MAX_CONTROLS, len(start) / 20):
            raise FormatError(str(path), None, "is binary, not a text file", _SAVE_AS_TEXT)


def _peek(stream: BinaryIO) -> bytes:
    """Return the first bytes of a stream without consuming them; none if it cannot peek."""
    peek = getattr(stream, "peek", None)
    return cast(bytes, peek(1)) if peek else b""


def read_lines(path: str | Path, encoding: str = "utf-8", errors: Errors = "strict") -> Iterator[str]:
    """Yield each line without its "\\n", the first without a byte order mark.

    Raises FormatError naming the line for undecodable or binary content and for a truncated archive. With
    "surrogateescape" lines that are not UTF-8 or hold a NUL byte are yielded too: `check_readable` finds them.
    """
    check_encoding(encoding)
    number, is_strict = 0, errors == "strict"
    with open_bytes(path) as stream:
        try:
            for number, text in enumerate(_decoded(stream, path, encoding, errors), 1):
                if is_strict and "\0" in text:
                    raise FormatError(str(path), number, _NOT_TEXT, _SAVE_AS_TEXT)
                yield text.removeprefix("\ufeff") if number == 1 else text
        except UnicodeError as error:
            raise FormatError(str(path), number + 1, *_undecodable(error, encoding)) from None
        except DAMAGED as error:
            raise damaged(path, number + 1, error) from None


def check_readable(line: str) -> None:
    """Raise ValueError for a line that `read_lines` yields only with "surrogateescape"."""
    if "\0" in line:
        raise ValueError(_NUL)
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError as error:
            start = len(line[: error.start].encode())
            raise ValueError(f"is not valid utf-8 at byte {start}") from None


def escaped(line: str) -> str:
    """Return such a line as text, with invalid bytes escaped as \\x00, \\xe9."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").replace("\0", r"\x00")


def _undecodable(error: UnicodeError, encoding: str) -> tuple[str, str]:
    """Return the problem and the cure of an error in decoding."""
    if not isinstance(error, UnicodeDecodeError) or "BOM" in error.reason:  # a UnicodeDecodeError since Python 3.13
        cure = "try {0}-le or {0}-be".format(codecs.lookup(encoding).name)
        return f"is not valid {encoding}: it does not begin with a byte order mark", cure
    hint = "utf-16" if error.object.startswith(_UTF_16) else "NAME, cp1252 for text from Windows"
    cure = f"convert it to utf-8; sbmt-decode, sbmt-text and sbmt-lm take --encoding {hint}"
    return f"is not valid {encoding} at byte {error.start}", cure


def check_encoding(encoding: str) -> None:
    """Raise SbmtError for an unknown name of a text encoding."""
    try:
        "\n".encode(encoding)
        is_text_encoding = codecs.lookup(encoding).name not in ("idna", "punycode")  # encodings of domain names
    except (LookupError, UnicodeError):
        is_text_encoding = False
    if not is_text_encoding:
        raise SbmtError(f"unknown encoding {encoding!r}")


def _decoded(stream: BinaryIO, path: str | Path, encoding: str, errors: Errors) -> Iterator[str]:
    """Yield the lines of a stream without their "\\n", which is more than one byte in some encodings (UTF-16)."""
    if "\n".encode(encoding) == b"\n":
        _check_text(path, _peek(stream), errors)
        yield from (line.decode(encoding, errors).removesuffix("\n") for line in stream)
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    text = ""
    for piece in stream:
        *lines, text = (text + decoder.decode(piece)).split("\n")
        yield from lines
    text += decoder.decode(b"", final=True)
    if text:
        yield text


def read_text(path: str | Path, encoding: str = "utf-8") -> list[str]:
    """Read all lines as an editor shows them (see `plain_lines`); raises what `read_lines` raises."""
    return plain_lines(read_lines(path, encoding))


def plain_lines(lines: Iterable[str]) -> list[str]:
    """Remove a byte order mark before the first line, and a carriage return after each."""
    texts = [line.removesuffix("\r") for line in lines]
    return [text.removeprefix("\ufeff") for text in texts[:1]] + texts[1:]


def read_parallel(
    paths: Sequence[str | Path], read: Callable[[str | Path], Iterable[str]] = read_lines
) -> list[list[str]]:
    """Read files that must have equally many lines; returns one list of lines per file.

    Raises SbmtError for standard input named twice, and what `check_parallel` raises.
    """
    check_standard_input(paths)
    columns = [list(read(path)) for path in paths]
    check_parallel({str(path): column for path, column in zip(paths, columns, strict=True)})
    return columns


def check_parallel(texts: Mapping[str, Sequence[str]]) -> None:
    """Raise FormatError naming the text of another length, and where a line may be missing, unless all are equal.

    The expected length is the most frequent one, of equally frequent ones the first.
    """
    if not texts:
        return
    lengths = {name: len(lines) for name, lines in texts.items()}
    usual_length = Counter(lengths.values()).most_common(1)[0][0]  # the first of equally frequent ones
    odd_name = next((name for name, length in lengths.items() if length != usual_length), None)
    if odd_name is not None:
        usual_name = next(name for name, length in lengths.items() if length == usual_length)
        first_blanks = {name: _first_blank(texts[name]) for name in (odd_name, usual_name)}
        hint = ", of ".join(f"{name}: {line or 'none'}" for name, line in first_blanks.items())
        hint = f"first blank line of {hint}" if any(first_blanks.values()) else ""
        problem = f"has {counted(lengths[odd_name], 'line')}, but {usual_name} has {usual_length}"
        raise FormatError(odd_name, None, problem, hint)


def _first_blank(lines: Iterable[str]) -> int | None:
    return next((number for number, line in enumerate(lines, 1) if not line.strip()), None)


@contextmanager
def open_output(path: str | Path, encoding: str = "utf-8") -> Iterator[IO[str]]:
    """Open a file for writing text (gzip or xz by the suffix); it appears under its name only when complete.

    Standard output keeps the encoding set here. Raises what `check_writable` does.
    """
    if str(path) == STDIO:
        if isinstance(sys.stdout, TextIOWrapper):  # not a program's replacement
            sys.stdout.reconfigure(encoding=encoding, newline="\n")
            _write_byte_order_mark(sys.stdout)
        yield sys.stdout
        return
    check_writable(path)
    with (
        nullcontext(Path(path)) if is_stream(path) else atomic_path(path) as target,
        open(target, "wb") as raw,
        compressing(raw, Path(path).suffix) as packed,
        TextIOWrapper(packed, encoding, newline="\n") as stream,
    ):
        _write_byte_order_mark(stream)
        yield stream


def _write_byte_order_mark(stream: TextIOWrapper) -> None:
    """Write the byte order mark that Python omits where it cannot seek: on pipes and in xz."""
    if codecs.lookup(stream.encoding).name in _NEED_MARK and not stream.seekable():
        stream.write("\ufeff")


def write_lines(path: str | Path, lines: Iterable[str]) -> int:
    """Write each line and a "\\n" to what `open_output` opens; returns the number of lines."""
    count = 0
    with open_output(path) as stream:
        for line in lines:
            stream.write(line + "\n")
            count += 1
    return count


def writable(text: str) -> str:
    """Return a name or title with everything escaped that UTF-8 cannot encode (such as raw bytes of file names)."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
