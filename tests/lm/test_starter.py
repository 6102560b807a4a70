"""The starter language model: built where it may be, once, and good enough to choose words by."""

from __future__ import annotations

import errno
import multiprocessing
import os
import tempfile
import time
from pathlib import Path

import kenlm
import numpy as np
import pytest

from sbmt.errors import ModelError, SbmtError
from sbmt.lm import starter
from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.ngrams import NGramModel


def tiny_model() -> NGramModel:
    return estimate(count_text(["a small model", "a model"], 2))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folders in `tmp_path` and models that take no time."""
    monkeypatch.setattr(starter, "spoken_model", tiny_model)
    monkeypatch.setattr(starter, "web_model", tiny_model)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_is_built_once(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = starter.starter_language_model()
    assert path.parent == tiny / "cache/sbmt"
    assert {p.name for p in path.parent.iterdir()} == {path.name, path.with_suffix(".lock").name}
    assert kenlm.Model(str(path)).order == 2
    monkeypatch.setattr(starter, "build_starter", None)
    assert starter.starter_language_model() == path


def test_cache_in_the_home_folder(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tiny / "home"))
    assert starter.starter_language_model().parent == tiny / "home/.cache/sbmt"


def test_cache_that_cannot_be_written(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tiny / "cache").write_text("a file where the folder should be")
    path = starter.starter_language_model()
    assert path.is_relative_to(tiny)
    assert path.parent.name.startswith("sbmt-")
    assert "the cache folder cannot be used" in caplog.text
    caplog.clear()
    assert starter.starter_language_model() == path
    assert not caplog.text


def test_full_cache(tiny: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    write = starter.write_kenlm_binary

    def full(model: NGramModel, path: Path) -> None:
        if "cache" in path.parts:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(model, path)

    monkeypatch.setattr(starter, "write_kenlm_binary", full)
    assert "cache" not in starter.starter_language_model().parts
    assert "No space left on device" in caplog.text


def test_nothing_can_be_written(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(model: NGramModel, path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(starter, "write_kenlm_binary", full)
    with pytest.raises(SbmtError, match="cannot be written: No space left on device"):
        starter.starter_language_model()


def test_missing_package() -> None:
    with pytest.raises(ModelError, match="the package no_such_package or its file x is missing: run `pip install"):
        starter._package_file("no_such_package", "x")


def build_in(folder: Path) -> None:
    """What each of several processes does; it says that it built by a file."""

    def slow_model() -> NGramModel:
        (folder / f"built-by-{os.getpid()}").touch()
        time.sleep(0.2)
        return tiny_model()

    starter.spoken_model, starter.web_model = slow_model, tiny_model
    starter.build_starter(folder / "lm.binary")


def test_several_processes_at_once(tmp_path: Path) -> None:
    processes = [multiprocessing.get_context("fork").Process(target=build_in, args=(tmp_path,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    assert len(list(tmp_path.glob("built-by-*"))) == 1
    assert kenlm.Model(str(tmp_path / "lm.binary")).order == 2


@pytest.mark.slow
def test_the_real_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It prefers English: each first sentence to its second, word by word."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
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
