"""Counting rules on disk: what MapReduce does, with hash buckets in files, in two passes.

Batches of sentence pairs write their rules into buckets by the hash of the source side; a bucket then holds every
rule of its sources, so that all counts given a source are complete. What is left after pruning, and the marginal
counts of all targets, go into buckets by the hash of the target side, and a second pass completes the rules. Memory
is bounded by the largest bucket times the number of jobs, not by the text.
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

# A rule with what its features need. `count`: how often it was seen; c_fe, c_f, c_e: how often both its sides, its
# source, its target were, under any label; c_lf, c_le: one side under its label. types_f: with how many different
# targets its source was seen, types_e: with how many sources its target; types_lf, types_le: the same under its
# label.
COUNTED = np.dtype(
    [("f", "u8"), ("e", "u8"), ("lhs", "u4"), ("listed", "?"), ("pair", "u4"), ("spans", "u1", 12)]
    + [(name, "u4") for name in ("count", "c_fe", "c_f", "c_e", "c_lf", "c_le")]
    + [(name, "u4") for name in ("types_f", "types_e", "types_lf", "types_le")]
)
# Of a target and a label: `count`: how often they were seen; `label_types`: with how many different sources; `types`:
# how many of the target's sources this row counts. A source is counted under one of its labels only, so the rows of a
# target add up to types_e.
_MARGINAL = np.dtype([("e", "u8"), ("lhs", "u4"), ("count", "u4"), ("types", "u4"), ("label_types", "u4")])


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the whole text: different (f, e), those seen once and twice, rules by label; whether any is listed."""

    types: int
    seen_once: int
    seen_twice: int
    label_counts: dict[int, int]
    listed: bool = False

    @property
    def discount(self) -> float:
        """The absolute discount n1 / (n1 + 2 n2) of Ney, Essen & Kneser (1994), at least 0.1 and at most 0.9.

        At 0 what was not seen, as of a pair list, would have no probability at all.
        """
        return min(0.9, max(0.1, self.seen_once / max(1, self.seen_once + 2 * self.seen_twice)))


def spill(records: Records, field: str, path: Path) -> None:
    """Write records grouped into buckets by the top bits of a hash field, and where each bucket begins."""
    bucket = (records[field] >> np.uint64(64 - _BUCKET_BITS)).astype(np.uint8)
    np.save(path.with_suffix(".npy"), records[np.argsort(bucket, kind="stable")])
    starts = np.searchsorted(np.sort(bucket), np.arange((1 << _BUCKET_BITS) + 1))
    np.save(path.with_suffix(".starts.npy"), starts)


def bucket_of(folder: Path, kind: str, number: int, dtype: np.dtype[np.void]) -> Records:
    """All records of one bucket, from every part file `kind`-*.npy in the order of their names, one open at a time."""
    parts = []
    for path in sorted(folder.glob(f"{kind}-*.starts.npy")):
        begin, end = np.load(path)[number : number + 2].tolist()
        parts.append((path.with_name(path.name.replace(".starts", "")), begin, end))
    found = np.empty(sum(end - begin for _, begin, end in parts), dtype)
    place = 0
    for path, begin, end in parts:
        if end > begin:
            found[place : place + end - begin] = np.load(path, mmap_mode="r")[begin:end]
            place += end - begin
    return found


@dataclass(frozen=True, slots=True)
class _Task:
    """What the workers of one count share."""

    folder: Path
    pruning: Pruning
    without_fold: int | None


def count_rules(folder: Path, pruning: Pruning, without_fold: int | None, jobs: int) -> tuple[Records, Totals]:
    """Count what the `rules-*` parts in `folder` hold; returns COUNTED records, in no order that means anything.

    `without_fold` leaves out the rules of one fold. The records are mapped from a file in `folder`.
    """
    for stale in [*folder.glob("kept-*"), *folder.glob("marginal-*")]:
        stale.unlink()
    buckets, task = range(1 << _BUCKET_BITS), partial(_Task, folder, pruning, without_fold)
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


class _Groups:
    """Sums over runs of equal keys in sorted records."""

    def __init__(self, *keys: Ints) -> None:
        changed = begins_run(*keys)
        self.starts = np.flatnonzero(changed)
        self.number = np.cumsum(changed) - 1

    def sum(self, values: Ints) -> Ints:
        """For every record, the sum of `values` over its group."""
        return np.asarray(np.add.reduceat(values, self.starts)[self.number])


