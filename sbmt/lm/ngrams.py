"""Back-off n-gram models as columns: every n-gram is the row of its first n-1 words and one word more.

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
    """One number for each (context, word), ordered as the rows of a Trie are."""
    return contexts.astype(np.int64) * vocabulary_size + words


def ngram_columns(keys: Int64s, vocabulary_size: int) -> tuple[Int32s, Int32s]:
    """The contexts and words of which `ngram_key` made these numbers."""
    return (keys // vocabulary_size).astype(np.int32), (keys % vocabulary_size).astype(np.int32)


class Trie:
    """A set of n-grams up to some order in which the first n-1 words of each n-gram are in the set too."""

    def __init__(
        self,
        vocabulary_size: int,
        columns: Sequence[tuple[Int32s, Int32s]] = (),
        suffixes: Sequence[Int32s] = (),
    ) -> None:
        """`columns` are (context, word) of orders 2, 3, ..., each sorted by context, then word.

        `suffixes`: what `suffix` returns, of orders 1, 2, ..., where the maker of the set knows it anyway.
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
        """How many n-grams of length `k` there are."""
        return len(self.word[k - 1])

    def find(self, k: int, contexts: Int32s, words: Int32s) -> Int32s:
        """Rows of order `k` for contexts (rows of order k-1) and words; -1 where there is none, or a -1 came in."""
        if k == 1:
            return np.asarray(words, np.int32)
        while len(self._keys) < k:
            below = len(self._keys)
            self._keys.append(ngram_key(self.context[below], self.word[below], self.vocabulary_size))
        keys = self._keys[k - 1]
        wanted = ngram_key(contexts, words, self.vocabulary_size)
        row = np.searchsorted(keys, wanted)
        row[row == len(keys)] = 0
        found = (contexts >= 0) & (words >= 0)
        found &= keys[row] == wanted if len(keys) else False
        return np.where(found, row, -1).astype(np.int32)

    def suffix(self, k: int) -> Int32s:
        """For every n-gram of length `k` > 1 the row of its last k-1 words in order k-1 (-1: not in the set)."""
        if not self._suffix:
            self._suffix = [np.zeros(self.vocabulary_size, np.int32)]
        while len(self._suffix) < k:
            done = len(self._suffix)
            context, word = self.context[done], self.word[done]
            self._suffix.append(word if done == 1 else self.find(done, self._suffix[done - 1][context], word))
        return self._suffix[k - 1]

    def words(self, k: int, rows: slice = slice(None)) -> Int32s:
        """The words of n-grams of length `k`, oldest first: int32[n, k]."""
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
    """A Trie of int32[n, k] matrices of word ids for k = 2, 3, ..., and where each row came from.

    Of an n-gram that is given twice the first counts. Raises MissingContextError if the first k-1 words of an n-gram of
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
    """A back-off model: log10 probabilities and back-off weights (0 where there is none) for each row of a Trie."""

    words: list[str]
    trie: Trie
    log10_p: list[NDArray[np.float32]]
    log10_backoff: list[NDArray[np.float32]]

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.trie.order

    def probabilities(self, ngrams: Trie, ids: Int32s) -> list[Floats]:
        """P(last word | words before) of every n-gram of another set, one array an order, with back-off (not log).

        `ngrams` must hold the suffix of each of its n-grams; `ids` maps its words to this model's (-1: probability 0).
        """
        row, result, lower_backoff = ids, list[Floats](), np.ones(1)
        for k in range(1, ngrams.order + 1):
            context, word = ngrams.context[k - 1], ngrams.word[k - 1]
            if k > 1:
                known = k <= self.order
                row = self.trie.find(k, row[context], ids[word]) if known else np.full(len(word), -1, np.int32)
                probability = lower_backoff[context] * result[-1][ngrams.suffix(k)]
            else:
                probability = np.zeros(len(word))
            found = row >= 0
            backoff = np.ones(len(word))
            if k <= self.order:
                probability[found] = 10.0 ** self.log10_p[k - 1][row[found]].astype(float)
                backoff[found] = 10.0 ** self.log10_backoff[k - 1][row[found]].astype(float)
            result.append(probability)
            lower_backoff = backoff
        return result


def normalised(words: Sequence[str], trie: Trie, probabilities: Sequence[Floats]) -> NGramModel:
    """A model of explicit probabilities (not log; 0 becomes 1e-99) with the back-off weights that they need.

    A context's weight is the probability that its n-grams leave over what the shorter context gives to all other words.
    Missing suffixes are added with what back-off gives them.
    """
    closed = _with_suffixes(trie)
    row, complete, weights = np.arange(len(words), dtype=np.int32), [probabilities[0]], list[Floats]()
    for k in range(2, closed.order + 1):
        context, contexts = closed.context[k - 1], closed.size(k - 1)
        row = trie.find(k, row[context], closed.word[k - 1])
        explicit = np.where(row >= 0, probabilities[k - 1][row], 0.0)
        lower = complete[-1][closed.suffix(k)]
        left = 1.0 - np.bincount(context, explicit, contexts)
        below = 1.0 - np.bincount(context, np.where(row >= 0, lower, 0.0), contexts)
        weights.append(np.maximum(left, 1e-9) / np.maximum(below, 1e-9))
        complete.append(np.where(row >= 0, explicit, weights[-1][context] * lower))
    weights.append(np.ones(closed.size(closed.order)))
    with np.errstate(divide="ignore"):
        log10_p = [np.maximum(np.log10(p), -99.0).astype(np.float32) for p in complete]
    return NGramModel(list(words), closed, log10_p, [np.log10(weight).astype(np.float32) for weight in weights])


def _with_suffixes(trie: Trie) -> Trie:
    """The n-grams of `trie` and all their suffixes; `trie` itself if it has them."""
    while any((trie.suffix(k) < 0).any() for k in range(3, trie.order + 1)):
        matrices = [trie.words(k) for k in range(2, trie.order + 1)]
        for k in range(3, trie.order + 1):
            missing = matrices[k - 2][trie.suffix(k) < 0][:, 1:]
            matrices[k - 3] = np.concatenate([matrices[k - 3], missing])
        trie, _ = build_trie(trie.vocabulary_size, matrices)
    return trie


def close_suffixes(model: NGramModel) -> NGramModel:
    """The same distribution with the suffix of each n-gram in the model, as KenLM's tables need it.

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
