"""Merging grammars: one rule for each label and pair of sides, with the features of all.

Rules are distributed, as text, over temporary files (buckets) by a checksum of label and sides, and one bucket at a
time is joined in memory. Merging the buckets by the numbers of the rules then restores the order.
"""

from __future__ import annotations

import dataclasses
import heapq
import resource
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from typing import IO
from zlib import crc32

from sbmt.ppdb.feature_text import ReadFeatures
from sbmt.ppdb.formats import RuleParser, format_rule
from sbmt.ppdb.rule import SEPARATOR, Rule, is_gap
from sbmt.ppdb.spool import scratch_room

_BUCKETS = 256  # at most; ten million rules then make buckets of about 50 MB


def merge(grammars: Iterable[Iterable[Rule]]) -> Iterator[Rule]:
    """Yield the merged rules in the order of first occurrence; of a feature given twice, the first value counts."""
    parse = RuleParser().parse
    with scratch_room(), ExitStack() as stack:
        buckets = [
            stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n"))
            for _ in range(_bucket_count())
        ]
        for number, rule in enumerate(chain.from_iterable(grammars)):
            line = format_rule(rule)
            buckets[crc32(_merge_key(line).encode()) % len(buckets)].write(f"{number}\t{line}\n")
        for bucket in buckets:
            _join_bucket(bucket, parse)
        for _, line in heapq.merge(*map(_read_bucket, buckets)):
            yield parse(line)


def _bucket_count() -> int:
    """Return a number of buckets that can be open at once: at most half of the files this process may open."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _BUCKETS if limit == resource.RLIM_INFINITY else max(1, min(_BUCKETS, limit // 2))


def _merge_key(line: str) -> str:
    """Return label and sides of a written rule, with gaps renumbered from the left of the source side."""
    label, source, target = line.split(SEPARATOR, 3)[:3]
    gaps = [symbol for symbol in source.split(" ") if is_gap(symbol)] if "[" in source else []
    if gaps != sorted(gaps, key=_gap_index):
        places = {gap: f"{gap[:-2]}{place}]" for place, gap in enumerate(gaps, 1)}
        source, target = (
            " ".join([places.get(symbol, symbol) for symbol in side.split(" ")]) for side in (source, target)
        )
    return SEPARATOR.join([label, source, target])


def _gap_index(gap: str) -> str:
    return gap[-2]


def _read_bucket(bucket: IO[str]) -> Iterator[tuple[int, str]]:
    bucket.seek(0)
    for line in bucket:
        number, _, rule = line.removesuffix("\n").partition("\t")
        yield int(number), rule


def _join_bucket(bucket: IO[str], parse: Callable[[str], Rule]) -> None:
    """Replace the rules of a bucket by the joined ones, each with the number of its first occurrence."""
    joined: dict[str, tuple[int, str]] = {}
    for number, line in _read_bucket(bucket):
        first, earlier_line = joined.setdefault(_merge_key(line), (number, line))
        if first != number:
            joined[_merge_key(line)] = first, format_rule(_join(parse(earlier_line), parse(line)))
    bucket.seek(0)
    bucket.truncate()
    bucket.writelines(f"{number}\t{line}\n" for number, line in joined.values())


def _join(first: Rule, second: Rule) -> Rule:
    names = set(first.features)
    added = {name: second.features[name] for name in second.features if name not in names}
    features = ReadFeatures.of(first.features)
    return dataclasses.replace(
        first,
        features=features.extended(added) if added else features,
        alignment=first.alignment or second.alignment,
        entailment=first.entailment or second.entailment,
    )
