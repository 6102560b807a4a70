"""Reading language models in CMU Sphinx's binary trie format ("Trie Language Model", quantised).

Layout, little-endian (pocketsphinx: src/lm/lm_trie.c, lm_trie_quant.c, bitarr.c): the name of the format; the order
(one byte); the number of n-grams of each order; for each order above one 2^16 quantised probabilities and, below the
highest, as many back-off weights; the unigrams (probability, back-off, first child); the packed n-grams; the words.
N-grams are stored last word first: the children of an n-gram are those with one more word before it. An entry packs
the new word, the numbers of its quantised back-off and probability, and its first child, in as many bits as they need.
Values are logarithms to the base 1.0001.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Int32s
from sbmt.errors import FormatError
from sbmt.lm.ngrams import SPECIAL_WORDS, NGramModel, build_trie, close_suffixes

_NAME = b"Trie Language Model"
_UNIGRAM = np.dtype([("probability", "<f4"), ("backoff", "<f4"), ("child", "<u4")])
_BINS = 1 << 16
_BASE = 1.0001


class _Reader:
    """Reads a file's bytes piece by piece from the position `at` on."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at

    def take(self, dtype: str | np.dtype[Any], count: int) -> NDArray[Any]:
        """Return the next `count` values of a type; raises ValueError if there are fewer."""
        values = np.frombuffer(self._data, dtype, count, self._at)
        self._at += values.nbytes
        return values

    def rest(self) -> bytes:
        """Return the remaining bytes."""
        return self._data[self._at :]


def read_sphinx(path: str | Path) -> NGramModel:
    """Read a model; raises FormatError if it is not in this format, or not complete."""
    data = Path(path).read_bytes()
    if not data.startswith(_NAME):
        raise FormatError(str(path), None, "is not a Sphinx trie language model")
    try:
        return _read(_Reader(data, len(_NAME)))
    except (ValueError, IndexError, KeyError):
        raise FormatError(str(path), None, "is cut short or damaged") from None


def _read(reader: _Reader) -> NGramModel:
    order = int(reader.take("u1", 1)[0])
    *sizes, _ = reader.take("<u4", order + 1).tolist()  # the last number is unused
    bins = reader.take("<f4", _BINS * (2 * order - 3)).reshape(-1, _BINS)
    unigrams = reader.take(_UNIGRAM, sizes[0] + 1)
    children = unigrams["child"]
    reversed_words, ngrams = [np.arange(sizes[0], dtype=np.int32)[:, None]], []
    values = [(unigrams["probability"][:-1], unigrams["backoff"][:-1])]
    for k in range(2, order + 1):
        is_longest = k == order
        fields = [sizes[0].bit_length(), 16, *([] if is_longest else [16, sizes[k].bit_length()])]
        columns = _unpack(reader, sizes[k - 1], fields)
        n_ngrams = int(children[-1])  # the sizes in the header can be slightly too large
        n_children = (children[1:] - children[:-1]).astype(np.int64)
        parent = np.repeat(np.arange(len(n_children)), n_children)
        word = columns[0][:n_ngrams].astype(np.int32)
        reversed_words.append(np.concatenate([reversed_words[-1][parent], word[:, None]], axis=1))
        ngrams.append(np.ascontiguousarray(reversed_words[-1][:, ::-1]))
        table = bins[2 * (k - 2) :]
        if is_longest:
            values.append((table[0][columns[1][:n_ngrams]], np.zeros(n_ngrams, np.float32)))
        else:
            values.append((table[0][columns[2][:n_ngrams]], table[1][columns[1][:n_ngrams]]))
            children = columns[3][: n_ngrams + 1]
    reader.take("<u4", 1)  # the length of what follows
    words = reader.rest().decode().split("\0")[: sizes[0]]
    return _assemble(words, ngrams, values)


def _unpack(reader: _Reader, entries: int, bits: list[int]) -> list[NDArray[np.uint64]]:
    """Return the fields of `entries` + 1 packed entries (the last holds only the end of the children)."""
    total = sum(bits)
    packed = reader.take("u1", ((entries + 1) * total + 7) // 8 + 8)
    windows = np.ndarray((len(packed) - 7,), "<u8", packed, strides=(1,))  # the 8 bytes from every byte on
    columns, shift = [], 0
    start = np.arange(entries + 1, dtype=np.int64) * total
    for width in bits:
        position = start + shift
        mask = np.uint64((1 << width) - 1)
        columns.append((windows[position >> 3] >> (position & 7).astype(np.uint64)) & mask)
        shift += width
    return columns


def _assemble(
    words: list[str], ngrams: list[Int32s], values: list[tuple[NDArray[np.float32], NDArray[np.float32]]]
) -> NGramModel:
    """Return a model in log10, with the special words first."""
    names = list(dict.fromkeys([*SPECIAL_WORDS, *words]))
    numbers = {word: i for i, word in enumerate(names)}
    ids = np.array([numbers[word] for word in words], np.int32)
    trie, sources = build_trie(len(names), [ids[matrix] for matrix in ngrams])
    log10_p, log10_backoff = np.full(len(names), -99.0, np.float32), np.zeros(len(names), np.float32)
    unit = np.float32(math.log10(_BASE))
    log10_p[ids], log10_backoff[ids] = values[0][0] * unit, values[0][1] * unit
    pairs = list(zip(values[1:], sources[1:], strict=True))
    return close_suffixes(
        NGramModel(
            names,
            trie,
            [log10_p, *(p[source] * unit for (p, _), source in pairs)],
            [log10_backoff, *(b[source] * unit for (_, b), source in pairs)],
        )
    )
