"""Static linear interpolation of n-gram models into one back-off model, with weights tuned on a sample by EM.

p(w | h) = sum_m lambda_m p_m(w | h) for every n-gram that any of the models has; the back-off weights make each context
sum to one (Stolcke 2002, SRILM's `ngram -mix-lm`). For other n-grams the result is therefore close to, but not exactly,
the mixture. The lambda maximise the likelihood of a sample (Jelinek & Mercer 1980).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sbmt.arrays import Floats, Int32s, begins_run
from sbmt.errors import SbmtError
from sbmt.lm.counts import Counts
from sbmt.lm.ngrams import BEGIN_ID, UNKNOWN_ID, NGramModel, Trie, ngram_columns, ngram_key, normalised

_MAX_ROUNDS = 200  # of EM


def mixture_weights(models: Sequence[NGramModel], sample: Counts) -> Floats:
    """Return the weights float64[n_models], which sum to one, that maximise the likelihood of `sample`.

    A word that no model knows is <unk> to all of them; one that only some know has probability 0 in the others.
    Raises SbmtError if there is no model.
    """
    _check_models(models)
    ids = [_word_ids(sample.words, model.words) for model in models]
    is_unknown = np.all([i < 0 for i in ids], axis=0)
    for i in ids:
        i[is_unknown] = UNKNOWN_ID
    scores = [np.concatenate(m.probabilities(sample.trie, i)) for m, i in zip(models, ids, strict=True)]
    events = np.concatenate(_events(sample))
    probability = np.stack(scores, axis=1)[events > 0]  # (n_different_events, n_models)
    events = events[events > 0]
    weights = np.full(len(models), 1 / len(models))
    for _ in range(_MAX_ROUNDS):
        joint = probability * weights
        share = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
        updated = events @ share / events.sum()
        if np.abs(updated - weights).max() < 1e-7:
            break
        weights = updated
    return weights


def _events(sample: Counts) -> list[Int32s]:
    """Return how often a model scores each n-gram: a word, never <s>, with its full context, back to <s> at most."""
    events = []
    for k in range(1, sample.trie.order + 1):
        words = sample.trie.words(k)
        is_full = (words[:, 0] == BEGIN_ID) | (k == sample.trie.order)
        events.append(np.where(is_full & (words[:, -1] != BEGIN_ID), sample.raw[k - 1], 0))
    return events


def mix(models: Sequence[NGramModel], weights: Sequence[float] | Floats) -> NGramModel:
    """Return one model with every n-gram of `models`, weighted by `weights`.

    Raises SbmtError if there is no model, and unless there is a weight for each and they sum to one.
    """
    _check_models(models)
    shares = np.asarray(weights, np.float64)
    if shares.shape != (len(models),) or not (shares >= 0).all() or not np.isclose(shares.sum(), 1):
        raise SbmtError(f"{len(models)} models are mixed by as many weights, which sum to 1, not by {weights}")
    words = list(dict.fromkeys(word for model in models for word in model.words))
    to_union = [_word_ids(model.words, words) for model in models]
    union = _union([model.trie for model in models], to_union, len(words))
    mixed = [np.zeros(union.size(k)) for k in range(1, union.order + 1)]
    for model, weight in zip(models, shares.tolist(), strict=True):
        for total, p in zip(mixed, model.probabilities(union, _word_ids(words, model.words)), strict=True):
            total += weight * p
    mixed[0][BEGIN_ID] = 1.0
    return normalised(words, union, mixed)


def _check_models(models: Sequence[NGramModel]) -> None:
    if not models:
        raise SbmtError("there is no model to mix")


def _word_ids(words: Sequence[str], target: Sequence[str]) -> Int32s:
    """Return the number of each of `words` in the vocabulary `target`, or -1."""
    numbers = {word: i for i, word in enumerate(target)}
    return np.array([numbers.get(word, -1) for word in words], np.int32)


def _union(tries: Sequence[Trie], to_union: Sequence[Int32s], vocabulary_size: int) -> Trie:
    """Return the n-grams of all tries, whose words `to_union` maps to the common vocabulary."""
    columns, rows = list[tuple[Int32s, Int32s]](), list(to_union)
    for k in range(2, max(trie.order for trie in tries) + 1):
        keys = [
            ngram_key(row[trie.context[k - 1]], ids[trie.word[k - 1]], vocabulary_size)
            if k <= trie.order
            else np.empty(0, np.int64)
            for trie, row, ids in zip(tries, rows, to_union, strict=True)
        ]
        merged = np.sort(np.concatenate(keys))
        merged = merged[begins_run(merged)]
        rows = [np.searchsorted(merged, key).astype(np.int32) for key in keys]
        columns.append(ngram_columns(merged, vocabulary_size))
    return Trie(vocabulary_size, columns)
