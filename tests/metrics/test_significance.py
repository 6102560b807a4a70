"""Intervals and tests against sacreBLEU's, exact enumeration and the normal approximation."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from scipy.stats import ttest_rel

from sbmt.errors import SbmtError
from sbmt.metrics import Resampling, evaluate, get_metric
from sbmt.metrics.significance import bootstrap_intervals, holm, paired_bootstrap, permutation_test
from tests.metrics.strategies import REPRODUCIBLE


def corpus(seed: int, sentences: int) -> tuple[list[str], list[str], list[str]]:
    """References, and outputs of which the second copies more often."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(list("abcdefgh"), size=12)) for _ in range(sentences)]
    noisy = []
    for rate in (0.30, 0.26):
        keep = [[w if rng.random() > rate else "x" for w in line.split()] for line in references]
        noisy.append([" ".join(words) for words in keep])
    return references, noisy[0], noisy[1]


def test_interval_of_a_mean_is_close_to_normal() -> None:
    rng = np.random.default_rng(5)
    metric = get_metric("length:words")
    outputs = ["w " * int(n) for n in rng.poisson(20, size=400)]
    rows = metric.count_outputs([""] * 400, [[]] * 400, outputs)
    [(low, high)] = bootstrap_intervals(metric, [rows], np.random.default_rng(1), samples=4000)
    values = rows[:, 0]
    half = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.06)


def test_interval_is_the_same_for_the_same_seed_and_holds_the_score() -> None:
    references, outputs, _ = corpus(1, 60)
    metric = get_metric("bleu:sentence")
    rows = metric.count_outputs(outputs, [[line] for line in references], outputs)
    one = bootstrap_intervals(metric, [rows], np.random.default_rng(7), 1000)
    first, again = bootstrap_intervals(metric, [rows, rows], np.random.default_rng(7), 1000)  # which see the same draws
    assert [first] == one
    assert first == again
    assert first[0] < metric.corpus(rows).value < first[1]


def test_permutation_p_value_is_sacrebleus() -> None:
    references, worse, better = corpus(2, 80)
    metric = get_metric("bleu:sacrebleu", tok="none")
    prepared = metric.prepare_many(worse, [[line] for line in references])
    rows, baseline = (metric.corpus_statistics(prepared, outputs) for outputs in (better, worse))
    p_value = permutation_test(metric, rows, baseline, np.random.default_rng(3), samples=4000)
    metrics = {"BLEU": BLEU(tokenize="none", references=[references])}
    systems = [("worse", worse), ("better", better)]
    _, scores = PairedTest(systems, metrics, references=None, test_type="ar", n_samples=4000)()
    expected = scores["BLEU"][1].p_value
    assert 0.01 < expected < 0.5  # a case that could go wrong
    assert p_value == pytest.approx(expected, abs=0.03)


def test_paired_bootstrap_of_a_mean_is_close_to_the_t_test() -> None:
    rng = np.random.default_rng(6)
    metric = get_metric("length:words")
    lengths = rng.poisson(20, size=300)
    rows, baseline = (np.stack([x, np.ones(300)], axis=1) for x in (lengths, lengths + rng.integers(-3, 4, size=300)))
    expected = ttest_rel(rows[:, 0], baseline[:, 0]).pvalue
    assert 0.01 < expected < 0.9
    assert paired_bootstrap(metric, rows, baseline, np.random.default_rng(3), 4000) == pytest.approx(expected, abs=0.03)


def test_permutation_approaches_the_exact_test() -> None:
    metric = get_metric("length:words", level="sentence")
    lengths, others = np.array([5, 7, 9, 4, 8, 6, 9]), np.array([4, 7, 6, 5, 6, 3, 7])
    rows, baseline = (np.stack([x, np.ones(7)], axis=1).astype(float) for x in (lengths, others))
    differences = lengths - others
    swaps = [np.dot(signs, differences) for signs in itertools.product([1, -1], repeat=7)]
    exact = np.mean(np.abs(swaps) >= abs(differences.sum()))
    p_value = permutation_test(metric, rows, baseline, np.random.default_rng(0), samples=10_000)
    assert p_value == pytest.approx(exact, abs=0.02)


def test_all_runs_are_swapped_in_the_same_sentences() -> None:
    """Two runs of one system and two of the other, whose first runs alone would differ far more."""
    metric = get_metric("length:words", level="sentence")
    lengths = np.array([[9, 9, 9, 9, 9, 9, 9], [4, 6, 3, 8, 5, 7, 2]])
    others = np.array([[5, 5, 6, 5, 6, 5, 5], [6, 5, 8, 4, 7, 5, 9]])
    rows, baseline = (np.stack([runs, np.ones((2, 7))], axis=2).astype(float) for runs in (lengths, others))
    differences = lengths.mean(axis=0) - others.mean(axis=0)
    swaps = [np.dot(signs, differences) for signs in itertools.product([1, -1], repeat=7)]
    exact = np.mean(np.abs(swaps) >= abs(differences.sum()) - 1e-9)
    assert 0.05 < exact < 0.9
    p_value = permutation_test(metric, rows, baseline, np.random.default_rng(0), samples=10_000)
    assert p_value == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("sentences", [1, 2, 5, 20])
def test_sentences_that_all_agree_are_as_much_evidence_as_they_are_many(sentences: int) -> None:
    """By hand: of 2^n ways to swap n equal differences two, none and all, are as extreme. Resamples never vary."""
    metric = get_metric("length:words")
    rows = np.stack([np.full(sentences, 3.0), np.ones(sentences)], axis=1)
    baseline = rows + np.array([1.0, 0.0])
    exact = 2 / 2**sentences
    for test in (permutation_test, paired_bootstrap):
        p_value = test(metric, rows, baseline, np.random.default_rng(0), samples=1000)
        assert p_value == pytest.approx(max(exact, 1 / 1001), rel=0.2)


