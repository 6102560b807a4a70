"""Mixing: the result is the mixture it says it is, sums to one, and its weights are the best there are."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from sbmt.lm.counts import count_text
from sbmt.lm.kneser_ney import estimate
from sbmt.lm.mixture import mix, mixture_weights
from sbmt.lm.ngrams import BEGIN_ID, NGramModel

Probability = Callable[[NGramModel, tuple[str, ...], str], float]
Entries = Callable[[NGramModel], dict[str, tuple[float, float]]]

COOKING = [
    "stir the soup and salt it",
    "salt the water",
    "the soup is hot",
    "stir it and serve it hot",
    "serve the soup",
]
SAILING = ["hoist the sail", "the wind turns and the sail fills", "turn the boat into the wind", "the boat is fast"]
SAMPLE = ["the soup turns hot", "serve the boat", "the wind is hot and fast", "stir the unheard"]


@pytest.fixture(scope="module")
def models() -> list[NGramModel]:
    return [estimate(count_text(COOKING, 3)), estimate(count_text(SAILING, 2))]


@pytest.fixture(scope="module")
def p_of(brute_force: Probability) -> Probability:
    """P by definition; a word that this model does not know has probability 0."""

    def p(model: NGramModel, context: tuple[str, ...], word: str) -> float:
        known = tuple(w if w in model.words else "<unk>" for w in context)
        return brute_force(model, known, word) if word in model.words else 0.0

    return p


def test_ngrams_have_the_mixture_of_both(models: list[NGramModel], entries: Entries, p_of: Probability) -> None:
    mixed = mix(models, np.array([0.3, 0.7]))
    for ngram, (log10_p, _) in entries(mixed).items():
        *context, word = ngram.split()
        if word != "<s>":
            expected = 0.3 * p_of(models[0], tuple(context), word) + 0.7 * p_of(models[1], tuple(context), word)
            assert 10**log10_p == pytest.approx(expected, rel=1e-5), ngram


def test_mixture_sums_to_one(models: list[NGramModel], brute_force: Probability) -> None:
    mixed = mix(models, np.array([0.3, 0.7]))
    assert set(mixed.words) == {*models[0].words, *models[1].words}
    for context in [(), ("<s>",), ("the",), ("<s>", "the"), ("the", "soup"), ("fast",)]:
        total = math.fsum(brute_force(mixed, context, word) for word in mixed.words if word != "<s>")
        assert total == pytest.approx(1, abs=1e-5), context


def test_weights_are_the_best(models: list[NGramModel], p_of: Probability) -> None:
    """Against a one-dimensional search over the likelihood, computed word by word."""

    def cost(weight: float) -> float:
        total = 0.0
        for line in SAMPLE:
            words = ["<s>", *line.split(), "</s>"]
            for i in range(1, len(words)):
                context, word = tuple(words[max(0, i - 2) : i]), words[i]
                unheard = not any(word in model.words for model in models)
                a, b = (p_of(model, context[-(model.order - 1) :], "<unk>" if unheard else word) for model in models)
                total -= math.log(weight * a + (1 - weight) * b)
        return total

    best = minimize_scalar(cost, bounds=(0, 1), method="bounded", options={"xatol": 1e-6}).x
    weights = mixture_weights(models, count_text(SAMPLE, 3))
    assert weights.sum() == pytest.approx(1)
    assert weights[0] == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_what_models_say_of_the_beginning_does_not_weigh(models: list[NGramModel], order: int) -> None:
    """Some tools write -99 for <s>, others 0: it is never scored."""
    sample, told = count_text(SAMPLE, order), []
    for model, log10_p in zip(models, (-99.0, 0.0), strict=True):
        unigrams = model.log10_p[0].copy()
        unigrams[BEGIN_ID] = log10_p
        told.append(replace(model, log10_p=[unigrams, *model.log10_p[1:]]))
    assert mixture_weights(told, sample).tolist() == mixture_weights(models, sample).tolist()
