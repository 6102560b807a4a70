"""Parallel text as integer arrays: two sides of a file pair, or several versions of each segment."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from sbmt.errors import FormatError, SbmtError
from sbmt.io import read_parallel
from sbmt.ppdb.learn.labels import constituents

log = logging.getLogger(__name__)

MAX_LENGTH = 100  # words; the cost of aligning grows with the square
LONGEST = 250  # positions are kept in one byte
MAX_RATIO = 9.0
VERSIONS, LISTED = -1, -2  # origins of pairs that no file pair holds: multi-reference files, pair lists
LISTS = ("words", "analyses")
ARRAYS = ("tokens", "starts", "source", "target", "segment", "origin", "mirrored", "lines")


@dataclass(frozen=True)
class ParallelText:
    """Sentence pairs over one shared vocabulary (the two sides may be one language or two).

    tokens int32[n_tokens] holds all sentences end to end, sentence s at starts[s]:starts[s + 1]. Pair p is
    (source[p], target[p]), from segment[p] (the input line or segment, what folds are made of) and origin[p]
    (which pair of files, or VERSIONS or LISTED). mirrored[p]: rules are learnt in both directions. lines int64[n]
    counts the lines of each pair of files. `analyses` holds the tags or parse of each sentence ("" where there is
    none), or nothing at all.
    """

    words: list[str]
    tokens: np.ndarray
    starts: np.ndarray
    source: np.ndarray
    target: np.ndarray
    segment: np.ndarray
    origin: np.ndarray
    mirrored: np.ndarray
    lines: np.ndarray
    analyses: list[str]

    def __len__(self) -> int:
        return len(self.source)

    @property
    def lengths(self) -> np.ndarray:
        """int64[n_sentences]: words in each sentence."""
        return np.diff(self.starts)

    @property
    def n_segments(self) -> int:
        """Number of input lines or segments, skipped ones included up to the last kept."""
        return int(self.segment.max()) + 1 if len(self) else 0

    def save(self, folder: Path) -> None:
        """Write the vocabulary and one .npy file an array, for worker processes to map."""
        for name in LISTS:
            (folder / name).write_text("\n".join(getattr(self, name)), encoding="utf-8")
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path) -> ParallelText:
        """Map what `save` wrote; pages are shared between processes."""
        words, analyses = ((folder / name).read_text(encoding="utf-8") for name in LISTS)
        arrays = {name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in ARRAYS}
        return cls(words=words.split("\n"), analyses=analyses.split("\n") if analyses else [], **arrays)


class TextBuilder:
    """Collects sentence pairs; leaves out, and counts, those that cannot be aligned well."""

    def __init__(self, max_length: int = MAX_LENGTH, lowercase: bool = False) -> None:
        """`max_length` in words, at most 250."""
        if not 1 <= max_length <= LONGEST:
            raise SbmtError(f"the longest sentence must be between 1 and {LONGEST} words, not {max_length}")
        self.max_length, self.lowercase = max_length, lowercase
        self._ids: dict[str, int] = {}
        self._tokens: list[np.ndarray] = []
        self._analyses: list[str] = []
        self._pairs: list[tuple[int, int, int, int, bool]] = []
        self._segments = 0
        self._lines: list[int] = []
        self.skipped = {"empty side": 0, f"side longer than {max_length} words": 0, "length ratio over 9": 0}

    def add_files(self, source: str, target: str, labels: str = "") -> None:
        """Add a source and a target file, line by line; line n of every such pair is segment n.

        `labels` names a file of tags or parses of the source side. Raises FormatError if they differ in length.
        """
        sides = read_parallel([source, target, *filter(None, [labels])])
        analyses = sides[2] if labels else [""] * len(sides[0])
        for segment, (left, right, analysis) in enumerate(zip(sides[0], sides[1], analyses, strict=True)):
            pair = self._sentence(left, analysis, (labels, segment + 1)), self._sentence(right)
            self._add_pair(*pair, segment, len(self._lines), mirrored=False)
        self._segments = max(self._segments, len(sides[0]))
        self._lines.append(len(sides[0]))

    def add_versions(self, path: str, labels: str = "") -> None:
        """Add a multi-reference file: lines of key <tab> ... <tab> sentence; equal keys are versions of one segment.

        Every pair of versions is a sentence pair to be learnt from in both directions. `labels` as in `add_files`,
        a line for each line.
        """
        groups: dict[str, list[int]] = {}
        lines, *analyses = read_parallel([path, *filter(None, [labels])])
        for number, line in enumerate(lines, 1):
            key, tab, sentence = line.rpartition("\t")
            if not tab:
                raise FormatError(path, number, "has no tab", "expected: segment id, tab, one version of it")
            analysis = analyses[0][number - 1] if labels else ""
            groups.setdefault(key, []).append(self._sentence(sentence, analysis, (labels, number)))
        for segment, versions in enumerate(groups.values(), self._segments):
            for left, right in combinations(versions, 2):
                self._add_pair(left, right, segment, VERSIONS, mirrored=True)
        self._segments += len(groups)

    def build(self) -> ParallelText:
        """The collected text. Raises SbmtError if no usable pair is left."""
        for cause, count in self.skipped.items():
            if count:
                log.warning("left out %d sentence pairs: %s", count, cause)
        if not self._pairs:
            raise SbmtError("no sentence pair is left to learn from (both sides must hold words)")
        starts = np.zeros(len(self._tokens) + 1, np.int64)
        np.cumsum([len(sentence) for sentence in self._tokens], out=starts[1:])
        pairs = np.array(self._pairs, np.int64)
        return ParallelText(
            words=list(self._ids),
            tokens=np.concatenate(self._tokens),
            starts=starts,
            source=pairs[:, 0].astype(np.int32),
            target=pairs[:, 1].astype(np.int32),
            segment=pairs[:, 2].astype(np.int32),
            origin=pairs[:, 3].astype(np.int32),
            mirrored=pairs[:, 4].astype(bool),
            lines=np.array(self._lines, np.int64),
            analyses=self._analyses if any(self._analyses) else [],
        )

    def _sentence(self, line: str, analysis: str = "", place: tuple[str, int] = ("", 0)) -> int:
        words = (line.lower() if self.lowercase else line).split()
        if analysis:
            try:
                constituents(analysis, len(words))
            except SbmtError as error:
                raise FormatError(*place, str(error), "give one tag a word, or a bracketed tree") from None
        ids = self._ids
        self._tokens.append(np.array([ids.setdefault(word, len(ids)) for word in words], np.int32))
        self._analyses.append(analysis)
        return len(self._tokens) - 1

    def _add_pair(self, source: int, target: int, segment: int, origin: int, mirrored: bool) -> None:
        short, long = sorted((len(self._tokens[source]), len(self._tokens[target])))
        empty, too_long, ratio = self.skipped
        if short == 0:
            self.skipped[empty] += 1
        elif long > self.max_length:
            self.skipped[too_long] += 1
        elif long > MAX_RATIO * short:
            self.skipped[ratio] += 1
        else:
            self._pairs.append((source, target, segment, origin, mirrored))


def read_text(
    pairs: Sequence[tuple[str, str]],
    multi_reference: Sequence[str] = (),
    labels: Sequence[str] = (),
    max_length: int = MAX_LENGTH,
    lowercase: bool = False,
) -> ParallelText:
    """Read (source file, target file) pairs and multi-reference files, tokenised, one sentence a line.

    `labels`: files of tags or parses, one for each pair, then one for each multi-reference file; or none at all.
    """
    if labels and len(labels) != len(pairs) + len(multi_reference):
        raise SbmtError(
            f"{len(labels)} files of labels for {len(pairs) + len(multi_reference)} texts: give one for each"
        )
    builder = TextBuilder(max_length, lowercase)
    labels = labels or [""] * (len(pairs) + len(multi_reference))
    for (source, target), analyses in zip(pairs, labels, strict=False):
        builder.add_files(source, target, analyses)
    for path, analyses in zip(multi_reference, labels[len(pairs) :], strict=True):
        builder.add_versions(path, analyses)
    return builder.build()