@pytest.mark.parametrize("test", [permutation_test, paired_bootstrap])
def test_no_seed_takes_a_p_value_below_what_all_swaps_give(test: Callable[..., float]) -> None:
    """Of swaps drawn at random now more and now fewer than 2 in 2^6 are as extreme as six sentences that agree."""
    metric = get_metric("length:words")
    rows = np.stack([np.arange(6.0), np.ones(6)], axis=1)
    seeds = map(np.random.default_rng, range(1, 7))
    assert min(test(metric, rows, rows + np.array([1.0, 0.0]), seed, samples=10_000) for seed in seeds) == 2 / 2**6


@pytest.mark.parametrize("test", [permutation_test, paired_bootstrap])
def test_sentences_without_a_difference_are_no_evidence(test: Callable[..., float]) -> None:
    """Four of 300 sentences differ and agree, in either of two runs: of 2^4 ways to swap those two are as extreme."""
    metric = get_metric("length:words")
    baseline = np.ones((300, 2))
    longer, runs = baseline.copy(), np.stack([baseline, baseline])
    longer[:4, 0] = runs[0, :3, 0] = runs[1, 3, 0] = 2
    for rows in (longer, runs):
        p_value = test(metric, rows, baseline, np.random.default_rng(0), samples=4000)
        assert p_value == pytest.approx(2 / 2**4, abs=0.02)
        assert p_value >= 2 / 2**4


def test_seed_and_samples_reach_the_test() -> None:
    references, worse, better = corpus(2, 80)
    metric, listed = get_metric("bleu"), [[line] for line in references]
    prepared = metric.prepare_many(worse, listed)
    rows = [metric.corpus_statistics(prepared, outputs) for outputs in (better, worse)]
    resampling = Resampling(samples=0, seed=7, baseline="B", test_samples=300)
    result = evaluate(metric, worse, listed, {"A": better, "B": worse}, resampling)["A"]
    assert result.p_value == permutation_test(metric, *rows, np.random.default_rng(7), samples=300)
    for seed, samples in ((1, 300), (7, 10_000)):  # which would give others
        assert result.p_value != permutation_test(metric, *rows, np.random.default_rng(seed), samples=samples)


def test_a_single_sentence_has_no_interval() -> None:
    results = evaluate(get_metric("length"), ["a"], [[]], {"A": ["a b"], "B": ["a"]}, Resampling(baseline="B"))
    assert (results["A"].interval, results["A"].p_value) == (None, 1.0)


def test_equal_systems_never_differ() -> None:
    metric = get_metric("length:words")
    for lengths in ([3.0, 4.0], [0.0, 0.0]):
        rows = np.stack([lengths, np.ones(2)], axis=1)
        for test in (permutation_test, paired_bootstrap):
            assert test(metric, rows, rows, np.random.default_rng(0), samples=100) == 1.0


@REPRODUCIBLE
@given(
    st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=2, max_size=12),
    st.floats(1e-12, 1e12),
    st.sampled_from(["permutation", "bootstrap"]),
)
def test_a_metric_in_other_units_gives_the_same_p_values_and_ranks(
    lengths: list[tuple[int, int, int]], factor: float, test: str
) -> None:
    systems = {name: ["x" * n for n in column] for name, column in zip("ABC", zip(*lengths, strict=True), strict=True)}
    resampling = Resampling(samples=0, baseline="A", test=test, test_samples=200)
    nothing = [""] * len(lengths), [[]] * len(lengths)
    one, other = (
        evaluate(get_metric(lambda source, output, references, f=f: f * len(output)), *nothing, systems, resampling)
        for f in (1, factor)
    )
    assert [result.p_value for result in other.values()] == [result.p_value for result in one.values()]
    for a, b in itertools.combinations("ABC", 2):
        if one[a].score.value != one[b].score.value:
            assert (one[a].score.value > one[b].score.value) == (other[a].score.value > other[b].score.value)


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
def test_tiny_scores_are_told_apart(test: str) -> None:
    """All eight outputs are longer: p is 2 / 2**8, about, and never below."""
    systems = {"A": ["x"] * 8, "B": ["xx"] * 8}
    metric = get_metric(lambda source, output, references: len(output) * 1e-12)
    results = evaluate(metric, [""] * 8, [[]] * 8, systems, Resampling(baseline="A", test=test))
    assert results["B"].p_value == pytest.approx(2 / 2**8, rel=0.3)


def test_means_that_cancel_out_do_not_differ() -> None:
    """Both means are 0, but for rounding, and every swap of outputs leaves a difference at least as large."""
    values = {"A": [0.1, 0.2, -0.3], "B": [0.3, -0.2, -0.1]}
    systems = {name: [f"{name}{i}" for i in range(3)] for name in values}
    metric = get_metric(lambda source, output, references: values[output[0]][int(output[1])])
    results = evaluate(metric, [""] * 3, [[]] * 3, systems, Resampling(baseline="A"))
    assert results["B"].p_value == 1


def test_other_sentences_cannot_be_paired() -> None:
    metric = get_metric("length:words")
    with pytest.raises(SbmtError, match="same sentences: 2 and 1"):
        permutation_test(metric, np.ones((2, 2)), np.ones((1, 2)), np.random.default_rng(0), samples=100)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])  # by hand: 3 x .01, 2 x .03, the .06 before
    assert holm([0.9, 0.5]) == pytest.approx([1, 1])
    assert holm([]) == []
