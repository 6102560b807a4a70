"""Grammars from files of any format: packed files by what they begin with, everything else as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sbmt.cache import cached
from sbmt.errors import FormatError, ModelError, SbmtError
from sbmt.files import sha256
from sbmt.paths import is_stream
from sbmt.ppdb.formats import OnError, TableScores, read_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.packed import is_whole, open_packed, pack, packed_rules
from sbmt.ppdb.packed_header import FORMAT, is_packed
from sbmt.ppdb.rule import Rule


def load_grammar(path: str | Path, owner: str, span_limit: int, scores: TableScores = TableScores.PPDB) -> Grammar:
    """A grammar from a packed file, which is mapped, or read into memory from any text format.

    `owner` and `span_limit` are the grammar's (see `Grammar`); in a text `owner` also names values without a label,
    tm_OWNER_i. `scores` of phrase tables are of text, too. Raises SbmtError for a file that cannot be read, FormatError
    for a malformed line, ModelError for a packed file that cannot be used, and for a rule that no grammar can hold.
    """
    if is_packed(path):
        return open_packed(path, owner, span_limit)
    return Grammar.from_rules(read_rules(path, owner, scores=scores), owner, span_limit)


def read_any(path: str | Path, owner: str = "pt", on_error: OnError | None = None) -> Iterator[Rule]:
    """The rules of a packed file or of any text format (`sbmt.ppdb.formats.read_rules`)."""
    return packed_rules(path) if is_packed(path) else read_rules(path, owner, on_error)


def packed_copy(path: str | Path) -> Path:
    """A packed copy of a grammar file in the user's cache, which is made first if it is not there (`sbmt.cache`).

    Where no copy can be made, the file itself.
    """
    if is_packed(path) or is_stream(path):
        return Path(path)
    name = f"{Path(path).name}-{sha256(path)[:16]}-{FORMAT}.packed"
    try:
        what = f"a packed copy of {Path(path).name}"
        return cached(name, lambda copy: pack(read_rules(path), copy), what, is_whole)
    except (ModelError, FormatError):
        raise
    except SbmtError:
        return Path(path)
