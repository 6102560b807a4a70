"""Learning a grammar from parallel text: alignment, extraction, counting, writing."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from sbmt.arrays import Int32s, Int64s, begins_run
from sbmt.errors import SbmtError, counted
from sbmt.io import write_lines
from sbmt.parallel import ordered_map
from sbmt.paths import written
from sbmt.ppdb.learn.align import align_text
from sbmt.ppdb.learn.corpus import ParallelText
from sbmt.ppdb.learn.count import count_rules, spill
from sbmt.ppdb.learn.links import Links, read_file_links
from sbmt.ppdb.learn.listed import pair_links, with_pairs
from sbmt.ppdb.learn.pair_lists import Pair
from sbmt.ppdb.learn.rebuild import rebuild
from sbmt.ppdb.learn.records import combine, extract, listed_records
from sbmt.ppdb.learn.score import WordTranslation
from sbmt.ppdb.learn.scratch import open_arrays, save_arrays
from sbmt.ppdb.learn.settings import LearnSettings, Limits
from sbmt.ppdb.learn.symmetrise import symmetrise
from sbmt.ppdb.spool import scratch_room
from sbmt.progress import progress

_log = logging.getLogger(__name__)

WordLinks = Int32s  # [n, 3]: fold, source word, target word, -1 for none
_WORD_LINKS = "word-links"
# Sentence pairs per batch, by the number of gaps; a batch has a few hundred megabytes of rules.
_BATCH = (20_000, 4_000, 1_500)


class Learner:
    """The extracted rules of a text, from which `lines` makes the grammar of all folds or of all but one."""

    def __init__(
        self,
        text: ParallelText,
        settings: LearnSettings,
        alignments: Sequence[str] = (),
        pairs: Sequence[Pair] = (),
    ) -> None:
        """Align the text and extract its rules.

        `alignments`: a Pharaoh file for each pair of files; without them, and for versions, the built-in aligner runs.
        `pairs` are added to the rules, with features estimated from the text.

        The working files are in the system's temporary folder (TMPDIR) until `close`. Raises SbmtError, as `lines`
        does, if there is no room for them.
        """
        check_folds(text, settings.folds)
        self.text, self.settings = text, settings
        self._scratch = tempfile.TemporaryDirectory(prefix="sbmt-learn-")
        self.folder = Path(self._scratch.name)
        try:
            with scratch_room():
                links = align(text, self.folder, alignments, settings.jobs)
                links.save(self.folder)
                text.save(self.folder)
                self._extract()
                if pairs:
                    self._add_pairs(links, pairs)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Learner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the working files."""
        leaving = self.folder.with_name(f"{self.folder.name}-leaving")
        with suppress(FileNotFoundError):
            self.folder.rename(leaving)  # workers may still write after an interruption; this makes them fail
            shutil.rmtree(leaving, ignore_errors=True)
        self._scratch.cleanup()

    def lines(self, without_fold: int | None = None) -> Iterator[str]:
        """Yield the grammar in PPDB's format, sorted by source side, optionally without the segments of one fold."""
        with scratch_room():
            records, totals = count_rules(self.folder, self.settings.pruning, without_fold, self.settings.jobs)
            self._save_translation(without_fold)
        if len(records):
            yield from rebuild(self.folder, records, totals, self.settings.jobs)

    def _save_translation(self, without_fold: int | None) -> None:
        """Estimate the word translations of all segments, or of those outside one fold, and replace the saved ones."""
        arrays = open_arrays(self.folder, _WORD_LINKS)
        kept = arrays["links"][:, 0] != (-1 if without_fold is None else without_fold)
        links, counts = _sum_counts(arrays["links"][kept, 1:], arrays["counts"][kept])
        WordTranslation.estimate(links, counts).save(self.folder)

    def write(self, path: str) -> None:
        """Write the grammar and, with folds, the grammars without each fold and the fold map (see `fold_paths`)."""
        self._write(path)
        if self.settings.folds:
            grammars, fold_map = fold_paths(path, self.settings.folds)
            for fold, grammar in enumerate(grammars):
                self._write(grammar, fold)
            write_lines(fold_map, map(str, self.fold_map()))

    def _write(self, path: str, without_fold: int | None = None) -> None:
        _log.info("%s", written(path, counted(write_lines(path, self.lines(without_fold)), "rule")))

    def fold_map(self) -> list[int]:
        """Return the fold of every segment; segments with a source in common are in the same fold."""
        folds: list[int] = (self.text.group % self.settings.folds).tolist()
        return folds

    def _add_pairs(self, links: Links, pairs: Sequence[Pair]) -> None:
        """Append the pairs to the saved text and add them to the rules, with count 0."""
        text = with_pairs(self.text, pairs)
        numbers = np.arange(len(self.text), len(text))
        sides = (
            [text.tokens[text.starts[side] : text.starts[side + 1]].tolist() for side in (f, e)]
            for f, e in zip(text.source[numbers], text.target[numbers], strict=True)
        )
        added = Links.collect(pair_links(f, e) for f, e in sides)
        links.joined(added).save(self.folder)
        text.save(self.folder)
        spill(combine(listed_records(text, numbers)), "f", self.folder / "rules-listed")

    def _extract(self) -> None:
        size = _BATCH[self.settings.limits.max_gaps]
        numbers = np.arange(len(self.text))
        batches = [(k, numbers[begin : begin + size]) for k, begin in enumerate(range(0, len(numbers), size))]
        work = partial(_extract_batch, self.folder, self.settings.limits, max(1, self.settings.folds))
        done = ordered_map(work, batches, partial(_open_text, self.folder), self.settings.jobs, chunk=1)
        links, counts = np.empty((0, 3), np.int32), np.empty(0, np.int64)
        for new_links, new_counts in progress(done, "extracting", "batches", len(batches)):
            links, counts = _sum_counts(np.concatenate([links, new_links]), np.concatenate([counts, new_counts]))
        save_arrays(self.folder, _WORD_LINKS, links=links, counts=counts)


