"""Which sentences are learnt and tuned from, and which are decoded and scored.

The experiment itself learns from all of TurkCorpus tune and decodes test. Whatever has to be chosen before that is
chosen by a development run: it learns from 1,600 sentences of tune, drawn by a fixed seed, decodes the other 400, and
does not open test at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sbmt.data.testsets import TestSet, load_test_set

TUNE, TEST = "turkcorpus-truecased/tune", "turkcorpus-truecased/test"
HELD_OUT, SEED = 400, 2016


@dataclass(frozen=True, slots=True)
class Split:
    """`prefix` marks the steps and outputs that depend on the split."""

    prefix: str
    tune: TestSet
    decoded: TestSet


def final_split(data: Path, sentences: int | None) -> Split:
    """Tune (or its first `sentences`) against test."""
    whole = load_test_set(TUNE, data)
    return Split("", _part(whole, range(len(whole.sources))[:sentences]), load_test_set(TEST, data))


def development_split(data: Path, sentences: int | None) -> Split:
    """1,600 sentences of tune (or the first of them) against the other 400."""
    everything = load_test_set(TUNE, data)
    order = np.random.default_rng(SEED).permutation(len(everything.sources)).tolist()
    held, kept = sorted(order[:HELD_OUT]), sorted(order[HELD_OUT:])
    return Split("development-", _part(everything, kept[:sentences]), _part(everything, held))


def _part(whole: TestSet, chosen: range | list[int]) -> TestSet:
    return TestSet(whole.name, [whole.sources[i] for i in chosen], [whole.references[i] for i in chosen])
