"""Counting rules on disk in the way of MapReduce: hash buckets in files, in two passes.

Batches of sentence pairs write their rules into buckets by the hash of the source side. A bucket then holds every rule
of its sources, so all counts given a source are complete. The rules left after pruning, and the marginal counts of all
targets, go into buckets by the hash of the target side, and a second pass adds the counts given a target. Memory is
bounded by the largest bucket times the number of jobs, not by the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from sbmt.arrays import Bools, Int64s, Ints, begins_run
from sbmt.parallel import ordered_map
from sbmt.ppdb.learn.records import RECORD, Records, combine
from sbmt.ppdb.learn.scratch import scratch
from sbmt.ppdb.learn.settings import Pruning
from sbmt.progress import progress

_BUCKET_BITS = 6

# A rule with the counts that its features need. `count`: of the rule; c_fe, c_f, c_e: of both sides, the source, the
# target, under any label; c_lf, c_le: of one side under the rule's label. types_f: number of different targets of the
# source; types_e: number of different sources of the target; types_lf, types_le: the same under the rule's label.
COUNTED = np.dtype(
    [("f", "u8"), ("e", "u8"), ("lhs", "u4"), ("listed", "?"), ("pair", "u4"), ("spans", "u1", 12)]
    + [(name, "u4") for name in ("count", "c_fe", "c_f", "c_e", "c_lf", "c_le")]
    + [(name, "u4") for name in ("types_f", "types_e", "types_lf", "types_le")]
)
# Counts of a target and a label: `count`: how often they occur; `label_types`: number of different sources; `types`:
# number of the target's sources counted in this row. A source is counted under one of its labels only, so that the rows
# of a target add up to types_e.
_MARGINAL = np.dtype([("e", "u8"), ("lhs", "u4"), ("count", "u4"), ("types", "u4"), ("label_types", "u4")])


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the text: distinct (f, e), those seen once and twice, rules by label; whether any rule is listed."""

    types: int
    seen_once: int
    seen_twice: int
    label_counts: dict[int, int]
    listed: bool = False

    @property
    def discount(self) -> float:
        """The absolute discount n1 / (n1 + 2 n2) of Ney, Essen & Kneser (1994), at least 0.1 and at most 0.9.

        With a discount of 0, unseen rules (of a pair list) would have the probability 0.
        """
        return min(0.9, max(0.1, self.seen_once / max(1, self.seen_once + 2 * self.seen_twice)))


def spill(records: Records, field: str, path: Path) -> None:
    """Write records grouped into buckets by the top bits of a hash field, and the start of each bucket.

    As plain bytes: a small text has thousands of such files, and reading the headers of NumPy's took most of the time.
    """
    bucket = (records[field] >> np.uint64(64 - _BUCKET_BITS)).astype(np.uint8)
    records[np.argsort(bucket, kind="stable")].tofile(path.with_suffix(".records"))
    starts = np.searchsorted(np.sort(bucket), np.arange((1 << _BUCKET_BITS) + 1))
    starts.astype(np.int64).tofile(path.with_suffix(".starts"))


def bucket_of(folder: Path, kind: str, number: int, dtype: np.dtype[np.void]) -> Records:
    """Read all records of a bucket from the part files `kind`-*.records in the order of names, one open at a time."""
    parts = []
    for path in sorted(folder.glob(f"{kind}-*.starts")):
        begin, end = np.fromfile(path, np.int64, 2, offset=8 * number).tolist()
        parts.append((path.with_suffix(".records"), begin, end))
    records = np.empty(sum(end - begin for _, begin, end in parts), dtype)
    place = 0
    for path, begin, end in parts:
        if end > begin:
            records[place : place + end - begin] = np.fromfile(path, dtype, end - begin, offset=begin * dtype.itemsize)
            place += end - begin
    return records


@dataclass(frozen=True, slots=True)
class _CountTask:
    """The parameters shared by the workers."""

    folder: Path
    pruning: Pruning
    without_fold: int | None


def count_rules(folder: Path, pruning: Pruning, without_fold: int | None, jobs: int) -> tuple[Records, Totals]:
    """Count the records of the `rules-*` parts in `folder`; returns COUNTED records in arbitrary order, and totals.

    `without_fold` leaves out the rules of one fold. The records are mapped from a file in `folder`.
    """
    for stale in [*folder.glob("kept-*"), *folder.glob("marginal-*")]:
        stale.unlink()
    buckets, task = range(1 << _BUCKET_BITS), partial(_CountTask, folder, pruning, without_fold)
    counted = ordered_map(_count_sources, buckets, task, jobs, chunk=1)
    totals = _add_totals(progress(counted, "counting sources", "buckets", len(buckets)))
    completed = ordered_map(_count_targets, buckets, task, jobs, chunk=1)
    sizes = list(progress(completed, "counting targets", "buckets", len(buckets)))
    if not sum(sizes):
        return np.empty(0, COUNTED), totals
    rules = scratch(folder, COUNTED, sum(sizes))
    for bucket, (size, end) in enumerate(zip(sizes, np.cumsum(sizes), strict=True)):
        rules[end - size : end] = np.load(folder / f"counted-{bucket:03d}.npy")
        (folder / f"counted-{bucket:03d}.npy").unlink()
    return rules, totals


def _add_totals(parts: Iterable[Totals]) -> Totals:
    types = once = twice = 0
    listed = False
    labels: dict[int, int] = {}
    for part in parts:
        types, once, twice = types + part.types, once + part.seen_once, twice + part.seen_twice
        listed |= part.listed
        for label, count in part.label_counts.items():
            labels[label] = labels.get(label, 0) + count
    return Totals(types, once, twice, labels, listed)


