"""Extraction of phrase pairs and hierarchical rules with up to two gaps from the tables of a batch.

Koehn, Och & Marcu (2003): a pair of spans is a phrase pair if at least one link joins them and none leaves them; its
unaligned neighbours on the target side may be included (on the source side, a longer span includes them).
Chiang (2007), section 3.2: a rule is an initial phrase pair (at most 10 words per side, both ends aligned) from which
smaller initial phrase pairs have been replaced by X; at most five symbols on the source side, no two neighbouring
nonterminals there, and at least one pair of aligned words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from sbmt.arrays import Bools, Ints
from sbmt.ppdb.learn.settings import INITIAL_PHRASE, SOURCE_SYMBOLS
from sbmt.ppdb.learn.spans import Batch

Gaps = tuple[tuple[Ints, Ints], ...]  # (first token, length) of each nonterminal, by its index


@dataclass(frozen=True, slots=True)
class RuleSpans:
    """Rules of one form: first token (in the batch) and length of both sides, and of their gaps."""

    source: Ints
    source_length: Ints
    target: Ints
    target_length: Ints
    source_gaps: Gaps = ()
    target_gaps: Gaps = ()

    def only(self, rows: Bools) -> RuleSpans:
        """Return the rules at these rows (a mask)."""
        return RuleSpans(
            self.source[rows],
            self.source_length[rows],
            self.target[rows],
            self.target_length[rows],
            tuple((start[rows], length[rows]) for start, length in self.source_gaps),
            tuple((start[rows], length[rows]) for start, length in self.target_gaps),
        )


def phrases(batch: Batch) -> Iterator[RuleSpans]:
    """Yield phrase pairs without gaps: tight ones, also extended by unaligned target words on either side."""
    limit, source, target = batch.limits.max_phrase, batch.source, batch.target
    ends = np.append(target.offset[1:], len(target.position))
    for length in range(1, limit + 1):
        at = np.flatnonzero((batch.length[length] > 0) & (batch.length[length] <= limit))
        start = target.offset[source.pair[at]] + batch.start[length, at]
        width = batch.length[length, at].astype(np.int64)
        starts_here = [(at, start, width)]
        while len(at):  # all extensions to the left; each is then extended to the right
            free = (start > target.offset[source.pair[at]]) & (width < limit) & ~target.linked[start - 1]
            at, start, width = at[free], start[free] - 1, width[free] + 1
            starts_here.append((at, start, width))
        for at, start, width in starts_here:
            while len(at):
                yield RuleSpans(at, np.full(len(at), length), start, width)
                beyond = start + width
                inside = (beyond < ends[source.pair[at]]) & (width < limit)
                free = inside & ~target.linked[np.minimum(beyond, len(target.linked) - 1)]
                at, start, width = at[free], start[free], width[free] + 1


def gapped(batch: Batch, n_gaps: int) -> Iterator[RuleSpans]:
    """Yield rules with exactly `n_gaps` gaps, by form: lengths of terminals and gaps on the source side."""
    for outer in range(n_gaps + 1, INITIAL_PHRASE + 1):
        spans = np.flatnonzero(batch.length[outer] > 0)
        spans = spans[batch.tight(outer, spans)]
        for terminals in product(range(SOURCE_SYMBOLS), repeat=n_gaps + 1):
            if not 1 <= sum(terminals) <= SOURCE_SYMBOLS - n_gaps or 0 in terminals[1:-1]:
                continue
            free = outer - sum(terminals)
            for first in range(1, free + 1) if n_gaps == 2 else (free,):
                lengths = (first, free - first)[:n_gaps]
                if min(lengths) >= 1:
                    rules = _cut_gaps(batch, spans, outer, terminals, lengths)
                    if len(rules.source):
                        yield rules


def _cut_gaps(batch: Batch, spans: Ints, outer: int, terminals: tuple[int, ...], gaps: tuple[int, ...]) -> RuleSpans:
    """Return the outer phrases at `spans` with initial phrases of these lengths in these places and another link."""
    source = batch.source
    rows = spans
    begins = []
    shift = 0
    for before, gap in zip(terminals, gaps, strict=False):
        shift += before
        rows = rows[batch.tight(gap, rows + shift)]
        begins.append(shift)
        shift += gap
    links = source.links[rows + outer] - source.links[rows]
    for begin, gap in zip(begins, gaps, strict=True):
        links -= source.links[rows + begin + gap] - source.links[rows + begin]
    rows = rows[links > 0]
    offset = batch.target.offset[source.pair[rows]]
    return RuleSpans(
        rows,
        np.full(len(rows), outer),
        offset + batch.start[outer, rows],
        batch.length[outer, rows].astype(np.int64),
        tuple((rows + begin, np.full(len(rows), gap)) for begin, gap in zip(begins, gaps, strict=True)),
        tuple(
            (offset + batch.start[gap, rows + begin], batch.length[gap, rows + begin].astype(np.int64))
            for begin, gap in zip(begins, gaps, strict=True)
        ),
    )
