"""Parallel text as integer arrays, from pairs of files or from several versions of each segment."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from pathlib import Path

import numpy as np

from sbmt.arguments import check_whole
from sbmt.arrays import Bools, Int32s, Int64s, starts
from sbmt.config import ConfigError
from sbmt.errors import FormatError, SbmtError, counted
from sbmt.io import read_lines, read_parallel
from sbmt.ppdb.learn.groups import groups
from sbmt.ppdb.learn.labels import constituents
from sbmt.ppdb.learn.scratch import open_arrays, save_arrays
from sbmt.ppdb.learn.settings import MAX_LENGTH
from sbmt.ppdb.spool import Spool
from sbmt.text.checks.duplicates import remark_on_repeats
from sbmt.text.checks.style import SAMPLE, remark_on_raw
from sbmt.text.whitespace import split_words

_log = logging.getLogger(__name__)

LONGEST = 250  # words of a side; positions are stored in one byte
_MAX_RATIO = 9.0
VERSIONS, LISTED = -1, -2  # origins of pairs that are not from a pair of files: multi-reference files, pair lists
_LISTS = ("words", "analyses")
_ARRAYS = ("tokens", "starts", "source", "target", "segment", "group", "origin", "mirrored", "lines")


@dataclass(frozen=True, slots=True)
class ParallelText:
    """Sentence pairs over one shared vocabulary (the two sides may be one language or two).

    `tokens` [n_tokens]: all sentences end to end, sentence s at starts[s]:starts[s + 1].
    Pair p: (source[p], target[p]), from segment[p] (the input line or segment) and origin[p] (number of the pair of
    files, or VERSIONS or LISTED); mirrored[p]: whether rules are learnt in both directions.
    group[s] of every segment, also of those without a usable pair: segments with a source in common are one group,
    which is always within one fold.
    `lines` [n]: number of lines of each pair of files.
    `analyses`: tags or parse of each sentence ("" if it has none), or empty.
    """

    words: list[str]
    tokens: Int32s
    starts: Int64s
    source: Int32s
    target: Int32s
    segment: Int32s
    group: Int32s
    origin: Int32s
    mirrored: Bools
    lines: Int64s
    analyses: list[str]

    def __len__(self) -> int:
        return len(self.source)

    @property
    def lengths(self) -> Int64s:
        """Words in each sentence [n_sentences]."""
        return np.diff(self.starts)

    def save(self, folder: Path) -> None:
        """Write the lists as text, and the arrays for worker processes to map."""
        for name in _LISTS:
            (folder / name).write_bytes("\n".join(getattr(self, name)).encode())
        save_arrays(folder, "text", **{name: getattr(self, name) for name in _ARRAYS})

    @classmethod
    def open(cls, folder: Path) -> ParallelText:
        """Map what `save` wrote; pages are shared between processes."""
        words, analyses = ((folder / name).read_bytes().decode() for name in _LISTS)  # as bytes: "\r" ends no line
        return cls(
            words=words.split("\n"),
            analyses=analyses.split("\n") if analyses else [],
            **open_arrays(folder, "text"),
        )


class TextBuilder:
    """A collector of sentence pairs, which skips and counts those that cannot be aligned well."""

    def __init__(self, max_length: int = MAX_LENGTH, lowercase: bool = False) -> None:
        """`max_length`: in words, at most 250. Raises ConfigError for another value."""
        check_whole(max_length=max_length)
        if not 1 <= max_length <= LONGEST:
            raise ConfigError(f"max_length: {max_length} is not from 1 to {LONGEST}")
        self.max_length, self.lowercase = max_length, lowercase
        self._sampled_lines: list[str] = []  # source sentences, to check whether the text is raw
        self._ids: dict[str, int] = {}
        self._tokens = Spool("i")  # of sentences that are not too long
        self._lengths = array("i")
        self._analyses: list[str] = []
        self._pairs = array("i")  # five numbers each: source, target, segment, origin, mirrored
        self._segments = 0
        self._sources: dict[str, array[int]] = {}  # by path: a hash of each sentence, 0 for an empty one
        self._lines: list[int] = []
        self._empty, self._uneven = "empty side", f"length ratio over {_MAX_RATIO:g}"
        self._too_long = f"side longer than {counted(max_length, 'word')}"
        self.skipped = {self._empty: 0, self._too_long: 0, self._uneven: 0}  # pairs by cause

    def add_files(self, source: str, target: str, labels: str) -> None:
        """Add a source and a target file, line by line; line n of every such pair is segment n.

        `labels`: a file of tags or parses of the source side, or "". Raises FormatError if the files differ in length,
        and for tags or a parse that do not match their sentence.
        """
        segment, hashes = -1, array("q")
        for segment, (left, right, analysis) in enumerate(_labelled_lines(labels, source, target)):
            self._sample(left)
            words = self._words(left)
            hashes.append(hash(tuple(words)) if words else 0)
            pair = (
                self._add_sentence(words, analysis, (labels, segment + 1)),
                self._add_sentence(self._words(right)),
            )
            self._add_pair(*pair, segment, len(self._lines), mirrored=False)
        self._segments = max(self._segments, segment + 1)
        self._sources[source] = hashes
        self._lines.append(segment + 1)

    def add_versions(self, path: str, labels: str) -> None:
        """Add a multi-reference file: lines of key <tab> ... <tab> sentence; equal keys are versions of one segment.

        Every pair of versions is a sentence pair, from which rules are learnt in both directions. `labels`: as in
        `add_files`, a line for each line. Raises FormatError for a line without a tab, and as `add_files` does.
        """
        segments: dict[str, list[int]] = {}
        for number, (line, analysis) in enumerate(_labelled_lines(labels, path), 1):
            key, tab, sentence = line.rpartition("\t")
            if not tab:
                raise FormatError(path, number, "has no tab", "expected: segment id, tab, one version of it")
            self._sample(sentence)
            version = self._add_sentence(self._words(sentence), analysis, (labels, number))
            segments.setdefault(key, []).append(version)
        for segment, versions in enumerate(segments.values(), self._segments):
            for left, right in combinations(versions, 2):
                self._add_pair(left, right, segment, VERSIONS, mirrored=True)
        self._segments += len(segments)

    def build(self) -> ParallelText:
        """Return the text, with a warning if it looks raw. Raises SbmtError if there is no usable pair."""
        remark_on_raw(self._sampled_lines, "the text", not self.lowercase)
        for cause, count in self.skipped.items():
            if count:
                _log.warning("left out %s: %s", counted(count, "sentence pair"), cause)
        if not self._pairs:
            raise SbmtError("no sentence pair is left to learn from (both sides must hold words)")
        pairs = np.array(self._pairs).reshape(-1, 5)
        return ParallelText(
            words=list(self._ids),
            tokens=np.asarray(self._tokens.data),
            starts=starts(self._tokens.lengths),
            source=pairs[:, 0].copy(),
            target=pairs[:, 1].copy(),
            segment=pairs[:, 2].copy(),
            origin=pairs[:, 3].copy(),
            mirrored=pairs[:, 4].astype(bool),
            lines=np.array(self._lines, np.int64),
            group=self._groups(),
            analyses=self._analyses if any(self._analyses) else [],
        )

    def _groups(self) -> Int32s:
        """Group the segments by the sources of pairs of files; logs a warning if many repeat."""
        hashes = [np.frombuffer(file_hashes, np.int64) for file_hashes in self._sources.values()]
        segments = [np.flatnonzero(column) for column in hashes]
        keys = [column[lines] for column, lines in zip(hashes, segments, strict=True)]
        empty = np.empty(0, np.int64)
        segment_groups = groups(self._segments, np.concatenate([empty, *segments]), np.concatenate([empty, *keys]))
        remark_on_repeats(len(np.unique(segment_groups)), self._segments, "the text")
        return segment_groups

    def _sample(self, line: str) -> None:
        if len(self._sampled_lines) < SAMPLE:
            self._sampled_lines.append(line)

    def _words(self, line: str) -> list[str]:
        return split_words(line.lower() if self.lowercase else line)

    def _add_sentence(self, words: Sequence[str], analysis: str = "", place: tuple[str, int] = ("", 0)) -> int:
        if analysis:
            try:
                constituents(analysis, len(words))
            except SbmtError as error:
                raise FormatError(*place, str(error)) from None
        ids = self._ids
        kept = words if len(words) <= self.max_length else []
        self._tokens.append([ids.setdefault(word, len(ids)) for word in kept])
        self._lengths.append(len(words))
        self._analyses.append(analysis)
        return len(self._lengths) - 1

    def _add_pair(self, source: int, target: int, segment: int, origin: int, mirrored: bool) -> None:
        short, long = sorted((self._lengths[source], self._lengths[target]))
        if short == 0:
            self.skipped[self._empty] += 1
        elif long > self.max_length:
            self.skipped[self._too_long] += 1
        elif long > _MAX_RATIO * short:
            self.skipped[self._uneven] += 1
        else:
            self._pairs.extend((source, target, segment, origin, mirrored))


def _labelled_lines(labels: str, *paths: str) -> Iterator[tuple[str, ...]]:
    """Yield the lines of files side by side, then that of `labels`, or "" if that names no file."""
    if labels:
        yield from _parallel_lines(*paths, labels)
    else:
        yield from ((*row, "") for row in _parallel_lines(*paths))


def _parallel_lines(*paths: str) -> Iterator[tuple[str, ...]]:
    """Yield the lines of files side by side; raises FormatError if their numbers differ."""
    if len(paths) > 1 and not all(Path(path).is_file() for path in paths):  # streams cannot be read twice
        yield from zip(*read_parallel(paths), strict=True)
        return
    for row in zip_longest(*map(read_lines, paths)):
        if None in row:
            read_parallel(paths)  # raises an error that names the shorter one
        yield row


def read_corpus(
    pairs: Sequence[tuple[str, str]],
    multi_reference: Sequence[str] = (),
    labels: Sequence[str] = (),
    max_length: int = MAX_LENGTH,
    lowercase: bool = False,
) -> ParallelText:
    """Read (source file, target file) pairs and multi-reference files, tokenised, one sentence a line.

    `labels`: files of tags or parses, one for each pair, then one for each multi-reference file; or none at all.
    Raises SbmtError for a wrong number of them, for a `max_length` (words) beyond 250 and if there is no usable pair,
    FormatError for the content of files (see `TextBuilder`).
    """
    texts = len(pairs) + len(multi_reference)
    if labels and len(labels) != texts:
        files = counted(len(labels), "file")
        raise SbmtError(f"{files} of labels for {counted(texts, 'text')}: give one for each")
    builder = TextBuilder(max_length, lowercase)
    labels = labels or [""] * texts
    for (source, target), analyses in zip(pairs, labels, strict=False):
        builder.add_files(source, target, analyses)
    for path, analyses in zip(multi_reference, labels[len(pairs) :], strict=True):
        builder.add_versions(path, analyses)
    return builder.build()
