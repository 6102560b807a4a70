"""The starter language model: built where it may be, once, and good enough to choose words by."""

from __future__ import annotations

import tempfile
from pathlib import Path

import kenlm
import numpy as np
import pytest

from sbmt.errors import ModelError
from sbmt.lm import starter
from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.ngrams import NGramModel


def tiny_model() -> NGramModel:
    return estimate(count_text(["a small model", "a model"], 2))


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever has been built on this machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def test_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starter, "spoken_model", tiny_model)
    monkeypatch.setattr(starter, "web_model", tiny_model)
    path = starter.starter_language_model()
    assert path.parent == tmp_path / "sbmt"
    assert kenlm.Model(str(path)).order == 2
    monkeypatch.setattr(starter, "build_starter", None)
    assert starter.starter_language_model() == path


def test_missing_package() -> None:
    with pytest.raises(ModelError, match="the package no_such_package or its file x is missing: run `pip install"):
        starter._package_file("no_such_package", "x")


@pytest.mark.slow
def test_the_real_one() -> None:
    """It prefers English: each first sentence to its second, word by word."""
    model = kenlm.Model(str(starter.starter_language_model()))
    assert model.order == 3
    for good, bad in [
        ("he lives in a large house .", "he lives in a large edifice ."),
        ("they do n't know .", "they does n't know ."),
        ("the dog 's tail", "the dog n't tail"),
        ("the united states of america", "the united states at america"),
        ("she said that it was late .", "she said that it were late ."),
        ("in order to win", "in order win to"),
    ]:
        assert model.score(good) > model.score(bad), (good, bad)
    words = ", . -lrb- -rrb- `` '' \" 's n't : ; -- the of".split()
    unigrams = np.array([model.score(word, bos=False, eos=False) for word in words])
    assert unigrams.min() > -5
