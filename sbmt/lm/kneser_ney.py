"""Interpolated modified Kneser-Ney estimation, as KenLM's lmplz does it.

Chen & Goodman (1998), section 3 and equation 26; Heafield, Pouzyrevsky, Clark & Koehn (2013), section 3. For an n-gram
g = h w with adjusted count a(g) (how often it occurs if it is of the highest order or starts with <s>, otherwise how
many different words come before it), pruned ones marked,

    p(w | h) = (a(hw) - D(a(hw))) / sum_x a(hx)  +  gamma(h) p(w | h'),   h' = h without its first word
    gamma(h) = (sum of D over the kept hx + sum of a over the pruned hx) / sum_x a(hx)

D(1), D(2), D(3+) come from the counts of adjusted counts 1 to 4 of the order. Below the unigrams is the uniform
distribution over all words and <unk> but not <s>. lmplz marks what it prunes by its real, not its adjusted count.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence

import numpy as np

from sbmt.arguments import check_kind, check_least, check_whole
from sbmt.arrays import Bools, Floats, Int32s, Int64s
from sbmt.errors import SbmtError
from sbmt.lm.counts import Counts
from sbmt.lm.ngrams import BEGIN_ID, SPECIAL_WORDS, NGramModel, Trie

FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)  # as in lmplz, if a text is too small or too regular for equation 26
_log = logging.getLogger(__name__)


def estimate(counts: Counts, prune: Sequence[int] = (), vocabulary_limit: int | None = None) -> NGramModel:
    """Estimate a model of all orders counted.

    `prune` holds the highest counts to drop, one threshold per order (the last applies to all higher orders);
    `vocabulary_limit` keeps only that many most frequent words and drops every n-gram with another one.
    Raises SbmtError if thresholds fall from one order to the next, and for a limit below 0.
    """
    if vocabulary_limit is not None:
        check_least(0, vocabulary_limit=vocabulary_limit)
    trie = counts.trie
    dropped = _dropped(counts, check_thresholds(prune, trie.order), vocabulary_limit)
    uniform = 1.0 / (np.count_nonzero(~dropped[0]) - 1)
    probabilities, gammas = list[Floats](), list[Floats]()
    for k in range(1, trie.order + 1):
        adjusted = _adjusted(counts, k)
        discounts = _discounts(adjusted, k)[np.minimum(adjusted, 3)]
        context, contexts = trie.context[k - 1], trie.size(k - 1) if k > 1 else 1
        total = np.maximum(np.bincount(context, adjusted, contexts), 1)
        gamma = np.bincount(context, np.where(dropped[k - 1], adjusted, discounts), contexts) / total
        lower = probabilities[-1][trie.suffix(k)] if k > 1 else uniform
        probabilities.append((adjusted - discounts) / total[context] + gamma[context] * lower)
        gammas.append(gamma)
    probabilities[0][BEGIN_ID] = 1.0  # as in lmplz: <s> is never predicted
    kept = [np.flatnonzero(~flags) for flags in dropped]
    with np.errstate(divide="ignore"):
        log10_p = [np.log10(p[rows]).astype(np.float32) for p, rows in zip(probabilities, kept, strict=True)]
        backoffs = [np.log10(np.where(g > 0, g, 1.0)) for g in [*gammas[1:], np.ones(trie.size(trie.order))]]
    log10_backoff = [b[rows].astype(np.float32) for b, rows in zip(backoffs, kept, strict=True)]
    return NGramModel([counts.words[i] for i in kept[0]], _subset(trie, kept), log10_p, log10_backoff)


def check_thresholds(prune: Sequence[int], order: int) -> list[int]:
    """Return one pruning threshold per order; raises SbmtError if one is below its predecessor."""
    check_kind("prune", prune, Sequence)
    for threshold in prune:
        check_whole(prune=threshold)
    if len(prune) > order:
        raise SbmtError(
            f"{len(prune)} pruning thresholds for a model of order {order}: give one for each order at most"
        )
    thresholds = [*prune, *[prune[-1] if prune else 0] * (order - len(prune))]
    if any(low > high for low, high in itertools.pairwise(thresholds)):
        shown = " ".join(map(str, prune))
        raise SbmtError(f"pruning thresholds {shown} fall; a long n-gram needs the short ones in it: let them rise")
    return thresholds


def most_frequent(counts: Int32s, limit: int) -> Bools:
    """Return which words are special or among the `limit` most frequent (at equal counts, the earliest)."""
    kept = np.zeros(len(counts), bool)
    special = len(SPECIAL_WORDS)
    kept[:special] = True
    kept[special + np.argsort(-counts[special:], kind="stable")[:limit]] = True
    return kept


def _dropped(counts: Counts, thresholds: Sequence[int], vocabulary_limit: int | None) -> list[Bools]:
    """Return which n-grams of each order are pruned; the special words never are."""
    size = len(counts.words)
    is_rare = np.zeros(size, bool) if vocabulary_limit is None else ~most_frequent(counts.raw[0], vocabulary_limit)
    dropped = [is_rare | (counts.raw[0] <= thresholds[0])]
    dropped[0][: len(SPECIAL_WORDS)] = False
    for k in range(2, counts.trie.order + 1):
        context, word = counts.trie.context[k - 1], counts.trie.word[k - 1]
        inherited = dropped[-1][context] | dropped[0][word] if vocabulary_limit is not None else False
        dropped.append(inherited | (counts.raw[k - 1] <= thresholds[k - 1]))
    return dropped


def _adjusted(counts: Counts, k: int) -> Int64s:
    """Return how many different words precede each k-gram; at the highest order and after <s>, how often it occurs."""
    trie = counts.trie
    adjusted = counts.raw[k - 1].astype(np.int64)
    if k < trie.order:
        first = np.arange(trie.size(k), dtype=np.int32)
        for n in range(k, 1, -1):
            first = trie.context[n - 1][first]
        n_predecessors = np.bincount(trie.suffix(k + 1), minlength=trie.size(k))
        adjusted = np.where(first == BEGIN_ID, adjusted, n_predecessors)
    if k == 1:
        adjusted[BEGIN_ID] = 0
    return adjusted


def _discounts(adjusted: Int64s, k: int) -> Floats:
    """Return D(0) = 0, D(1), D(2), D(3+) by equation 26, or the fallback if that is undefined or out of range.

    0 is out of range: if all continuations of a context had it, nothing would be left for unseen words.
    """
    t = np.bincount(adjusted[adjusted < 5], minlength=5).astype(float)
    if t[1:4].all():
        y = t[1] / (t[1] + 2 * t[2])
        discounts = np.array([0.0, *(j - (j + 1) * y * t[j + 1] / t[j] for j in (1, 2, 3))])
        if (discounts[1:] > 0).all():
            return discounts
    _log.warning(
        "the text is too small or too regular for Kneser-Ney discounts of %d-grams; using %s", k, FALLBACK_DISCOUNTS
    )
    return np.array([0.0, *FALLBACK_DISCOUNTS])


def _subset(trie: Trie, kept: Sequence[Int64s]) -> Trie:
    """Return the n-grams in `kept` (ascending rows of each order), which must be closed under context and suffix."""
    new_row: list[Int32s] = []
    for k, rows in enumerate(kept, 1):
        numbers = np.full(trie.size(k), -1, np.int32)
        numbers[rows] = np.arange(len(rows), dtype=np.int32)
        new_row.append(numbers)
    columns, suffixes = [], [np.zeros(len(kept[0]), np.int32)]
    for k in range(2, trie.order + 1):
        rows = kept[k - 1]
        columns.append((new_row[k - 2][trie.context[k - 1][rows]], new_row[0][trie.word[k - 1][rows]]))
        suffixes.append(new_row[k - 2][trie.suffix(k)[rows]])
    return Trie(len(kept[0]), columns, suffixes)
