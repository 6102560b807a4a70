"""From spoken words to Penn tokens: a small model, worked by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.ngrams import NGramModel
from sbmt.lm.penn import PUNCTUATION, from_spoken

Probability = Callable[[NGramModel, tuple[str, ...], str], float]

SPOKEN = [
    "i don't see the dog", "i do see it", "the dog's tail is long", "it's a long tail", "he can't see it",
    "the dog sees the tail", "o'brien won't see", "the cats' tails", "the cats see the dog's nose", "it's the dog",
]  # fmt: skip


@pytest.fixture(scope="module")
def spoken() -> NGramModel:
    return estimate(count_text(SPOKEN, 3))


@pytest.fixture(scope="module")
def penn(spoken: NGramModel) -> NGramModel:
    return from_spoken(spoken)


def test_vocabulary(penn: NGramModel) -> None:
    assert {"do", "ca", "wo", "n't", "'s", "dog", "cats", "'", "it", "o'brien", ",", "-lrb-"} <= set(penn.words)
    assert not {"don't", "can't", "won't", "dog's", "it's", "cats'"} & set(penn.words)


def test_every_context_sums_to_one(penn: NGramModel, brute_force: Probability) -> None:
    for k in (1, 2):
        for row in penn.trie.words(k).tolist():
            context = tuple(penn.words[i] for i in row)
            if "</s>" not in context:
                total = math.fsum(brute_force(penn, context, word) for word in penn.words if word != "<s>")
                assert total == pytest.approx(1, abs=1e-4), context
    assert math.fsum(10.0 ** penn.log10_p[0].astype(float)) - 1 == pytest.approx(1, abs=1e-5)  # with <s> at 1


def test_clitics(spoken: NGramModel, penn: NGramModel, brute_force: Probability) -> None:
    p = {word: 10 ** float(spoken.log10_p[0][i]) for i, word in enumerate(spoken.words)}
    share = p["dog's"] / (p["dog's"] + p["dog"])
    assert brute_force(penn, ("dog",), "'s") == pytest.approx(share, rel=1e-5)
    assert brute_force(penn, ("wo",), "n't") > 0.9
    # After "it", 's is a verb, which tells nothing of what follows other possessives.
    assert brute_force(penn, ("it", "'s"), "a") > 3 * brute_force(penn, ("dog", "'s"), "a")
    assert brute_force(penn, ("'s",), "tail") > 3 * brute_force(penn, ("'s",), "a")


def test_punctuation(spoken: NGramModel, penn: NGramModel, brute_force: Probability) -> None:
    assert brute_force(penn, (), ",") == pytest.approx(PUNCTUATION[","])
    assert brute_force(penn, (".",), "</s>") == pytest.approx(0.95)
    assert brute_force(penn, ("dog",), "</s>") < 0.01
    # "tail" ends an utterance in two of three cases; a full stop takes that place.
    assert brute_force(penn, ("tail",), ".") > 5 * brute_force(penn, ("the",), ".")
    assert brute_force(penn, (), "<unk>") == pytest.approx(1e-7)
