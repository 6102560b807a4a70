"""The word pairs of a parallel text, numbered, and the blocks of cells that say which pair is where.

Pairs of sentences of one shape (m, n) are one block [B, m, n]; every cell of a block holds the number of its word pair,
so that an E-step is a gather, a product, a sum over one axis and a scatter. All that grows with the text is in
memory-mapped scratch files: the cells (4 bytes each), and what is known of each word pair.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from sbmt.arrays import Int32s, Int64s, begins_run, starts
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.scratch import scratch
from sbmt.progress import progress

_CELLS_A_BLOCK = 1 << 21
_AT_ONCE = 1 << 23  # word pairs of all blocks that are sorted in memory at a time


@dataclass(frozen=True, slots=True)
class Block:
    """Sentence pairs of one shape: numbers [B], words [B, m] and [B, n], and the word pair of each cell [B, m, n]."""

    pairs: Int64s
    source: Int32s
    target: Int32s
    cells: Int32s


class Cells:
    """The word pairs of a text: f, e int32[n_pairs] and the blocks whose cells number them."""

    def __init__(self, text: ParallelText, folder: Path) -> None:
        """Number the word pairs that occur together; `folder` takes the scratch files."""
        self.text, self.folder = text, folder
        self._shapes = list(_shapes(text))
        sizes = [len(pairs) * m * n for pairs, m, n in self._shapes]
        self._offsets = starts(sizes)
        self._cells = scratch(folder, np.int32, int(self._offsets[-1]))
        with tempfile.TemporaryFile(dir=folder) as stream:
            ends = self._number_within_blocks(stream)
            found = np.asarray(np.memmap(stream, np.int64, "r+"))
        with tempfile.TemporaryFile(dir=folder) as stream:
            self._number_across_blocks(found, ends, stream)
            sides = np.memmap(stream, np.int32, "r").reshape(-1, 2)
        self.f, self.e = np.asarray(sides[:, 0]), np.asarray(sides[:, 1])

    def __len__(self) -> int:
        return len(self.f)

    def blocks(self) -> Iterator[Block]:
        """Every sentence pair once, in blocks of at most about two million cells."""
        for (pairs, m, n), begin, end in self._places():
            yield Block(pairs, *self._words(pairs, m, n), self._cells[begin:end].reshape(len(pairs), m, n))

    def shapes(self) -> Int64s:
        """int64[n, 3]: m, n and the number of sentence pairs of every block."""
        return np.array([(m, n, len(pairs)) for pairs, m, n in self._shapes], np.int64)

    def parts(self) -> Iterator[slice]:
        """The word pairs, about two million at a time."""
        for begin in range(0, len(self), _CELLS_A_BLOCK):
            yield slice(begin, min(begin + _CELLS_A_BLOCK, len(self)))

    def _places(self) -> Iterator[tuple[tuple[Int64s, int, int], int, int]]:
        ends = self._offsets.tolist()
        return zip(self._shapes, ends[:-1], ends[1:], strict=True)

    def _words(self, pairs: Int64s, m: int, n: int) -> tuple[Int32s, Int32s]:
        text = self.text
        source = text.tokens[text.starts[text.source[pairs]][:, None] + np.arange(m)]
        target = text.tokens[text.starts[text.target[pairs]][:, None] + np.arange(n)]
        return source, target

    def _number_within_blocks(self, stream: IO[bytes]) -> Int64s:
        """Let each cell hold the rank of its word pair within its block.

        The keys f * n_words + e of the pairs, sorted, go to `stream`, block by block; returns where each block ends.
        """
        sizes = [0]
        total = len(self._shapes)
        for (pairs, m, n), begin, end in progress(self._places(), "numbering word pairs", "blocks", total):
            source, target = self._words(pairs, m, n)
            keys = source[:, :, None].astype(np.int64) * len(self.text.words) + target[:, None, :]
            distinct, rank = np.unique(keys.ravel(), return_inverse=True)
            self._cells[begin:end] = rank
            stream.write(distinct.data)
            sizes.append(len(distinct))
        stream.flush()
        return np.cumsum(sizes)

    def _number_across_blocks(self, found: Int64s, ends: Int64s, stream: IO[bytes]) -> None:
        """Number the keys in `found` in their order, a range of them at a time; let each cell hold that number.

        f and e of each pair go to `stream`.
        """
        n_words, known = len(self.text.words), 0
        at = ends[:-1].copy()
        for bound in self._bounds(found):
            upto = [int(b + np.searchsorted(found[b:e], bound)) for b, e in zip(at, ends[1:], strict=True)]
            keys, number = np.unique(
                np.concatenate([found[b:e] for b, e in zip(at, upto, strict=True)]), return_inverse=True
            )
            begin = 0
            for b, e in zip(at.tolist(), upto, strict=True):  # what has been numbered needs its keys no more
                found[b:e] = number[begin : begin + e - b] + known
                begin += e - b
            stream.write(np.stack([keys // n_words, keys % n_words], axis=1).astype(np.int32).data)
            known += len(keys)
            at = np.array(upto)
        stream.flush()
        for (_, begin, end), low, high in zip(self._places(), ends[:-1], ends[1:], strict=True):
            self._cells[begin:end] = found[low:high].astype(np.int32)[self._cells[begin:end]]

    def _bounds(self, found: Int64s) -> list[int]:
        """Upper bounds of ranges of keys, each with about _AT_ONCE of those found; a source word stays in one range."""
        n_words = len(self.text.words)
        counts = np.zeros(n_words, np.int64)
        for begin in range(0, len(found), _CELLS_A_BLOCK):
            counts += np.bincount(found[begin : begin + _CELLS_A_BLOCK] // n_words, minlength=n_words)
        filled = np.cumsum(counts) // _AT_ONCE
        last = np.flatnonzero(np.append(np.diff(filled) > 0, True))
        return ((last + 1) * n_words).tolist()


def _shapes(text: ParallelText) -> Iterator[tuple[Int64s, int, int]]:
    """Sentence pairs grouped by (m, n), large groups cut: (pair numbers, m, n)."""
    lengths = text.lengths
    m, n = lengths[text.source], lengths[text.target]
    order = np.lexsort((n, m))
    borders = np.flatnonzero(begins_run(m[order], n[order]))[1:]
    for group in np.split(order, borders):
        rows, columns = int(m[group[0]]), int(n[group[0]])
        size = max(1, _CELLS_A_BLOCK // (rows * columns))
        for begin in range(0, len(group), size):
            yield group[begin : begin + size], rows, columns
