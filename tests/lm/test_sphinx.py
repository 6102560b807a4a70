"""Reading Sphinx's format, judged by pocketsphinx reading the same file."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pocketsphinx
import pytest

from sbmt.errors import FormatError
from sbmt.lm.ngrams import Trie
from sbmt.lm.sphinx import read_sphinx

WORDS = "the of in order to united states going be a house dog don't it's he she was were <s> and to-day".split()


def test_scores_as_pocketsphinx_does() -> None:
    path = pocketsphinx.get_model_path("en-us/en-us.lm.bin")
    theirs, ours = pocketsphinx.NGramModel.readfile(path), read_sphinx(path)
    known = [word for word in WORDS if word in ours.words]
    assert len(known) == len(set(WORDS)) - 1  # not "to-day"
    ids = np.array([ours.words.index(word) for word in known], np.int32)
    # All pairs and triples of these words, as rows of a trie.
    n = len(known)
    every = np.arange(n, dtype=np.int32)
    pairs = (np.repeat(every, n), np.tile(every, n))
    triples = (np.repeat(np.arange(n * n, dtype=np.int32), n), np.tile(every, n * n))
    grid = Trie(n, [pairs, triples])
    probabilities = ours.probabilities(grid, ids)
    for k in (2, 3):
        for row in random.Random(1).sample(range(n**k), 300):
            ngram = [known[i] for i in grid.words(k, slice(row, row + 1))[0]]
            expected = theirs.prob(ngram[::-1]) * math.log10(1.0001)  # last word first, to the base 1.0001
            if ngram[-1] != "<s>" and "<s>" not in ngram[1:]:
                assert math.log10(probabilities[k - 1][row]) == pytest.approx(expected, abs=2e-4), ngram


def test_another_file(tmp_path: Path) -> None:
    (tmp_path / "lm.bin").write_bytes(b"something else")
    with pytest.raises(FormatError, match="is not a Sphinx trie language model"):
        read_sphinx(tmp_path / "lm.bin")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.9])
def test_a_file_cut_short(share: float, tmp_path: Path) -> None:
    whole = Path(pocketsphinx.get_model_path("en-us/en-us.lm.bin")).read_bytes()
    (tmp_path / "lm.bin").write_bytes(whole[: len(b"Trie Language Model") + int(share * len(whole))])
    with pytest.raises(FormatError, match=r"lm\.bin: is cut short or damaged"):
        read_sphinx(tmp_path / "lm.bin")
