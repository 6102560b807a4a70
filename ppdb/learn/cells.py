"""Numbered word pairs of a parallel text, and blocks of cells that map positions to word pairs.

Sentence pairs of one shape (m, n) form a block [B, m, n]; every cell of a block holds the number of its word pair, so
an E-step is a gather, a product, a sum over one axis and a scatter. Everything that grows with the text is in
memory-mapped scratch files: the cells (4 bytes each), and the values of each word pair.
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

_MAX_BLOCK_CELLS = 1 << 21
_MAX_SORTED_PAIRS = 1 << 23  # word pairs of all blocks sorted in memory at once


@dataclass(frozen=True, slots=True)
class Block:
    """Sentence pairs of one shape: numbers [B], words [B, m] and [B, n], and the word pair of each cell [B, m, n]."""

    pairs: Int64s
    source: Int32s
    target: Int32s
    cells: Int32s


class Cells:
    """The word pairs of a text, `f` and `e` int32[n_pairs], and the blocks whose cells refer to them by number."""

    def __init__(self, text: ParallelText, folder: Path) -> None:
        """Number the word pairs that occur together; `folder` takes the scratch files."""
        self.text, self.folder = text, folder
        self._shapes = list(_shapes(text))
        sizes = [len(pairs) * m * n for pairs, m, n in self._shapes]
        self._offsets = starts(sizes)
        self._cells = scratch(folder, np.int32, int(self._offsets[-1]))
        with tempfile.TemporaryFile(dir=folder) as stream:
            ends = self._number_within_blocks(stream)
            block_keys = np.asarray(np.memmap(stream, np.int64, "r+"))
        with tempfile.TemporaryFile(dir=folder) as stream:
            self._number_across_blocks(block_keys, ends, stream)
            sides = np.memmap(stream, np.int32, "r").reshape(-1, 2)
        self.f, self.e = np.asarray(sides[:, 0]), np.asarray(sides[:, 1])

    def __len__(self) -> int:
        return len(self.f)

    def blocks(self) -> Iterator[Block]:
        """Yield every sentence pair once, in blocks of at most about two million cells."""
        for (pairs, m, n), begin, end in self._block_ranges():
            yield Block(pairs, *self._words(pairs, m, n), self._cells[begin:end].reshape(len(pairs), m, n))

    def shapes(self) -> Int64s:
        """Return m, n and the number of sentence pairs of every block, int64[n, 3]."""
        return np.array([(m, n, len(pairs)) for pairs, m, n in self._shapes], np.int64)

    def parts(self) -> Iterator[slice]:
        """Yield slices of the word pairs, about two million at a time."""
        for begin in range(0, len(self), _MAX_BLOCK_CELLS):
            yield slice(begin, min(begin + _MAX_BLOCK_CELLS, len(self)))

    def _block_ranges(self) -> Iterator[tuple[tuple[Int64s, int, int], int, int]]:
        ends = self._offsets.tolist()
        return zip(self._shapes, ends[:-1], ends[1:], strict=True)

    def _words(self, pairs: Int64s, m: int, n: int) -> tuple[Int32s, Int32s]:
        text = self.text
        source = text.tokens[text.starts[text.source[pairs]][:, None] + np.arange(m)]
        target = text.tokens[text.starts[text.target[pairs]][:, None] + np.arange(n)]
        return source, target

    def _number_within_blocks(self, stream: IO[bytes]) -> Int64s:
        """Set each cell to the rank of its word pair within its block.

        Writes the sorted keys f * n_words + e of the pairs to `stream`, block by block; returns where each block ends.
        """
        sizes = [0]
        total = len(self._shapes)
        for (pairs, m, n), begin, end in progress(self._block_ranges(), "numbering word pairs", "blocks", total):
            source, target = self._words(pairs, m, n)
            keys = source[:, :, None].astype(np.int64) * len(self.text.words) + target[:, None, :]
            distinct, rank = np.unique(keys.ravel(), return_inverse=True)
            self._cells[begin:end] = rank
            stream.write(distinct.data)
            sizes.append(len(distinct))
        stream.flush()
        return np.cumsum(sizes)

    def _number_across_blocks(self, block_keys: Int64s, ends: Int64s, stream: IO[bytes]) -> None:
        """Number the distinct keys in their order, a range of them at a time, and set each cell to that number.

        `block_keys`: the sorted keys of each block, up to `ends`; they are overwritten. Writes f and e of each pair to
        `stream`.
        """
        n_words, n_numbered = len(self.text.words), 0
        at = ends[:-1].copy()
        for bound in self._bounds(block_keys):
            upto = [int(b + np.searchsorted(block_keys[b:e], bound)) for b, e in zip(at, ends[1:], strict=True)]
            keys, number = np.unique(
                np.concatenate([block_keys[b:e] for b, e in zip(at, upto, strict=True)]), return_inverse=True
            )
            begin = 0
            for b, e in zip(at.tolist(), upto, strict=True):  # numbers replace the keys
                block_keys[b:e] = number[begin : begin + e - b] + n_numbered
                begin += e - b
            stream.write(np.stack([keys // n_words, keys % n_words], axis=1).astype(np.int32).data)
            n_numbered += len(keys)
            at = np.array(upto)
        stream.flush()
        for (_, begin, end), low, high in zip(self._block_ranges(), ends[:-1], ends[1:], strict=True):
            self._cells[begin:end] = block_keys[low:high].astype(np.int32)[self._cells[begin:end]]

    def _bounds(self, block_keys: Int64s) -> list[int]:
        """Return upper bounds of ranges with about _MAX_SORTED_PAIRS keys each; a source word is in one range."""
        n_words = len(self.text.words)
        counts = np.zeros(n_words, np.int64)
        for begin in range(0, len(block_keys), _MAX_BLOCK_CELLS):
            counts += np.bincount(block_keys[begin : begin + _MAX_BLOCK_CELLS] // n_words, minlength=n_words)
        filled = np.cumsum(counts) // _MAX_SORTED_PAIRS
        last = np.flatnonzero(np.append(np.diff(filled) > 0, True))
        return ((last + 1) * n_words).tolist()


def _shapes(text: ParallelText) -> Iterator[tuple[Int64s, int, int]]:
    """Yield (pair numbers, m, n) of sentence pairs grouped by (m, n), with large groups split."""
    lengths = text.lengths
    m, n = lengths[text.source], lengths[text.target]
    order = np.lexsort((n, m))
    borders = np.flatnonzero(begins_run(m[order], n[order]))[1:]
    for group in np.split(order, borders):
        rows, columns = int(m[group[0]]), int(n[group[0]])
        size = max(1, _MAX_BLOCK_CELLS // (rows * columns))
        for begin in range(0, len(group), size):
            yield group[begin : begin + size], rows, columns
