"""Joining grammars: one rule for each label and pair of sides, with the features of all.

Rules are dealt, as text, to temporary files by a checksum of label and sides, so that one such bucket at a time is
joined in memory; merging the buckets by the rules' numbers then restores their order.
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
    """The rules in the order of first sight; of a feature that two grammars give a rule, the earlier value stays."""
    parse = RuleParser().parse
    with scratch_room(), ExitStack() as stack:
        buckets = [
            stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n"))
            for _ in range(_bucket_count())
        ]
        for number, rule in enumerate(chain.from_iterable(grammars)):
            line = format_rule(rule)
            buckets[crc32(_sides(line).encode()) % len(buckets)].write(f"{number}\t{line}\n")
        for bucket in buckets:
            _join_bucket(bucket, parse)
        for _, line in heapq.merge(*map(_numbered, buckets)):
            yield parse(line)


def _bucket_count() -> int:
    """All are open at once: at most half of the files that this process may have open."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _BUCKETS if limit == resource.RLIM_INFINITY else max(1, min(_BUCKETS, limit // 2))


def _sides(line: str) -> str:
    """Label and sides of a rule as it is written, but for the numbers of its gaps: they count from the left here."""
    label, source, target = line.split(SEPARATOR, 3)[:3]
    gaps = [symbol for symbol in source.split(" ") if is_gap(symbol)] if "[" in source else []
    if gaps != sorted(gaps, key=_number):
        places = {gap: f"{gap[:-2]}{place}]" for place, gap in enumerate(gaps, 1)}
        source, target = (
            " ".join([places.get(symbol, symbol) for symbol in side.split(" ")]) for side in (source, target)
        )
    return SEPARATOR.join([label, source, target])


def _number(gap: str) -> str:
    return gap[-2]


def _numbered(bucket: IO[str]) -> Iterator[tuple[int, str]]:
    bucket.seek(0)
    for line in bucket:
        number, _, rule = line.removesuffix("\n").partition("\t")
        yield int(number), rule


def _join_bucket(bucket: IO[str], parse: Callable[[str], Rule]) -> None:
    """Put the joined rules in the place of the bucket's own, each with the number of the first."""
    joined: dict[str, tuple[int, str]] = {}
    for number, line in _numbered(bucket):
        first, known = joined.setdefault(_sides(line), (number, line))
        if first != number:
            joined[_sides(line)] = first, format_rule(_join(parse(known), parse(line)))
    bucket.seek(0)
    bucket.truncate()
    bucket.writelines(f"{number}\t{line}\n" for number, line in joined.values())


def _join(first: Rule, second: Rule) -> Rule:
    known = set(first.features)
    added = {name: second.features[name] for name in second.features if name not in known}
    features = ReadFeatures.of(first.features)
    return dataclasses.replace(
        first,
        features=features.extended(added) if added else features,
        alignment=first.alignment or second.alignment,
        entailment=first.entailment or second.entailment,
    )
