"""Sources of paraphrases: crowd translations and lists of PPDB pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from experiment.text import FILES
from sbmt.io import read_lines

LISTS = (
    "retrofitting/ppdb-xl.txt",
    "easse/ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs",
    "counter-fitting/ppdb_synonyms.txt",
)


def versions(data: Path) -> Iterator[str]:
    """Yield crowd translations as segment, tab, version; removes the full stop before the first word of some."""
    for line in read_lines(data / FILES["crowd"]):
        *key, sentence = line.lower().split("\t")
        yield f"{'_'.join(key)}\t{re.sub(r'^[ .]*', '', sentence)}"


def pair_lists(data: Path) -> Iterator[str]:
    """Yield the pairs of all PPDB lists, in both directions if the list is unordered."""
    for name in LISTS:
        for line in read_lines(data / "ppdb" / name):
            yield line
            fields = line.strip().split("\t")
            if len(fields) == 2:
                yield f"{fields[1]}\t{fields[0]}"
    for line in read_lines(data / "ppdb/human-labels/ppdb-sample.tsv"):
        score, label, source, target = line.lower().split("\t")[:4]
        if float(score) >= 3:
            yield f"{label.upper()}\t{source}\t{target}"
