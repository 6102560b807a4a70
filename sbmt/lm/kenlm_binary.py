"""KenLM's binary file of probing hash tables, which loads by memory mapping at once (format version 5).

Layout, all little-endian (kenlm: lm/binary_format.cc, lm/vocab.cc, lm/search_hashed.cc, util/probing_hash_table.hh):
sanity header, parameters, number of n-grams of each order; the vocabulary as a table MurmurHash64A(word) -> id;
(log10 probability, log10 back-off) of all words by id; for each order above one a table from the hash of the n-gram to
its values; the words, each ended by NUL. Tables use linear probing with 1.5 buckets an entry and the key 0 for "empty".

Signs have a meaning. A probability is stored positive if a longer n-gram ends in this one; a back-off weight of zero is
stored as -0.0 if no longer n-gram starts with this one, which leaves it out of contexts. Unlike
KenLM, we keep an n-gram as a context if a longer one that ends in it is kept: then a context itself shows all that may
matter before it, as `sbmt.lm.states` needs. Heafield (2011), "KenLM: faster and smaller queries".
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sbmt.files import atomic_path
from sbmt.io import KENLM_BINARY
from sbmt.lm.ngrams import NGramModel

Hashes = NDArray[np.uint64]

_MAGIC = KENLM_BINARY + b"://kheafield.com/code format version 5\n\0\0"
_MULTIPLIER = np.float32(1.5)  # buckets per entry, KenLM's default
_VOCABULARY = np.dtype([("key", "<u8"), ("value", "<u4")])
_MIDDLE = np.dtype([("key", "<u8"), ("probability", "<f4"), ("backoff", "<f4")])
LONGEST = np.dtype([("key", "<u8"), ("probability", "<f4")])


def write_kenlm_binary(model: NGramModel, path: str | Path) -> None:
    """Write `model`, which must contain the suffixes of all its n-grams; the file appears whole or not at all.

    A model of order 1 is written as order 2 without bigrams, because KenLM loads none below that.
    """
    trie = model.trie
    sizes = [trie.size(k) for k in range(1, trie.order + 1)]
    words = [word.encode() for word in model.words]
    with atomic_path(path) as temporary, open(temporary, "wb") as out:
        out.write(_header(sizes if len(sizes) > 1 else [*sizes, 0]))
        out.write(struct.pack("<II", 0, len(words)))  # version of the vocabulary, number of words
        vocabulary = np.empty(len(words) - 1, _VOCABULARY)
        vocabulary["key"], vocabulary["value"] = murmur_hash(words)[1:], np.arange(1, len(words))
        out.write(probing_table(vocabulary, len(words)).tobytes())
        contexts = _contexts(model)
        out.write(_values(model, 1, contexts).tobytes())
        out.write(bytes(8))  # KenLM reserves space for an <unk> that it may have to add
        hashes = np.arange(len(words), dtype=np.uint64)
        first_word = np.arange(len(words), dtype=np.uint64)
        for k in range(2, trie.order + 1):
            first_word = first_word[trie.context[k - 1]]
            hashes = _combine(hashes[trie.suffix(k)], first_word)
            values = _values(model, k, contexts)
            entries = np.empty(len(hashes), _MIDDLE if k < trie.order else LONGEST)
            entries["key"] = hashes
            for name in (entries.dtype.names or ())[1:]:
                entries[name] = values[name]
            out.write(probing_table(entries, len(entries)).tobytes())
        if trie.order == 1:
            out.write(probing_table(np.empty(0, LONGEST), 0).tobytes())
        out.write(b"\0".join(words) + b"\0")


def _header(sizes: list[int]) -> bytes:
    """Return test values that reveal another byte order, then order, multiplier, model type 0 (probing), has words."""
    sanity = _MAGIC.ljust(56, b"\0") + struct.pack("<fffIIIQ", 0.0, 1.0, -0.5, 1, 0xFFFFFFFF, 0, 1)
    parameters = struct.pack("<B3xfI?3xI", len(sizes), float(_MULTIPLIER), 0, True, 0)
    header = sanity + parameters + struct.pack(f"<{len(sizes)}Q", *sizes)
    return header + bytes(-len(header) % 8)


def _contexts(model: NGramModel) -> list[NDArray[np.bool_]]:
    """Return whether each n-gram is kept as a context, by order."""
    trie = model.trie
    kept = [backoff != 0 for backoff in model.log10_backoff]
    kept[-1][:] = False
    for k in range(trie.order - 1, 0, -1):
        kept[k - 1][trie.context[k]] = True
        if k < trie.order - 1:
            kept[k - 1][trie.suffix(k + 1)[kept[k]]] = True
    return kept


def _values(model: NGramModel, k: int, contexts: list[NDArray[np.bool_]]) -> NDArray[np.void]:
    """Return the values of order `k` with their signs: (probability, backoff)[n]."""
    trie = model.trie
    values = np.empty(trie.size(k), [("probability", "<f4"), ("backoff", "<f4")])
    extends_left = np.zeros(len(values), bool)
    if k < trie.order:
        extends_left[trie.suffix(k + 1)] = True
    magnitude = np.abs(model.log10_p[k - 1])
    values["probability"] = np.where(extends_left, magnitude, -magnitude)
    backoff = model.log10_backoff[k - 1]
    values["backoff"] = np.where(backoff != 0, backoff, np.where(contexts[k - 1], np.float32(0.0), np.float32(-0.0)))
    return values


def _combine(hashes: Hashes, words: Hashes) -> Hashes:
    """Return the hash of n-grams from the hash of their last n-1 words and their first word."""
    return (hashes * np.uint64(8978948897894561157)) ^ ((words + np.uint64(1)) * np.uint64(17894857484156487943))


def probing_table(entries: NDArray[np.void], sized_for: int) -> NDArray[np.void]:
    """Return a table of entries (with a field "key"), each in the first free bucket from `key % buckets` on."""
    buckets = max(sized_for + 1, int(_MULTIPLIER * np.float32(sized_for)))
    table = np.zeros(buckets, entries.dtype)
    ideal = (entries["key"] % np.uint64(buckets)).astype(np.int64)
    order = np.argsort(ideal, kind="stable")
    ideal = ideal[order]
    steps = np.arange(len(ideal))
    # In order of their ideal buckets, each goes to its ideal bucket or the one after its predecessor, if that is later.
    place = np.maximum.accumulate(ideal - steps) + steps
    wrapped = int(np.count_nonzero(place >= buckets))
    if wrapped:  # those past the end start again at bucket 0 and displace the first ones
        order, ideal = np.roll(order, wrapped), np.roll(ideal, wrapped)
        ideal[:wrapped] = 0
        place = np.maximum.accumulate(ideal - steps) + steps
    table[place] = entries[order]
    return table


def murmur_hash(words: list[bytes]) -> Hashes:
    """Return MurmurHash64A with seed 0 (Austin Appleby, public domain) of each word, computed by length."""
    multiplier, shift = np.uint64(0xC6A4A7935BD1E995), np.uint64(47)
    lengths = np.array([len(word) for word in words])
    result = np.empty(len(words), np.uint64)
    for length in np.unique(lengths).tolist():
        members = np.flatnonzero(lengths == length)
        padded = -(-length // 8) * 8
        text = b"".join(words[i].ljust(padded, b"\0") for i in members)
        blocks = np.frombuffer(text, "<u8").reshape(len(members), padded // 8)
        hashes = np.full(len(members), length, np.uint64) * multiplier
        for i in range(length // 8):
            block = blocks[:, i] * multiplier
            block = (block ^ (block >> shift)) * multiplier
            hashes = (hashes ^ block) * multiplier
        if length % 8:
            hashes = (hashes ^ blocks[:, -1]) * multiplier
        hashes = (hashes ^ (hashes >> shift)) * multiplier
        result[members] = hashes ^ (hashes >> shift)
    return result
