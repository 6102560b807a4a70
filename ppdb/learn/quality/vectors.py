"""Word vectors from text: positive pointwise mutual information, reduced by SVD (Levy, Goldberg & Dagan 2015).

Counts of words within three words of each other; PMI with the context distribution raised to 0.75; the rows of
U S^0.5 of the truncated SVD, scaled to length 1. Small, exact, and the same for the same text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds

from sbmt.arguments import check_least
from sbmt.arrays import Floats, Int32s
from sbmt.compressed import open_bytes
from sbmt.errors import FormatError, ModelError, counted
from sbmt.files import atomic_path
from sbmt.ppdb.learn.settings import VECTOR_DIMENSIONS, VECTOR_MIN_COUNT
from sbmt.text.whitespace import split_words

_SMOOTHING = 0.75
_WINDOW = 3
_MAX_WORDS = 40_000
_SEED = 1
_MAX_CHUNK_TOKENS = 1_000_000


class Vectors:
    """Unit vectors of words."""

    def __init__(self, words: Sequence[str], rows: NDArray[np.float32], frequency: Floats) -> None:
        """`rows` [n, d]: a vector of length 1 for each of n words; `frequency` [n]: of each per million words."""
        self.words, self.rows, self.frequency = words, rows, frequency
        self._ids = {word: k for k, word in enumerate(words)}

    def cosine(self, source: Sequence[str], target: Sequence[str]) -> float | None:
        """Return the cosine of the weighted sums of the words' vectors; None if a side has no known word."""
        left, right = self._sum(source), self._sum(target)
        if left is None or right is None:
            return None
        return float(left @ right / max(1e-9, float(np.linalg.norm(left) * np.linalg.norm(right))))

    def _sum(self, words: Sequence[str]) -> Floats | None:
        ids = [self._ids[word] for word in words if word in self._ids]
        if not ids:
            return None
        weight = 1 / (1 + self.frequency[ids] / 100)  # per million; about a = 1e-4 of Arora, Liang & Ma (2017)
        return np.asarray(weight @ self.rows[ids])

    def save(self, path: str | Path) -> None:
        """Write as a compressed numpy file."""
        with atomic_path(path) as temporary, open(temporary, "wb") as stream:
            np.savez_compressed(
                stream, words=np.array(self.words), rows=self.rows.astype(np.float16), frequency=self.frequency
            )

    @classmethod
    def open(cls, path: str | Path) -> Vectors:
        """Read what `save` wrote; raises ModelError for anything else."""
        with open_bytes(path) as stream:
            try:
                data = np.load(stream)
                words, rows, frequency = data["words"].tolist(), data["rows"].astype(np.float32), data["frequency"]
                if rows.ndim != 2 or not len(words) == len(rows) == len(frequency):
                    raise ValueError
                return cls(words, rows, frequency)
            except MemoryError:
                raise
            except Exception:  # numpy and zipfile raise many kinds
                raise ModelError(f"{path}: is not a file of word vectors; make one with sbmt-learn vectors") from None


def train_vectors(
    lines: Iterable[str], dimensions: int = VECTOR_DIMENSIONS, min_count: int = VECTOR_MIN_COUNT, name: str = "the text"
) -> Vectors:
    """Train vectors of the most frequent words of tokenised lines, seen at least `min_count` times, at most 40,000.

    `name`: of the text, for errors. Raises FormatError if there are too few words, or no two of them near each other,
    and SbmtError for fewer than 1 dimension or occurrence.
    """
    check_least(1, dimensions=dimensions, min_count=min_count)
    counts: Counter[str] = Counter()
    ids: dict[str, int] = {}
    sentences = []
    for line in lines:
        words = split_words(line)
        counts.update(words)
        sentences.append(np.array([ids.setdefault(word, len(ids)) for word in words], np.int32))
    kept = [word for word, count in counts.most_common(_MAX_WORDS) if count >= min_count]
    if len(kept) <= dimensions:
        often = "once" if min_count == 1 else f"{min_count} times"
        needed = counted(dimensions, "dimension")
        problem = f"has {counted(len(kept), 'word')} seen at least {often}, too few for {needed}"
        raise FormatError(name, None, problem, "give more text, or lower --dimensions or --min-count")
    new = np.full(len(ids), -1, np.int32)
    new[[ids[word] for word in kept]] = np.arange(len(kept))
    ppmi = _ppmi(_cooccurrence([new[sentence] for sentence in sentences], len(kept)))
    if not ppmi.nnz:
        problem = "no two of its words stand near each other more often than by chance"
        raise FormatError(name, None, problem, "give text with one sentence per line, or lower --min-count")
    start = np.random.default_rng(_SEED).standard_normal(len(kept))
    u, s, _ = svds(ppmi, k=dimensions, v0=start)
    rows = u * np.sqrt(s)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    million = sum(counts.values()) / 1e6
    return Vectors(kept, rows.astype(np.float32), np.array([counts[word] for word in kept]) / million)


def _cooccurrence(sentences: list[Int32s], n_words: int) -> sparse.csr_matrix:
    """Count how often two words are within _WINDOW words of each other in a sentence; symmetric."""
    total = sparse.csr_matrix((n_words, n_words), dtype=np.float64)
    border = np.full(_WINDOW, -1, np.int32)
    begin = 0
    while begin < len(sentences):
        end, size = begin, 0
        while end < len(sentences) and size < _MAX_CHUNK_TOKENS:
            size += len(sentences[end])
            end += 1
        flat = np.concatenate([part for sentence in sentences[begin:end] for part in (sentence, border)])
        for distance in range(1, _WINDOW + 1):
            left, right = flat[:-distance], flat[distance:]
            both = (left >= 0) & (right >= 0)
            ones = np.ones(int(both.sum()))
            total += sparse.coo_matrix((ones, (left[both], right[both])), shape=total.shape).tocsr()
        begin = end
    return (total + total.T).tocsr()


def _ppmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return max(0, ln P(w, c) / (P(w) P_0.75(c)))."""
    rows = np.asarray(counts.sum(axis=1)).ravel()
    contexts = rows**_SMOOTHING / max(1.0, (rows**_SMOOTHING).sum())  # below 1 only without any counts
    cells = counts.tocoo()
    values = np.log(cells.data / (rows[cells.row] * contexts[cells.col]))
    positive = values > 0
    return sparse.csr_matrix((values[positive], (cells.row[positive], cells.col[positive])), shape=counts.shape)
