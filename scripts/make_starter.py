"""Expand the starter grammar's word lists into ppdb/starter/starter.ppdb.gz (needs the `dev` extra).

    python scripts/make_starter.py

The file is the same to the byte for the same lists: the tests compare it with a new expansion.
"""

from __future__ import annotations

import gzip
import io

from sbmt.features.annotate import Annotator
from sbmt.features.shape import Shape
from sbmt.features.simplicity import Simplicity
from sbmt.io import atomic_path
from sbmt.ppdb.formats import format_rule
from sbmt.ppdb.starter import GRAMMAR, LISTS
from sbmt.ppdb.starter.expand import expand_lists
from sbmt.ppdb.starter.labels import copy_rules


def starter_text() -> str:
    """The grammar in PPDB format: the lists' rules, then the copies."""
    annotator = Annotator([Shape(), Simplicity()])
    rules = [*expand_lists(LISTS), *copy_rules()]
    return "".join(f"{format_rule(annotator.annotate(rule))}\n" for rule in rules)


def main() -> None:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as stream:
        stream.write(starter_text().encode())
    with atomic_path(GRAMMAR) as temporary:
        temporary.write_bytes(packed.getvalue())
    print(f"{GRAMMAR}: {len(packed.getvalue()):,} bytes")


if __name__ == "__main__":
    main()