def check_folds(text: ParallelText, folds: int) -> None:
    """Raise SbmtError unless there are at least two folds with a segment each, or none (0)."""
    groups = len(np.unique(text.group))
    if folds and not 2 <= folds <= groups:
        problem = f"{counted(folds, 'fold')} cannot be made of {counted(groups, 'segment')} of different sources"
        raise SbmtError(f"{problem} (at least 2, each with a segment)")


def align(text: ParallelText, folder: Path, alignments: Sequence[str], jobs: int) -> Links:
    """Return the links of every pair, from Pharaoh files or, for pairs without them, from the built-in aligner."""
    file_links = read_file_links(text, alignments)
    if len(file_links) == len(text):
        return Links.collect(file_links[pair] for pair in range(len(text)))
    links = symmetrise(text, *align_text(text, folder), jobs)
    if not file_links:
        return links
    return Links.collect(file_links[pair] if pair in file_links else links.of(pair) for pair in range(len(text)))


def _open_text(folder: Path) -> tuple[ParallelText, Links]:
    return ParallelText.open(folder), Links.open(folder)


def _extract_batch(
    folder: Path, limits: Limits, folds: int, state: tuple[ParallelText, Links], batch: tuple[int, Int64s]
) -> tuple[WordLinks, Int64s]:
    """Write one batch's rules to a part file; returns its distinct word links and their counts."""
    number, pairs = batch
    records, word_links = extract(*state, pairs, limits, folds)
    spill(records, "f", folder / f"rules-{number:06d}")
    return _sum_counts(word_links, np.ones(len(word_links), np.int64))


def _sum_counts(links: Int32s, counts: Int64s) -> tuple[Int32s, Int64s]:
    """Return the distinct rows and the sums of their counts."""
    key = np.zeros(len(links), np.int64)  # sorting one number per row is faster than sorting rows
    for column in links.T:
        key = key * (int(column.max(initial=0)) + 2) + column + 1
    order = np.argsort(key)
    starts = np.flatnonzero(begins_run(key[order]))
    return links[order[starts]], np.add.reduceat(counts[order], starts)


def fold_paths(path: str, folds: int) -> tuple[list[str], str]:
    """Name the fold grammars and the fold map of `path`: rules.fold0.gz ... and rules.folds, for rules.gz."""
    whole = Path(path)
    suffix = whole.suffix if whole.suffix in {".gz", ".xz"} else ""
    stem = whole.name.removesuffix(suffix)
    grammars = [str(whole.with_name(f"{stem}.fold{fold}{suffix}")) for fold in range(folds)]
    return grammars, str(whole.with_name(f"{stem}.folds"))