class _Runs:
    """Runs of records with equal keys, in sorted records."""

    def __init__(self, *keys: Ints) -> None:
        changed = begins_run(*keys)
        self.starts = np.flatnonzero(changed)
        self.number = np.cumsum(changed) - 1

    def sum(self, values: Ints) -> Ints:
        """Return for every record the sum of `values` over its run."""
        return np.asarray(np.add.reduceat(values, self.starts)[self.number])


def _count_sources(task: _CountTask, bucket: int) -> Totals:
    """Count a bucket of rules given their sources; writes the rules to keep and the marginals of their targets."""
    records = bucket_of(task.folder, "rules", bucket, RECORD)
    if task.without_fold is not None:
        records = records[(records["fold"] != task.without_fold) | records["listed"]]
    if not len(records):
        return Totals(0, 0, 0, {})
    records["fold"] = 0
    records = combine(records)
    counted = _add_source_counts(records[np.lexsort((records["lhs"], records["e"], records["f"]))])
    spill(_marginals(counted), "e", task.folder / f"marginal-{bucket:03d}")
    spill(counted[_rows_to_keep(counted, task.pruning)], "e", task.folder / f"kept-{bucket:03d}")
    return _bucket_totals(counted)


def _add_source_counts(records: Records) -> Records:
    """Convert RECORDs, sorted by source, target, label, to COUNTED ones with the counts given the source side."""
    counted = np.zeros(len(records), COUNTED)
    for name in ("f", "e", "lhs", "listed", "pair", "spans", "count"):
        counted[name] = records[name]
    f, lhs, count = counted["f"], counted["lhs"], counted["count"]
    by_f = _Runs(f)
    counted["c_f"], counted["c_fe"] = by_f.sum(count), _Runs(f, counted["e"]).sum(count)
    counted["types_f"] = by_f.sum(_first_of_pairs(counted).astype(np.uint32))
    order = np.lexsort((lhs, f))
    by_lf = _Runs(f[order], lhs[order])
    counted["c_lf"][order] = by_lf.sum(count[order])
    counted["types_lf"][order] = by_lf.sum((count[order] > 0).astype(np.uint32))
    return counted


def _first_of_pairs(counted: Records) -> Bools:
    """Whether each row is the first of a pair of sides that was seen, under any label."""
    return np.asarray(begins_run(counted["f"], counted["e"]) & (counted["c_fe"] > 0))


def _marginals(counted: Records) -> Records:
    """Return the _MARGINAL records of a bucket of sources."""
    marginal = np.zeros(len(counted), _MARGINAL)
    for name in ("e", "lhs", "count"):
        marginal[name] = counted[name]
    marginal["types"], marginal["label_types"] = _first_of_pairs(counted), counted["count"] > 0
    return _add_marginals(marginal)


def _bucket_totals(counted: Records) -> Totals:
    """Return the sums over a bucket of sources."""
    pair_counts = counted["c_fe"][_first_of_pairs(counted)]
    labels, where = np.unique(counted["lhs"], return_inverse=True)
    label_counts = np.bincount(where, counted["count"]).astype(int)
    return Totals(
        len(pair_counts),
        int((pair_counts == 1).sum()),
        int((pair_counts == 2).sum()),
        dict(zip(labels.tolist(), label_counts.tolist(), strict=True)),
        bool(counted["listed"].any()),
    )


def _rows_to_keep(counted: Records, pruning: Pruning) -> Int64s:
    """Return row numbers of the rules to keep by `pruning`."""
    listed = np.flatnonzero(counted["listed"])
    allowed = (counted["f"] != counted["e"]) | pruning.identical
    rows = np.flatnonzero((counted["count"] >= pruning.min_count) & allowed)
    if pruning.top:
        order = rows[np.lexsort((counted["e"][rows], -counted["count"][rows].astype(np.int64), counted["f"][rows]))]
        runs = _Runs(counted["f"][order])
        rank = np.arange(len(order)) - runs.starts[runs.number]
        rows = order[rank < pruning.top]
    return np.asarray(np.union1d(rows, listed))


def _add_marginals(marginal: Records) -> Records:
    """Add up rows of the same target and label; returns them sorted by target, then label."""
    marginal = marginal[np.lexsort((marginal["lhs"], marginal["e"]))]
    starts = _Runs(marginal["e"], marginal["lhs"]).starts
    added = marginal[starts]
    for name in ("count", "types", "label_types"):
        added[name] = np.add.reduceat(marginal[name], starts)
    return np.asarray(added)


def _count_targets(task: _CountTask, bucket: int) -> int:
    """Write the rules of a bucket with the counts given their targets; returns their number."""
    kept = bucket_of(task.folder, "kept", bucket, COUNTED)
    if len(kept):
        _add_target_counts(kept, _add_marginals(bucket_of(task.folder, "marginal", bucket, _MARGINAL)))
    np.save(task.folder / f"counted-{bucket:03d}.npy", kept)
    return len(kept)


def _add_target_counts(kept: Records, marginal: Records) -> None:
    """Set the counts given the target side."""
    by_e = _Runs(marginal["e"])
    c_e, types_e = by_e.sum(marginal["count"]), by_e.sum(marginal["types"])
    # Keys are compared as pairs: the target's rank among the targets, then the label.
    targets = marginal["e"][by_e.starts]
    keys = (by_e.number.astype(np.uint64) << np.uint64(32)) + marginal["lhs"]
    rule_keys = (np.searchsorted(targets, kept["e"]).astype(np.uint64) << np.uint64(32)) + kept["lhs"]
    row = np.searchsorted(keys, rule_keys)
    kept["c_e"], kept["types_e"] = c_e[row], types_e[row]
    kept["c_le"], kept["types_le"] = marginal["count"][row], marginal["label_types"][row]
