"""The held-out part: drawn by the seed, and equal sources never parted."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.split import split
from tests.tuning.runs import Data, tune


@pytest.mark.parametrize("seed", range(5))
def test_without_repeats_it_is_the_first_of_a_permutation(seed: int) -> None:
    tuned, held_out = split([f"sentence {i}" for i in range(50)], TuneSettings(seed=seed, held_out=0.1))
    order = np.random.default_rng(seed).permutation(50)
    assert held_out.tolist() == sorted(order[:5])
    assert tuned.tolist() == sorted(order[5:])


@pytest.mark.parametrize("sentences", [8, 14])
def test_the_held_out_share_is_rounded(sentences: int) -> None:
    """One is held out, of 0.8 and of 1.4."""
    assert len(split([str(i) for i in range(sentences)], TuneSettings(held_out=0.1))[1]) == 1


@pytest.mark.parametrize("seed", range(20))
def test_equal_sources_are_on_one_side(seed: int) -> None:
    sources = [f"sentence {i // 3}" for i in range(60)]
    tuned, held_out = split(sources, TuneSettings(seed=seed, held_out=0.1))
    assert sorted([*tuned, *held_out]) == list(range(60))
    assert len(held_out) == 6  # two sources, three times each
    assert not {sources[i] for i in tuned} & {sources[i] for i in held_out}
    assert len(split(sources, TuneSettings(seed=seed, held_out=0.07))[1]) == 6  # four, and the others of their sources
    assert len(split(sources, TuneSettings(seed=seed, held_out=0))[1]) == 0


def test_a_run_remarks_on_repeats_and_needs_a_second_source(
    tuning_bundle: Path, tuning_set: Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Blank lines are none."""
    caplog.set_level(logging.WARNING)
    source = tuning_set[0]
    lines = source.read_text().splitlines()
    whole = [(path, path.read_text()) for path in (source, *tuning_set[1])]
    for path, content in whole:
        path.write_text(content + ("\n" if path == source else "an output\n") * 3)
    tune(tuning_bundle, tuning_set, tmp_path / "without", iterations=1)
    assert not any("distinct" in message for message in caplog.messages)
    for path, content in whole:
        path.write_text(content)
    source.write_text("\n".join([lines[1], *lines[1:]]) + "\n")
    tune(tuning_bundle, tuning_set, tmp_path / "run", iterations=1)
    said = [message for message in caplog.messages if "distinct" in message]
    assert len(said) == 1
    assert said[0].startswith(f"{source}: only 7 of 8 sources are distinct. When you set test sentences aside, keep")
    source.write_text(f"{lines[0]}\n" * 8)
    with pytest.raises(SbmtError, match="nothing is left to tune on: 8 sentences, 8 of them held out"):
        tune(tuning_bundle, tuning_set, tmp_path / "none")
