"""Rules as fixed-size records, so that hundreds of millions can be counted in numpy and on disk."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Int32s, Int64s, Ints, begins_run
from sbmt.ppdb.formats import DEFAULT_LABEL
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.extract import Gaps, RuleSpans, gapped, phrases
from sbmt.ppdb.learn.hashing import GAPS, Hashes, SpanHashes, mix, pattern_hash
from sbmt.ppdb.learn.labels import constituents, label_code, span_label
from sbmt.ppdb.learn.links import Links
from sbmt.ppdb.learn.settings import Limits
from sbmt.ppdb.learn.spans import Batch, Side

# One rule seen `count` times (0: not seen, but `listed` in a pair list): hashes of its two sides, its label, its fold,
# and where it was first seen: pair number * 2 + mirrored; `spans` = source start and length, target start and length
# in the sentences, then source and target offset and length of each gap within the phrase (length 0: no gap).
RECORD = np.dtype(
    [
        ("f", "u8"),
        ("e", "u8"),
        ("lhs", "u4"),
        ("count", "u4"),
        ("fold", "u2"),
        ("listed", "?"),
        ("pair", "u4"),
        ("spans", "u1", 12),
    ]
)
Records = NDArray[np.void]
Codes = NDArray[np.uint32]  # of labels


class Labeller:
    """Codes of span labels for one side of a batch; [X] everywhere for a text without tags or parses."""

    def __init__(self, text: ParallelText, side: Side, longest: int) -> None:
        """Labels every span of up to `longest` words of the sentences that have tags or a parse."""
        self._default = label_code(DEFAULT_LABEL)
        self._table: Codes | None = None
        if not text.analyses:
            return
        table = np.full((longest + 1, len(side.position)), self._default, np.uint32)
        ends = np.append(side.offset[1:], len(side.position))
        for sentence, begin, end in zip(side.sentences, side.offset, ends, strict=True):
            spans = constituents(text.analyses[sentence], int(end - begin))
            for length, start in product(range(1, longest + 1), range(int(end - begin))):
                if start + length <= end - begin:
                    label = span_label(spans, start, start + length, int(end - begin))
                    table[length, begin + start] = label_code(label)
        self._table = table

    def __call__(self, start: Ints, length: Ints) -> Codes:
        """Of the spans with this first token and length [n] each."""
        if self._table is None:
            return np.full(len(start), self._default, np.uint32)
        return np.asarray(self._table[length, start])


def extract(text: ParallelText, links: Links, pairs: Int64s, limits: Limits, folds: int) -> tuple[Records, Int32s]:
    """All rules of the pairs with these numbers, equal ones combined, and their word links.

    Word links are [n, 3]: fold, and the two words (-1: none). The fold of a rule or a link is the group of its segment
    modulo `folds`.
    """
    records, word_links = [np.empty(0, RECORD)], []
    for mirrored, numbers in ((False, pairs), (True, pairs[text.mirrored[pairs]])):
        if len(numbers):
            batch = Batch(text, links, numbers, limits, mirrored)
            label = Labeller(text, batch.source, limits.longest)
            fold = (text.group[text.segment[numbers]] % folds).astype(np.uint16)
            code = (numbers * 2 + mirrored).astype(np.uint32)
            records += [_records(batch, found, label, fold, code) for found in _all_forms(batch)]
            of_fold = fold[batch.word_links[:, 0]].astype(np.int32)
            word_links.append(np.column_stack([of_fold, batch.word_links[:, 1:]]))
    return combine(np.concatenate(records)), np.concatenate(word_links)


def listed(text: ParallelText, pairs: Int64s) -> Records:
    """Records, never seen, of whole sentence pairs: those that came from pair lists."""
    made, hashes = np.zeros(len(pairs), RECORD), SpanHashes(text.tokens)
    for column, side in enumerate((text.source[pairs], text.target[pairs])):
        lengths = text.lengths[side]
        made["fe"[column]] = pattern_hash([hashes(text.starts[side], lengths)], [])
        made["spans"][:, 2 * column + 1] = lengths
    made["lhs"], made["listed"], made["pair"] = label_code(DEFAULT_LABEL), True, pairs * 2
    return made


def _all_forms(batch: Batch) -> Iterator[RuleSpans]:
    yield from phrases(batch)
    for n_gaps in range(1, batch.limits.max_gaps + 1):
        for found in gapped(batch, n_gaps):
            if n_gaps == 2:
                swapped = found.target_gaps[0][0] > found.target_gaps[1][0]
                yield from (found.only(part) for part in (~swapped, swapped) if part.any())
            else:
                yield found


def _records(batch: Batch, found: RuleSpans, label: Labeller, fold: Ints, code: Ints) -> Records:
    source, target = batch.source, batch.target
    pair = source.pair[found.source]
    labels = [label(start, length) for start, length in found.source_gaps]
    made = np.zeros(len(pair), RECORD)
    made["f"] = _hash(source, found.source, found.source_length, found.source_gaps, labels)
    made["e"] = _hash(target, found.target, found.target_length, found.target_gaps, labels)
    made["lhs"] = label(found.source, found.source_length)
    made["count"] = 1
    made["fold"], made["pair"] = fold[pair], code[pair]
    spans = [source.position[found.source], found.source_length, target.position[found.target], found.target_length]
    for gaps, outer in ((found.source_gaps, found.source), (found.target_gaps, found.target)):
        for start, length in gaps:
            spans += [start - outer, length]
        spans += [np.zeros(len(pair), np.int64)] * (4 - 2 * len(gaps))
    made["spans"] = np.stack(spans, axis=1)
    return made


def _hash(side: Side, start: Ints, length: Ints, gaps: Gaps, labels: list[Codes]) -> Hashes:
    """The hash of one side; the gaps of all rows are in the same order."""
    order = sorted(range(len(gaps)), key=lambda index: gaps[index][0][0])
    at, pieces, symbols = start, [], []
    for index in order:
        begin, width = gaps[index]
        pieces.append(side.hashes(at, begin - at))
        symbols.append(mix(labels[index].astype(np.uint64) + np.uint64(GAPS[index])))
        at = begin + width
    pieces.append(side.hashes(at, start + length - at))
    return pattern_hash(pieces, symbols)


def combine(records: Records) -> Records:
    """Add up the counts of equal rules (same sides, label and fold), keeping the first place where each was seen."""
    if not len(records):
        return records
    key = mix(records["f"]) + mix(records["e"] ^ np.uint64(GAPS[0])) * np.uint64(GAPS[1])
    key = mix(key + (records["lhs"].astype(np.uint64) << np.uint64(16)) + records["fold"])
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(begins_run(key[order]))
    combined = records[order[starts]]
    combined["count"] = np.add.reduceat(records["count"][order], starts)
    combined["listed"] = np.logical_or.reduceat(records["listed"][order], starts)
    return np.asarray(combined)
