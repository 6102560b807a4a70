"""Rules as fixed-size records, so that hundreds of millions can be counted with numpy and on disk."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sbmt.arrays import Int32s, Int64s, Ints, begins_run
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.extract import Gaps, RuleSpans, gapped, phrases
from sbmt.ppdb.learn.hashing import SALTS, Hashes, SpanHashes, mix, pattern_hash
from sbmt.ppdb.learn.labels import constituents, label_code, span_label
from sbmt.ppdb.learn.links import Links
from sbmt.ppdb.learn.settings import Limits
from sbmt.ppdb.learn.spans import Batch, Side
from sbmt.ppdb.rule import DEFAULT_LABEL

# A rule seen `count` times (0: not seen, but `listed` in a pair list): hashes of its two sides, its label, its fold,
# and its first occurrence. `pair`: pair number * 2 + mirrored; `spans`: source start and length, target start and
# length in the sentences, then source and target offset and length of each gap within the phrase (length 0: no gap).
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
    """Codes of span labels for one side of a batch; all are [X] for a text without tags or parses."""

    def __init__(self, text: ParallelText, side: Side, longest: int) -> None:
        """Label every span of up to `longest` words of the sentences that have tags or a parse."""
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
        """Return the codes of spans, given their first tokens and lengths [n]."""
        if self._table is None:
            return np.full(len(start), self._default, np.uint32)
        return np.asarray(self._table[length, start])


def extract(text: ParallelText, links: Links, pairs: Int64s, limits: Limits, folds: int) -> tuple[Records, Int32s]:
    """Extract the rules of the pairs with these numbers, with equal ones combined, and their word links.

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
            records += [_make_records(batch, spans, label, fold, code) for spans in _rule_spans(batch)]
            link_fold = fold[batch.word_links[:, 0]].astype(np.int32)
            word_links.append(np.column_stack([link_fold, batch.word_links[:, 1:]]))
    return combine(np.concatenate(records)), np.concatenate(word_links)


def listed_records(text: ParallelText, pairs: Int64s) -> Records:
    """Return records with count 0 for whole sentence pairs, which came from pair lists."""
    records, hashes = np.zeros(len(pairs), RECORD), SpanHashes(text.tokens)
    for name, sentences, length_column in (("f", text.source[pairs], 1), ("e", text.target[pairs], 3)):
        lengths = text.lengths[sentences]
        records[name] = pattern_hash([hashes(text.starts[sentences], lengths)], [])
        records["spans"][:, length_column] = lengths
    records["lhs"], records["listed"], records["pair"] = label_code(DEFAULT_LABEL), True, pairs * 2
    return records


def _rule_spans(batch: Batch) -> Iterator[RuleSpans]:
    yield from phrases(batch)
    for n_gaps in range(1, batch.limits.max_gaps + 1):
        for spans in gapped(batch, n_gaps):
            if n_gaps == 2:
                swapped = spans.target_gaps[0][0] > spans.target_gaps[1][0]
                yield from (spans.only(part) for part in (~swapped, swapped) if part.any())
            else:
                yield spans


def _make_records(batch: Batch, spans: RuleSpans, label: Labeller, fold: Ints, code: Ints) -> Records:
    source, target = batch.source, batch.target
    pair = source.pair[spans.source]
    labels = [label(start, length) for start, length in spans.source_gaps]
    records = np.zeros(len(pair), RECORD)
    records["f"] = _side_hash(source, spans.source, spans.source_length, spans.source_gaps, labels)
    records["e"] = _side_hash(target, spans.target, spans.target_length, spans.target_gaps, labels)
    records["lhs"] = label(spans.source, spans.source_length)
    records["count"] = 1
    records["fold"], records["pair"] = fold[pair], code[pair]
    columns = [source.position[spans.source], spans.source_length, target.position[spans.target], spans.target_length]
    for gaps, outer in ((spans.source_gaps, spans.source), (spans.target_gaps, spans.target)):
        for start, length in gaps:
            columns += [start - outer, length]
        columns += [np.zeros(len(pair), np.int64)] * (4 - 2 * len(gaps))
    records["spans"] = np.stack(columns, axis=1)
    return records


def _side_hash(side: Side, start: Ints, length: Ints, gaps: Gaps, labels: list[Codes]) -> Hashes:
    """Return the hashes of one side; the gaps of all rows are in the same order."""
    order = sorted(range(len(gaps)), key=lambda index: gaps[index][0][0])
    at, pieces, symbols = start, [], []
    for index in order:
        begin, width = gaps[index]
        pieces.append(side.hashes(at, begin - at))
        symbols.append(mix(labels[index].astype(np.uint64) + np.uint64(SALTS[index])))
        at = begin + width
    pieces.append(side.hashes(at, start + length - at))
    return pattern_hash(pieces, symbols)


def combine(records: Records) -> Records:
    """Add up the counts of equal rules (same sides, label and fold), keeping the first occurrence of each."""
    if not len(records):
        return records
    key = mix(records["f"]) + mix(records["e"] ^ np.uint64(SALTS[0])) * np.uint64(SALTS[1])
    key = mix(key + (records["lhs"].astype(np.uint64) << np.uint64(16)) + records["fold"])
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(begins_run(key[order]))
    combined = records[order[starts]]
    combined["count"] = np.add.reduceat(records["count"][order], starts)
    combined["listed"] = np.logical_or.reduceat(records["listed"][order], starts)
    return np.asarray(combined)
