"""A text to estimate models from, and the definition of back-off, against which the vectorised code is tested."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from sbmt.lm.ngrams import NGramModel

Probability = Callable[[NGramModel, tuple[str, ...], str], float]


def pseudo_text(sentences: int = 1500, words: int = 400, seed: int = 7) -> list[str]:
    """The same lines on every machine (random.Random's integers are stable across versions)."""
    generator = random.Random(seed)
    text = []
    for _ in range(sentences):
        line, previous = [], 0
        for _ in range(1 + generator.randrange(14)):
            rank = int(words ** (generator.randrange(1_000_000) / 1_000_000))
            previous = (rank * (1 + previous % 3)) % words
            line.append(f"w{previous}")
        text.append(" ".join(line))
    return text


def as_dict(model: NGramModel) -> dict[str, tuple[float, float]]:
    """N-gram -> (log10 probability, log10 back-off)."""
    entries = {}
    for k in range(1, model.order + 1):
        values = zip(model.log10_p[k - 1].tolist(), model.log10_backoff[k - 1].tolist(), strict=True)
        for ngram, value in zip(model.trie.words(k).tolist(), values, strict=True):
            entries[" ".join(model.words[i] for i in ngram)] = value
    return entries


def probability(model: NGramModel, context: tuple[str, ...], word: str) -> float:
    """P(word | context) by the definition of back-off."""
    entries = as_dict(model)
    total = 0.0
    while " ".join([*context, word]) not in entries:
        total += entries.get(" ".join(context), (0.0, 0.0))[1]
        context = context[1:]
    return 10 ** (total + entries[" ".join([*context, word])][0])


@pytest.fixture(scope="session")
def text() -> Callable[..., list[str]]:
    """`pseudo_text`, for the tests, which cannot import this file."""
    return pseudo_text


@pytest.fixture(scope="session")
def entries() -> Callable[[NGramModel], dict[str, tuple[float, float]]]:
    """`as_dict`."""
    return as_dict


@pytest.fixture(scope="session")
def brute_force() -> Probability:
    """`probability`."""
    return probability
