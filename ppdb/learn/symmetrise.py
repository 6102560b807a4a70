"""From alignments in two directions to one set of links: grow-diag-final-and (Koehn, Och & Marcu 2003; Moses).

Start from the intersection; grow to neighbours (diagonal ones too) in the union that cover a word so far uncovered on
either side, until nothing changes; last, add links of either direction whose two words are both uncovered.
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Int64s
from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_lines
from sbmt.parallel import ordered_map
from sbmt.ppdb.formats import parse_point
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.scratch import open_arrays, save_arrays
from sbmt.text.whitespace import split_words

Link = tuple[int, int]  # (source position, target position)
Positions = NDArray[np.int16]  # of the best partner of each word, -1 for none
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True, slots=True)
class Links:
    """All links: pair p has source[k], target[k] for k in starts[p]:starts[p + 1], sorted."""

    starts: Int64s
    source: NDArray[np.uint8]
    target: NDArray[np.uint8]

    @classmethod
    def collect(cls, links: Iterable[Sequence[Link]]) -> Links:
        """Pack the links of one pair after another."""
        ends, flat = array("q", [0]), bytearray()
        for pair in links:
            for link in sorted(pair):
                flat += bytes(link)
            ends.append(len(flat) // 2)
        both = np.frombuffer(flat, np.uint8).reshape(-1, 2)
        return cls(np.array(ends), np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1]))

    def joined(self, other: Links) -> Links:
        """The links of these pairs, then of the others."""
        starts = np.concatenate([self.starts, other.starts[1:] + self.starts[-1]])
        return Links(starts, np.concatenate([self.source, other.source]), np.concatenate([self.target, other.target]))

    def of(self, pair: int) -> list[Link]:
        """The links of one pair."""
        part = slice(self.starts[pair], self.starts[pair + 1])
        return list(zip(self.source[part].tolist(), self.target[part].tolist(), strict=True))

    def save(self, folder: Path) -> None:
        """Write the arrays, for worker processes to map."""
        save_arrays(folder, "links", starts=self.starts, source=self.source, target=self.target)

    @classmethod
    def open(cls, folder: Path) -> Links:
        """Map what `save` wrote."""
        return cls(**open_arrays(folder, "links"))


def grow_diag_final_and(forward: set[Link], backward: set[Link]) -> set[Link]:
    """Symmetrise two alignments; the result does not depend on the order in which sets are stored."""
    links, union = forward & backward, forward | backward
    if len(links) == len(union):
        return links
    sources, targets = {i for i, _ in links}, {j for _, j in links}

    def add(link: Link) -> None:
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    grown = True
    while grown:
        grown, points, k = False, sorted(links), 0
        while k < len(points):
            i, j = points[k]
            k += 1
            for di, dj in _NEIGHBOURS:
                near = (i + di, j + dj)
                if near in union and near not in links and (near[0] not in sources or near[1] not in targets):
                    add(near)
                    insort(points, near)  # what lies ahead is seen in this pass, as in Moses
                    k += near < (i, j)
                    grown = True
    for side in (forward, backward):
        for link in sorted(side):
            if link[0] not in sources and link[1] not in targets:
                add(link)
    return links


def symmetrise(text: ParallelText, target_best: Positions, source_best: Positions, jobs: int) -> Links:
    """Links from the two flat arrays `align_text` gives (the best partner of each target and of each source word)."""
    forward = _split(target_best, text.lengths[text.target])
    backward = _split(source_best, text.lengths[text.source])
    pairs = zip(forward, backward, strict=True)
    return Links.collect(ordered_map(_symmetrise_pair, pairs, int, jobs, chunk=2000))


def _split(flat: Positions, lengths: Int64s) -> Iterator[Positions]:
    """Pieces of these lengths, one after the other."""
    end = 0
    for length in lengths:
        end += length
        yield flat[end - length : end]


def _symmetrise_pair(_: int, best: tuple[Positions, Positions]) -> list[Link]:
    forward = {(i, j) for j, i in enumerate(best[0].tolist()) if i >= 0}
    backward = {(i, j) for i, j in enumerate(best[1].tolist()) if j >= 0}
    return sorted(grow_diag_final_and(forward, backward))


def read_pharaoh(path: str | Path) -> Iterator[list[Link]]:
    """Read "0-0 1-2 ..." lines: source position - target position, from 0.

    Raises FormatError naming the line for anything else.
    """
    for number, line in enumerate(read_lines(path), 1):
        try:
            yield [parse_point(point) for point in split_words(line)]
        except ValueError as error:
            raise FormatError(str(path), number, str(error)) from None


def given_links(text: ParallelText, alignments: Sequence[str]) -> dict[int, list[Link]]:
    """The links of every pair that comes from a pair of files, from their Pharaoh files (one each, or none at all).

    Raises SbmtError for more files than pairs, FormatError for a file with more or fewer lines than its pair, and for a
    point outside its sentences.
    """
    if len(alignments) > len(text.lines):
        raise SbmtError(f"{len(alignments)} files of links for {len(text.lines)} pairs of files: give one for each")
    links: dict[int, list[Link]] = {}
    m, n = text.lengths[text.source], text.lengths[text.target]
    for origin, path in enumerate(alignments):
        lines = list(read_pharaoh(path))
        if len(lines) != text.lines[origin]:
            raise FormatError(path, None, f"has {len(lines)} lines, its texts have {text.lines[origin]}")
        for pair in np.flatnonzero(text.origin == origin).tolist():
            line = int(text.segment[pair])
            for i, j in lines[line]:
                if i >= m[pair] or j >= n[pair]:
                    problem = f"point {i}-{j} is outside its sentences of {m[pair]} and {n[pair]} words"
                    raise FormatError(path, line + 1, problem, "positions count from 0; source comes first")
            links[pair] = sorted(set(lines[line]))
    return links
