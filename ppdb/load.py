"""Loading grammars of any format: packed files, recognised by their first bytes, or text."""

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
from sbmt.ppdb.rule import DEFAULT_OWNER, Rule


def load_grammar(path: str | Path, owner: str, span_limit: int, scores: TableScores = TableScores.PPDB) -> Grammar:
    """Map a packed grammar, or read one of any text format into memory.

    `owner` and `span_limit` are the grammar's (see `Grammar`). For text, `owner` also names values without a label,
    tm_OWNER_i, and `scores` applies to phrase tables. Raises SbmtError for a file that cannot be read, FormatError for
    a malformed line, ModelError for a packed file that cannot be used and for a rule that no grammar can hold.
    """
    if is_packed(path):
        return open_packed(path, owner, span_limit)
    return Grammar.from_rules(read_rules(path, owner, scores=scores), owner, span_limit)


def read_any(path: str | Path, owner: str = DEFAULT_OWNER, on_error: OnError | None = None) -> Iterator[Rule]:
    """Yield the rules of a packed file or of any text format (`sbmt.ppdb.formats.read_rules`)."""
    return packed_rules(path) if is_packed(path) else read_rules(path, owner, on_error)


def packed_copy(path: str | Path) -> Path:
    """Return a packed copy of a grammar file in the user's cache (`sbmt.cache`), made if it is missing.

    If no copy can be made, returns the file itself.
    """
    if is_packed(path) or is_stream(path):
        return Path(path)
    name = f"{Path(path).name}-{sha256(path)[:16]}-{FORMAT}.packed"
    try:
        description = f"a packed copy of {Path(path).name}"
        return cached(name, lambda copy: pack(read_rules(path), copy), description, is_whole)
    except (ModelError, FormatError):
        raise
    except SbmtError:
        return Path(path)
