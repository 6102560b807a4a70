"""Back-off n-gram models as columns: every n-gram is the row of its first n-1 words plus one word.

Row `i` of order k is the n-gram `ngram(context[i]) + word[i]`, where `context[i]` is a row of order k-1; row `i` of
order 1 is word `i`. Rows are sorted by (context, word), so that a look-up is a binary search over one int64 column and
all arithmetic on models of millions of n-grams stays in numpy. The first words are SPECIAL_WORDS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Floats, Int32s, Int64s, begins_run
from sbmt.lm.symbols import BEGIN, END, UNKNOWN

SPECIAL_WORDS = (UNKNOWN, BEGIN, END)
UNKNOWN_ID, BEGIN_ID, END_ID = range(3)


def ngram_key(contexts: Int32s, words: Int32s, vocabulary_size: int) -> Int64s:
    """Return one number for each (context, word), ordered as the rows of a Trie."""
    return contexts.astype(np.int64) * vocabulary_size + words


def ngram_columns(keys: Int64s, vocabulary_size: int) -> tuple[Int32s, Int32s]:
    """Return the contexts and words of keys of `ngram_key`."""
    return (keys // vocabulary_size).astype(np.int32), (keys % vocabulary_size).astype(np.int32)


class Trie:
    """A set of n-grams up to some order in which the first n-1 words of each n-gram are in the set too."""

    def __init__(
        self,
        vocabulary_size: int,
        columns: Sequence[tuple[Int32s, Int32s]] = (),
        suffixes: Sequence[Int32s] = (),
    ) -> None:
        """Set up a trie of `columns`, (context, word) of orders 2, 3, ..., each sorted by context, then word.

        `suffixes`: the values of `suffix` for orders 1, 2, ..., if the caller has them anyway.
        """
        words = np.arange(vocabulary_size, dtype=np.int32)
        self.vocabulary_size = vocabulary_size
        self.context = [np.zeros(vocabulary_size, np.int32), *(context for context, _ in columns)]
        self.word = [words, *(word for _, word in columns)]
        self._keys: list[Int64s] = []
        self._suffix = list(suffixes)

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.word)

    def size(self, k: int) -> int:
        """Return the number of n-grams of length `k`."""
        return len(self.word[k - 1])

    def find(self, k: int, contexts: Int32s, words: Int32s) -> Int32s:
        """Return the rows of order `k` for contexts (rows of order k-1) and words; -1 for none, or if either is -1."""
        if k == 1:
            return np.asarray(words, np.int32)
        while len(self._keys) < k:
            n = len(self._keys)
            self._keys.append(ngram_key(self.context[n], self.word[n], self.vocabulary_size))
        keys = self._keys[k - 1]
        queries = ngram_key(contexts, words, self.vocabulary_size)
        row = np.searchsorted(keys, queries)
        row[row == len(keys)] = 0
        is_found = (contexts >= 0) & (words >= 0)
        is_found &= keys[row] == queries if len(keys) else False
        return np.where(is_found, row, -1).astype(np.int32)

    def suffix(self, k: int) -> Int32s:
        """Return the row in order k-1 of the last k-1 words of every n-gram of length `k` > 1 (-1: not in the set)."""
        if not self._suffix:
            self._suffix = [np.zeros(self.vocabulary_size, np.int32)]
        while len(self._suffix) < k:
            n = len(self._suffix)
            context, word = self.context[n], self.word[n]
            self._suffix.append(word if n == 1 else self.find(n, self._suffix[n - 1][context], word))
        return self._suffix[k - 1]

    def words(self, k: int, rows: slice = slice(None)) -> Int32s:
        """Return the words of n-grams of length `k`, left to right: int32[n, k]."""
        context, columns = np.arange(self.size(k), dtype=np.int32)[rows], []
        for n in range(k, 0, -1):
            columns.append(self.word[n - 1][context])
            context = self.context[n - 1][context]
        return np.stack(columns[::-1], axis=1)


class MissingContextError(ValueError):
    """The first k-1 words of n-gram `row` of length `k` are not in the set."""

    def __init__(self, k: int, row: int) -> None:
        super().__init__(k, row)
        self.k, self.row = k, row


def build_trie(vocabulary_size: int, ngrams: Sequence[Int32s]) -> tuple[Trie, list[Int64s]]:
    """Return a Trie of int32[n, k] matrices of word ids for k = 2, 3, ..., and the source of each of its rows.

    Of repeated n-grams the first counts. Raises MissingContextError if the first k-1 words of an n-gram of
    length k are not in the set.
    """
    trie, sources = Trie(vocabulary_size), [np.arange(vocabulary_size)]
    for k, matrix in enumerate(ngrams, 2):
        context = matrix[:, 0]
        for n in range(2, k):
            context = trie.find(n, context, matrix[:, n - 1])
        if len(context) and context.min() < 0:
            raise MissingContextError(k, int(np.argmin(context)))
        key = ngram_key(context, matrix[:, k - 1], vocabulary_size)
        order = np.argsort(key, kind="stable")
        order = order[begins_run(key[order])]
        sources.append(order)
        columns = [*zip(trie.context[1:], trie.word[1:], strict=True), (context[order], matrix[order, k - 1])]
        trie = Trie(vocabulary_size, columns)
    return trie, sources


@dataclass(frozen=True, slots=True, eq=False)
class NGramModel:
    """A back-off model: log10 probabilities and back-off weights (0 for none) for each row of a Trie."""

    words: list[str]
    trie: Trie
    log10_p: list[NDArray[np.float32]]
    log10_backoff: list[NDArray[np.float32]]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.trie.order

    def probabilities(self, ngrams: Trie, ids: Int32s) -> list[Floats]:
        """Return P(last word | words before) of all n-grams of another set, with back-off: not log, an array per order.

        `ngrams` must hold the suffix of each of its n-grams; `ids` maps its words to this model's (-1: probability 0).
        """
        row, result, lower_backoff = ids, list[Floats](), np.ones(1)
        for k in range(1, ngrams.order + 1):
            context, word = ngrams.context[k - 1], ngrams.word[k - 1]
            if k > 1:
                has_order = k <= self.order
                row = self.trie.find(k, row[context], ids[word]) if has_order else np.full(len(word), -1, np.int32)
                probability = lower_backoff[context] * result[-1][ngrams.suffix(k)]
            else:
                probability = np.zeros(len(word))
            is_found = row >= 0
            backoff = np.ones(len(word))
            if k <= self.order:
                probability[is_found] = 10.0 ** self.log10_p[k - 1][row[is_found]].astype(float)
                backoff[is_found] = 10.0 ** self.log10_backoff[k - 1][row[is_found]].astype(float)
            result.append(probability)
            lower_backoff = backoff
        return result


def normalised(words: Sequence[str], trie: Trie, probabilities: Sequence[Floats]) -> NGramModel:
    """Return a model of explicit probabilities (not log; 0 becomes 1e-99) with back-off weights that normalise it.

    The weight of a context is the probability that its n-grams leave to other words, divided by what the shorter
    context gives to those. Missing suffixes are added with the probability that back-off gives them.
    """
    closed = _with_suffixes(trie)
    row, complete, weights = np.arange(len(words), dtype=np.int32), [probabilities[0]], list[Floats]()
    for k in range(2, closed.order + 1):
        context, contexts = closed.context[k - 1], closed.size(k - 1)
        row = trie.find(k, row[context], closed.word[k - 1])
        explicit = np.where(row >= 0, probabilities[k - 1][row], 0.0)
        lower = complete[-1][closed.suffix(k)]
        remaining = 1.0 - np.bincount(context, explicit, contexts)
        remaining_below = 1.0 - np.bincount(context, np.where(row >= 0, lower, 0.0), contexts)
        weights.append(np.maximum(remaining, 1e-9) / np.maximum(remaining_below, 1e-9))
        complete.append(np.where(row >= 0, explicit, weights[-1][context] * lower))
    weights.append(np.ones(closed.size(closed.order)))
    with np.errstate(divide="ignore"):
        log10_p = [np.maximum(np.log10(p), -99.0).astype(np.float32) for p in complete]
    return NGramModel(list(words), closed, log10_p, [np.log10(weight).astype(np.float32) for weight in weights])


def _with_suffixes(trie: Trie) -> Trie:
    """Return the n-grams of `trie` and all their suffixes; `trie` itself if it has them."""
    while any((trie.suffix(k) < 0).any() for k in range(3, trie.order + 1)):
        matrices = [trie.words(k) for k in range(2, trie.order + 1)]
        for k in range(3, trie.order + 1):
            missing = matrices[k - 2][trie.suffix(k) < 0][:, 1:]
            matrices[k - 3] = np.concatenate([matrices[k - 3], missing])
        trie, _ = build_trie(trie.vocabulary_size, matrices)
    return trie


def close_suffixes(model: NGramModel) -> NGramModel:
    """Return the same distribution with the suffix of each n-gram in the model, as KenLM's tables need it.

    Models pruned by entropy (SRILM) lack some; they get the probability that back-off gave them and no back-off weight.
    """
    trie = _with_suffixes(model.trie)
    if trie is model.trie:
        return model
    ids = np.arange(trie.vocabulary_size, dtype=np.int32)
    probabilities = model.probabilities(trie, ids)
    row, backoff = ids, [model.log10_backoff[0]]
    for k in range(2, trie.order + 1):
        row = model.trie.find(k, row[trie.context[k - 1]], trie.word[k - 1])
        backoff.append(np.where(row >= 0, model.log10_backoff[k - 1][row], np.float32(0)))
    with np.errstate(divide="ignore"):
        log10_p = [np.log10(p).astype(np.float32) for p in probabilities]
    return NGramModel(model.words, trie, log10_p, backoff)
