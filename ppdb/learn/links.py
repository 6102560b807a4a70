"""Word links of sentence pairs, stored in arrays or read from Pharaoh files."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Int64s
from sbmt.errors import FormatError, SbmtError, counted
from sbmt.io import read_lines
from sbmt.ppdb.alignment import parse_point
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.scratch import open_arrays, save_arrays
from sbmt.text.whitespace import split_words

Link = tuple[int, int]  # (source position, target position)


@dataclass(frozen=True, slots=True)
class Links:
    """The links of all pairs: pair p has source[k], target[k] for k in starts[p]:starts[p + 1], sorted."""

    starts: Int64s
    source: NDArray[np.uint8]
    target: NDArray[np.uint8]

    @classmethod
    def collect(cls, links: Iterable[Sequence[Link]]) -> Links:
        """Pack the links of pairs in order."""
        ends, flat = array("q", [0]), bytearray()
        for pair in links:
            for link in sorted(pair):
                flat += bytes(link)
            ends.append(len(flat) // 2)
        both = np.frombuffer(flat, np.uint8).reshape(-1, 2)
        return cls(np.array(ends), np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1]))

    def joined(self, other: Links) -> Links:
        """Return the links of these pairs, then those of `other`."""
        starts = np.concatenate([self.starts, other.starts[1:] + self.starts[-1]])
        return Links(starts, np.concatenate([self.source, other.source]), np.concatenate([self.target, other.target]))

    def of(self, pair: int) -> list[Link]:
        """Return the links of one pair."""
        part = slice(self.starts[pair], self.starts[pair + 1])
        return list(zip(self.source[part].tolist(), self.target[part].tolist(), strict=True))

    def save(self, folder: Path) -> None:
        """Write the arrays, for worker processes to map."""
        save_arrays(folder, "links", starts=self.starts, source=self.source, target=self.target)

    @classmethod
    def open(cls, folder: Path) -> Links:
        """Map what `save` wrote."""
        return cls(**open_arrays(folder, "links"))


def read_pharaoh(path: str | Path) -> Iterator[list[Link]]:
    """Yield the links of each line "0-0 1-2 ...": source position - target position, from 0.

    Raises FormatError naming the line for anything else.
    """
    for number, line in enumerate(read_lines(path), 1):
        try:
            yield [parse_point(point) for point in split_words(line)]
        except ValueError as error:
            raise FormatError(str(path), number, str(error)) from None


def read_file_links(text: ParallelText, alignments: Sequence[str]) -> dict[int, list[Link]]:
    """Read the Pharaoh files of all pairs of files, or none at all; returns the links of their sentence pairs.

    Raises SbmtError for more files than pairs, FormatError for a file with more or fewer lines than its pair, and for a
    point outside its sentences.
    """
    if len(alignments) > len(text.lines):
        files, pairs = counted(len(alignments), "file"), counted(len(text.lines), "pair")
        raise SbmtError(f"{files} of links for {pairs} of files: give one for each")
    links: dict[int, list[Link]] = {}
    m, n = text.lengths[text.source], text.lengths[text.target]
    for origin, path in enumerate(alignments):
        lines = list(read_pharaoh(path))
        if len(lines) != text.lines[origin]:
            raise FormatError(path, None, f"has {counted(len(lines), 'line')}, its texts have {text.lines[origin]}")
        for pair in np.flatnonzero(text.origin == origin).tolist():
            line = int(text.segment[pair])
            for i, j in lines[line]:
                if i >= m[pair] or j >= n[pair]:
                    problem = f"point {i}-{j} is outside its sentences of {m[pair]} and {n[pair]} words"
                    raise FormatError(path, line + 1, problem, "positions count from 0; source comes first")
            links[pair] = sorted(set(lines[line]))
    return links
