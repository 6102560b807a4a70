"""Tables of spans of aligned sentence pairs, for a whole batch: which target span a source span is linked to.

The tight target span is a function of the source span, so every table is indexed [length, token], with the tokens of
the batch in one flat array.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Bools, Int32s, Int64s, Ints, ranges, starts
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.hashing import SpanHashes
from sbmt.ppdb.learn.links import Links
from sbmt.ppdb.learn.settings import Limits

_FAR = np.int16(10_000)  # beyond every position


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a batch as flat arrays: pair (in the batch), position and bounds of the links of every token."""

    offset: Int64s  # [n_pairs]: where each pair's sentence starts
    pair: Int64s  # [n]
    position: Int64s  # [n]
    linked: Bools  # [n]
    low: NDArray[np.int16]  # [L + 1, n]: smallest linked position on the other side of span [length, start], or _FAR
    high: NDArray[np.int16]  # [L + 1, n]: largest; -1 if none or if the span leaves the sentence
    links: Int64s  # [n + 1]: cumulative number of links before each token
    hashes: SpanHashes
    sentences: Int32s  # [n_pairs]

    @classmethod
    def of(
        cls,
        text: ParallelText,
        sentences: Int32s,
        pair: Int64s,
        near: Int64s,
        far: Int64s,
        longest: int,
    ) -> Side:
        """Build from sentences and links: their pair, position here (`near`) and on the other side (`far`)."""
        lengths = text.lengths[sentences]
        offset = starts(lengths)[:-1]
        token_pair = np.repeat(np.arange(len(sentences)), lengths)
        position = np.arange(len(token_pair)) - offset[token_pair]
        n = len(token_pair)
        at = offset[pair] + near
        low, high = np.full((longest + 1, n), _FAR, np.int16), np.full((longest + 1, n), -1, np.int16)
        np.minimum.at(low[1], at, far.astype(np.int16))
        np.maximum.at(high[1], at, far.astype(np.int16))
        room = lengths[token_pair] - position
        for length in range(2, longest + 1):
            shift = length - 1
            fits = room[: max(0, n - shift)] >= length
            low[length, : len(fits)] = np.where(fits, np.minimum(low[length - 1, : len(fits)], low[1, shift:]), _FAR)
            high[length, : len(fits)] = np.where(fits, np.maximum(high[length - 1, : len(fits)], high[1, shift:]), -1)
        links = starts(np.bincount(at, minlength=n))
        tokens = text.tokens[text.starts[sentences][token_pair] + position]
        return cls(offset, token_pair, position, high[1] >= 0, low, high, links, SpanHashes(tokens), sentences)


class Batch:
    """The tables from which rules are extracted.

    `start`, `length`: int16[L + 1, n], the tight target span of each source span; length 0 means that there is none (no
    link, or links that leave the two spans).
    """

    def __init__(self, text: ParallelText, links: Links, pairs: Int64s, limits: Limits, mirrored: bool) -> None:
        """Build the tables of the pairs with these numbers; `mirrored` swaps source and target."""
        self.text, self.limits = text, limits
        counts = links.starts[pairs + 1] - links.starts[pairs]
        pair = np.repeat(np.arange(len(pairs)), counts)
        at = ranges(links.starts[pairs], counts)
        i, j = links.source[at].astype(np.int64), links.target[at].astype(np.int64)
        sources, targets = text.source[pairs], text.target[pairs]
        if mirrored:
            i, j, sources, targets = j, i, targets, sources
        self.source = Side.of(text, sources, pair, i, j, limits.longest)
        self.target = Side.of(text, targets, pair, j, i, limits.longest)
        self.word_links = self._word_links(pair, i, j)
        self._find_tight()

    def _word_links(self, pair: Int64s, i: Int64s, j: Int64s) -> Int32s:
        """Return the pair in this batch and the two words of every link, [n, 3].

        Words without a link have rows (pair, word, -1) and (pair, -1, word).
        """
        tokens, begin = self.text.tokens, self.text.starts
        source = tokens[begin[self.source.sentences][pair] + i]
        target = tokens[begin[self.target.sentences][pair] + j]
        parts = [np.stack([pair, source, target], axis=1).astype(np.int32)]
        for side, column in ((self.source, 1), (self.target, 2)):
            free = ~side.linked
            words = tokens[begin[side.sentences][side.pair[free]] + side.position[free]]
            parts.append(np.full((len(words), 3), -1, np.int32))
            parts[-1][:, 0], parts[-1][:, column] = side.pair[free], words
        return np.concatenate(parts)

    def _find_tight(self) -> None:
        source, target = self.source, self.target
        self.start, self.length = np.zeros_like(source.low), np.zeros_like(source.low)
        for length in range(1, self.limits.longest + 1):
            low, high = source.low[length], source.high[length]
            width = high - low + 1
            at = np.flatnonzero((high >= 0) & (width <= self.limits.longest))
            back = target.offset[source.pair[at]] + low[at]
            inside = (target.low[width[at], back] >= source.position[at]) & (
                target.high[width[at], back] < source.position[at] + length
            )
            at = at[inside]
            self.start[length, at], self.length[length, at] = low[at], width[at]

    def tight(self, length: int, at: Ints) -> Bools:
        """Whether the source spans of this length at these tokens are initial phrases, tight on both sides, [n]."""
        linked = self.source.linked
        return np.asarray((self.length[length, at] > 0) & linked[at] & linked[at + length - 1])
