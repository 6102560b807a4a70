"""Features of counted rules, named and scaled as PPDB names them (Ganitkevitch, Van Durme & Callison-Burch 2013).

p(...) and Lex(...) are costs: -ln of the probability. Phrase probabilities are smoothed by absolute discounting with
Kneser-Ney's lower order (Foster, Kuhn & Johnson 2006): p(e | f) = (c(f, e) - D) / c(f) + D N(f) / c(f) x N(e) / N, with
N(x) the number of different partners of x and N of all pairs; p(e | f, LHS) in the same way from the counts with LHS.
Lex(e | f) is Koehn, Och & Marcu's (2003) lexical weight: each target word's probability is the mean over the source
words linked to it, or that of NULL; the product over the words (no constant for length).
Links are those where the rule was first seen; of several alignments Koehn et al. take that of the highest weight.
Rules that only a pair list has get what smoothing leaves for the unseen, and Listed = 1.
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

_KIND = "words"  # of the files
_NULL = -1
_UNSEEN = 0.5  # stands for a count of 0: of words and pairs that only a pair list has
_RARE = 1e-7  # stands for the probability of a word link that only a pair list has


def phrase_features(rules: Records, totals: Totals) -> dict[str, Floats]:
    """Name -> values [n] of the features that follow from counts (COUNTED records)."""
    c = {name: rules[name].astype(np.float64) for name in rules.dtype.names or () if name.startswith(("c", "types"))}
    d, n = totals.discount, max(totals.types, 1)
    c_l = np.array([totals.label_counts[label] for label in rules["lhs"].tolist()], np.float64)

    def smoothed(count: Floats, given: Floats, types: Floats, lower: Floats) -> Floats:
        lower = np.maximum(lower, _UNSEEN) / n
        return np.asarray(
            np.where(given > 0, (np.maximum(count - d, 0) + d * types * lower) / np.maximum(given, 1), lower)
        )

    def relative(count: Floats, given: Floats) -> Floats:
        return np.asarray(np.maximum(count, _UNSEEN) / np.maximum(given, _UNSEEN))

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
    made = {name: np.abs(np.log(np.minimum(value, 1.0))) for name, value in probabilities.items()}
    made |= {"RarityPenalty": np.exp(1 - c["count"]), "LogCount": np.log(np.maximum(c["count"], 1))}
    return made | ({"Listed": rules["listed"].astype(np.float64)} if totals.listed else {})


class WordTranslation:
    """w(e | f) and w(f | e), relative frequencies of word links; NULL stands for "not linked"."""

    def __init__(self, keys: Int64s, forward: Floats, backward: Floats) -> None:
        """`keys` [n]: the different links by `link_keys`, ascending; [n] w(e | f) and w(f | e) of each.

        They may be memory-mapped: looking one up reads a few of their pages.
        """
        self._keys, self._forward, self._backward = (part.data for part in (keys, forward, backward))

    @classmethod
    def estimate(cls, links: Ints, counts: Int64s) -> WordTranslation:
        """`links` [n, 2]: different (source word, target word) links, -1 for none; `counts` how often each came."""
        keys = link_keys(links)
        order = np.argsort(keys)
        forward, backward = (counts / _totals(links[:, column], counts) for column in (0, 1))
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
        """Lex(e|f), Lex(f|e) of words {position: word} and the links between them."""
        to_target: dict[int, list[int]] = {}
        to_source: dict[int, list[int]] = {}
        for i, j in links:
            to_target.setdefault(j, []).append(i)
            to_source.setdefault(i, []).append(j)
        e_given_f = f_given_e = 0.0
        for j, e in target.items():
            words = [source[i] for i in to_target.get(j, ())] or [_NULL]
            e_given_f -= math.log(max(_RARE, sum(self._probability(self._forward, f, e) for f in words) / len(words)))
        for i, f in source.items():
            words = [target[j] for j in to_source.get(i, ())] or [_NULL]
            f_given_e -= math.log(max(_RARE, sum(self._probability(self._backward, f, e) for e in words) / len(words)))
        return e_given_f, f_given_e


def link_keys(links: Ints) -> Int64s:
    """A number for each link [n, 2] of two words, either of which may be -1."""
    return np.asarray((links[:, 0].astype(np.int64) + 1) << 32 | (links[:, 1].astype(np.int64) + 1))


def _totals(words: Ints, counts: Int64s) -> Floats:
    """For each row the sum of `counts` over the rows with its word."""
    _, group = np.unique(words, return_inverse=True)
    return np.asarray(np.bincount(group, counts)[group])
