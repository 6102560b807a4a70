"""The split into sentences to learn and tune from, and sentences to decode and score.

The final experiment learns from all of TurkCorpus tune and decodes test. All choices before that are made by
development runs, which learn from 1,600 sentences of tune, drawn with a fixed seed, decode the other 400, and do not
open test at all.
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
    """Sentences to learn from and to decode; `prefix` begins the names of steps and outputs that depend on them."""

    prefix: str
    tune: TestSet
    decoded: TestSet


def final_split(data: Path, sentences: int | None) -> Split:
    """Return tune (or its first `sentences`) and test."""
    whole = load_test_set(TUNE, data)
    return Split("", _part(whole, range(len(whole.sources))[:sentences]), load_test_set(TEST, data))


def development_split(data: Path, sentences: int | None) -> Split:
    """Return 1,600 sentences of tune (or the first `sentences` of them) and the other 400."""
    whole = load_test_set(TUNE, data)
    order = np.random.default_rng(SEED).permutation(len(whole.sources)).tolist()
    held_out, kept = sorted(order[:HELD_OUT]), sorted(order[HELD_OUT:])
    return Split("development-", _part(whole, kept[:sentences]), _part(whole, held_out))


def _part(whole: TestSet, numbers: range | list[int]) -> TestSet:
    return TestSet(whole.name, [whole.sources[i] for i in numbers], [whole.references[i] for i in numbers])