def _count_sources(task: _Task, bucket: int) -> Totals:
    """Count a bucket of rules given their sources; write what is kept of them, and the marginals of their targets."""
    records = bucket_of(task.folder, "rules", bucket, RECORD)
    if task.without_fold is not None:
        records = records[(records["fold"] != task.without_fold) | records["listed"]]
    if not len(records):
        return Totals(0, 0, 0, {})
    records["fold"] = 0
    records = combine(records)
    made = _given_sources(records[np.lexsort((records["lhs"], records["e"], records["f"]))])
    spill(_marginals(made), "e", task.folder / f"marginal-{bucket:03d}")
    spill(made[_kept(made, task.pruning)], "e", task.folder / f"kept-{bucket:03d}")
    return _totals(made)


def _given_sources(records: Records) -> Records:
    """RECORDs, sorted by source, target, label, as COUNTED ones that have the counts given the source side."""
    made = np.zeros(len(records), COUNTED)
    for name in ("f", "e", "lhs", "listed", "pair", "spans", "count"):
        made[name] = records[name]
    f, lhs, count = made["f"], made["lhs"], made["count"]
    by_f = _Groups(f)
    made["c_f"], made["c_fe"] = by_f.sum(count), _Groups(f, made["e"]).sum(count)
    made["types_f"] = by_f.sum(_seen_pairs(made).astype(np.uint32))
    order = np.lexsort((lhs, f))
    by_lf = _Groups(f[order], lhs[order])
    made["c_lf"][order] = by_lf.sum(count[order])
    made["types_lf"][order] = by_lf.sum((count[order] > 0).astype(np.uint32))
    return made


def _seen_pairs(made: Records) -> Bools:
    """Of each pair of sides that was seen, under whatever labels, the first row (see `_given_sources`)."""
    return np.asarray(begins_run(made["f"], made["e"]) & (made["c_fe"] > 0))


def _marginals(made: Records) -> Records:
    """The _MARGINAL records of a bucket of sources."""
    marginal = np.zeros(len(made), _MARGINAL)
    for name in ("e", "lhs", "count"):
        marginal[name] = made[name]
    marginal["types"], marginal["label_types"] = _seen_pairs(made), made["count"] > 0
    return _add_marginals(marginal)


def _totals(made: Records) -> Totals:
    """The sums over a bucket of sources."""
    pair_counts = made["c_fe"][_seen_pairs(made)]
    labels, where = np.unique(made["lhs"], return_inverse=True)
    label_counts = np.bincount(where, made["count"]).astype(int)
    return Totals(
        len(pair_counts),
        int((pair_counts == 1).sum()),
        int((pair_counts == 2).sum()),
        dict(zip(labels.tolist(), label_counts.tolist(), strict=True)),
        bool(made["listed"].any()),
    )


def _kept(made: Records, pruning: Pruning) -> Int64s:
    """Row numbers of the rules worth writing: not identical on both sides, frequent enough, among the best."""
    listed = np.flatnonzero(made["listed"])
    wanted = (made["f"] != made["e"]) | pruning.identical
    rows = np.flatnonzero((made["count"] >= pruning.min_count) & wanted)
    if pruning.top:
        order = rows[np.lexsort((made["e"][rows], -made["count"][rows].astype(np.int64), made["f"][rows]))]
        groups = _Groups(made["f"][order])
        rank = np.arange(len(order)) - groups.starts[groups.number]
        rows = order[rank < pruning.top]
    return np.asarray(np.union1d(rows, listed))


def _add_marginals(marginal: Records) -> Records:
    """Add up rows of the same target and label; sorted by target, then label."""
    marginal = marginal[np.lexsort((marginal["lhs"], marginal["e"]))]
    starts = _Groups(marginal["e"], marginal["lhs"]).starts
    added = marginal[starts]
    for name in ("count", "types", "label_types"):
        added[name] = np.add.reduceat(marginal[name], starts)
    return np.asarray(added)


def _count_targets(task: _Task, bucket: int) -> int:
    """Complete and write the rules of a bucket; returns how many."""
    kept = bucket_of(task.folder, "kept", bucket, COUNTED)
    if len(kept):
        _complete(kept, _add_marginals(bucket_of(task.folder, "marginal", bucket, _MARGINAL)))
    np.save(task.folder / f"counted-{bucket:03d}.npy", kept)
    return len(kept)


def _complete(kept: Records, marginal: Records) -> None:
    """Fill in the counts given the target side."""
    by_e = _Groups(marginal["e"])
    c_e, types_e = by_e.sum(marginal["count"]), by_e.sum(marginal["types"])
    # Keys are compared as pairs: the target's rank among the targets, then the label.
    targets = marginal["e"][by_e.starts]
    keys = (by_e.number.astype(np.uint64) << np.uint64(32)) + marginal["lhs"]
    wanted = (np.searchsorted(targets, kept["e"]).astype(np.uint64) << np.uint64(32)) + kept["lhs"]
    row = np.searchsorted(keys, wanted)
    kept["c_e"], kept["types_e"] = c_e[row], types_e[row]
    kept["c_le"], kept["types_le"] = marginal["count"][row], marginal["label_types"][row]
