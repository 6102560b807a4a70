"""Features of counted rules, named and scaled as PPDB names them (Ganitkevitch, Van Durme & Callison-Burch 2013).

p(...) and Lex(...) are costs: -ln of the probability. Phrase probabilities are smoothed by absolute discounting with
Kneser-Ney's lower order (Foster, Kuhn & Johnson 2006): p(e | f) = (c(f, e) - D) / c(f) + D N(f) / c(f) x N(e) / N, with
N(x) the number of different partners of x and N of all pairs; p(e | f, LHS) in the same way from the counts with LHS.
Lex(e | f) is Koehn, Och & Marcu's (2003) lexical weight: each target word's probability is the mean over the source
words linked to it, or that of NULL; the product over the words (no constant for length).
Links are those of the rule's first occurrence; Koehn et al. choose the alignment with the highest weight. Rules that
are only in a pair list get what smoothing leaves for unseen events, and Listed = 1.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sbmt.arrays import Floats, Int64s, Ints
from sbmt.ppdb.learn.count import Totals
from sbmt.ppdb.learn.links import Link
from sbmt.ppdb.learn.records import Records
from sbmt.ppdb.learn.scratch import open_arrays, save_arrays

_KIND = "words"  # in file names
_NULL = -1
_UNSEEN_COUNT = 0.5  # replaces 0, for words and pairs that are only in a pair list
_FLOOR = 1e-7  # probability of a word link that is only in a pair list


def phrase_features(rules: Records, totals: Totals) -> dict[str, Floats]:
    """Return the features that follow from counts (COUNTED records): {name: values [n]}."""
    c = {name: rules[name].astype(np.float64) for name in rules.dtype.names or () if name.startswith(("c", "types"))}
    d, n = totals.discount, max(totals.types, 1)
    c_l = np.array([totals.label_counts[label] for label in rules["lhs"].tolist()], np.float64)

    def smoothed(count: Floats, given: Floats, types: Floats, lower: Floats) -> Floats:
        lower = np.maximum(lower, _UNSEEN_COUNT) / n
        return np.asarray(
            np.where(given > 0, (np.maximum(count - d, 0) + d * types * lower) / np.maximum(given, 1), lower)
        )

    def relative(count: Floats, given: Floats) -> Floats:
        return np.asarray(np.maximum(count, _UNSEEN_COUNT) / np.maximum(given, _UNSEEN_COUNT))

    probabilities = {
        "p(e|f)": smoothed(c["c_fe"], c["c_f"], c["types_f"], c["types_e"]),
        "p(f|e)": smoothed(c["c_fe"], c["c_e"], c["types_e"], c["types_f"]),
        "p(e|f,LHS)": smoothed(c["count"], c["c_lf"], c["types_lf"], c["types_e"]),
        "p(f|e,LHS)": smoothed(c["count"], c["c_le"], c["types_le"], c["types_f"]),
        "p(e|LHS)": relative(c["c_le"], c_l),
        "p(f|LHS)": relative(c["c_lf"], c_l),
        "p(LHS|e)": relative(c["c_le"], c["c_e"]),
        "p(LHS|f)": relative(c["c_lf"], c["c_f"]),
    }
    features = {name: np.abs(np.log(np.minimum(value, 1.0))) for name, value in probabilities.items()}
    features |= {"RarityPenalty": np.exp(1 - c["count"]), "LogCount": np.log(np.maximum(c["count"], 1))}
    return features | ({"Listed": rules["listed"].astype(np.float64)} if totals.listed else {})


class WordTranslation:
    """w(e | f) and w(f | e), relative frequencies of word links; NULL means "not linked"."""

    def __init__(self, keys: Int64s, forward: Floats, backward: Floats) -> None:
        """Take the distinct links by `link_keys`, ascending [n], and w(e | f) and w(f | e) of each [n].

        The arrays may be memory-mapped: a look-up reads a few of their pages.
        """
        self._keys, self._forward, self._backward = (part.data for part in (keys, forward, backward))

    @classmethod
    def estimate(cls, links: Ints, counts: Int64s) -> WordTranslation:
        """Estimate from distinct (source word, target word) links [n, 2], -1 for none, and their counts [n]."""
        keys = link_keys(links)
        order = np.argsort(keys)
        forward, backward = (counts / _sums_by_word(links[:, column], counts) for column in (0, 1))
        return cls(keys[order], forward[order], backward[order])

    def save(self, folder: Path) -> None:
        """Write the arrays, for worker processes to map."""
        keys, forward, backward = map(np.asarray, (self._keys, self._forward, self._backward))
        save_arrays(folder, _KIND, keys=keys, forward=forward, backward=backward)

    @classmethod
    def open(cls, folder: Path) -> WordTranslation:
        """Map what `save` wrote."""
        return cls(**open_arrays(folder, _KIND))

    def _probability(self, table: memoryview, f: int, e: int) -> float:
        key = (f + 1) << 32 | (e + 1)
        at = bisect_left(self._keys, key)
        return float(table[at]) if at < len(self._keys) and self._keys[at] == key else 0.0

    def lexical_costs(
        self, source: Mapping[int, int], target: Mapping[int, int], links: Sequence[Link]
    ) -> tuple[float, float]:
        """Return Lex(e|f) and Lex(f|e) of words {position: word} and the links between them."""
        to_target: dict[int, list[int]] = {}
        to_source: dict[int, list[int]] = {}
        for i, j in links:
            to_target.setdefault(j, []).append(i)
            to_source.setdefault(i, []).append(j)
        e_given_f = f_given_e = 0.0
        for j, e in target.items():
            words = [source[i] for i in to_target.get(j, ())] or [_NULL]
            e_given_f -= math.log(max(_FLOOR, sum(self._probability(self._forward, f, e) for f in words) / len(words)))
        for i, f in source.items():
            words = [target[j] for j in to_source.get(i, ())] or [_NULL]
            f_given_e -= math.log(max(_FLOOR, sum(self._probability(self._backward, f, e) for e in words) / len(words)))
        return e_given_f, f_given_e


def link_keys(links: Ints) -> Int64s:
    """Return a key for each link [n, 2] of two words, either of which may be -1."""
    return np.asarray((links[:, 0].astype(np.int64) + 1) << 32 | (links[:, 1].astype(np.int64) + 1))


def _sums_by_word(words: Ints, counts: Int64s) -> Floats:
    """Return for each row the sum of `counts` over the rows with its word."""
    _, group = np.unique(words, return_inverse=True)
    return np.asarray(np.bincount(group, counts)[group])
