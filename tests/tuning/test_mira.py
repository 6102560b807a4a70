"""MIRA: steps by hand, the background of a corpus metric, and the epoch whose weights are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Texts, chosen_statistics
from sbmt.tuning.tuners.mira import Mira
from sbmt.tuning.weights import WeightSpace
from tests.tuning.planted import Planted, listed, plain_problem, planted_pool, planted_problem


@pytest.mark.parametrize(
    ("c", "feature", "start", "expected"),
    [
        (10, 2.0, 0.0, 0.25),  # margin 0, cost 0.5, squared length 4: a step of 0.5 / 4 along (2, 0)
        (0.1, 2.0, 0.0, 0.2),  # but at most c
        (10, 2.0, 0.1, 0.25),  # margin 0.2: 0.3 are due, so to the same weight
        (10, 2.0, 0.4, 0.4),  # margin 0.8: no step is due
        (10, 4.0, 0.0, 0.125),  # scaled to the same deviation, the weight is half as large in the feature's own unit
    ],
)
def test_a_step_by_hand(c: float, feature: float, start: float, expected: float) -> None:
    """Of one sentence with two candidates; the features (2, 0) and (0, 0) have a deviation of 1 in the first column."""
    problem = plain_problem([listed(((feature, 0), 0.5, 1), ((0, 0), 0, 1))], [start, 0], "sentence")
    assert Mira(c, epochs=1).fit(problem, np.random.default_rng(1)).tolist() == pytest.approx([expected, 0])


def test_without_a_step_the_weights_stay_as_they_are() -> None:
    """The margin is 3 or more, and the cost 0.5 at most; a mean of weights may differ from all of them by rounding."""
    pool = [listed(((feature, 0), 0.5, 1), ((0, 0), 0, 1)) for feature in (10, 11, 13)]
    for start in (0.3, 0.4625, 0.7):
        problem = plain_problem(pool, [start, 0.1], "sentence")
        assert Mira(epochs=3).fit(problem, np.random.default_rng(1)).tolist() == [start, 0.1]


def test_a_step_is_as_long_as_the_free_weights_need() -> None:
    """A cost of 0.5 and no margin: 0.5 / 4 along (2, 0), whatever the second feature, for its weight is fixed at 0."""
    pool = [listed(((2, 3), 0.5, 1), ((0, 0), 0, 1))]
    problem = plain_problem(pool, [0, 0], "sentence")
    fixed = problem._replace(space=WeightSpace.build(("w0", "w1"), {"w1": 0.0}, {}, []))
    assert Mira(10, epochs=1).fit(fixed, np.random.default_rng(1)).tolist() == pytest.approx([0.25, 0])


def test_gains_are_in_words() -> None:
    """Chiang, Marton & Resnik (2008): B(e) = (O + |f|) times the metric of the background and e, O being its words.

    To the mean over sentences all are alike. Where one of 4 words is the only one, a cost of 4 x 0.5 and no margin ask
    for a step of 2 / 4 along (2, 0).
    """
    corpus, sentence = (Objective(Planted("x", level=level)) for level in ("corpus", "sentence"))
    hits, background = np.array([[3.0, 5.0], [1.0, 5.0]]), np.array([10.0, 20.0])
    assert corpus.in_context(hits, background, 40.0, 6.0).tolist() == pytest.approx([46 * 13 / 25, 46 * 11 / 25])
    long, short = (
        replace(listed(((2, 0), 0.5, 1), ((0, 0), 0, 1)), texts=Texts([text, "a"])) for text in ("a b c d", "a b")
    )
    assert corpus.lengths([long, short]).tolist() == [4, 2]
    assert sentence.lengths([long, short]).tolist() == [3, 3]
    problem = plain_problem([long], [0, 0], "sentence")
    assert Mira(10, epochs=1).fit(problem, np.random.default_rng(1)).tolist() == pytest.approx([1, 0])


def test_a_step_leads_away_from_what_the_model_likes_too_much() -> None:
    """Model scores -0.1, 0, 0.1: the last is feared, though the second is worse. The margin of -0.2 must become 0.3."""
    problem = plain_problem([listed(((1,), 0.5, 1), ((0,), 0.15, 1), ((-1,), 0.2, 1))], [-0.1], "sentence")
    assert Mira(10, epochs=1).fit(problem, np.random.default_rng(1)).tolist() == pytest.approx([0.15])


def test_the_background_decays() -> None:
    """Three sentences alike, of which 1 of 1 is hoped for and 0 of 3 feared, and a background that begins as one of
    them: it has S hits of S in S sentences, S = 1, then 0.9 x (1 + 1) = 1.8, then 0.9 x (1.8 + 1) = 2.52.

    In sentences' worth a choice of the first gains (S + 1) (S + 1) / (S + 1) and of the second (S + 1) S / (S + 3): the
    cost is 3 (S + 1) / (S + 3). It grows, so each step makes the margin, twice the weight, as large as the cost.
    """
    problem = plain_problem([listed(((2,), 1, 1), ((0,), 0, 3))] * 3, [0])
    weights = Mira(c=100, epochs=1, decay=0.9).fit(problem, np.random.default_rng(1))
    after_each = [3 * (s + 1) / (s + 3) / 2 for s in (1, 1.8, 2.52)]
    assert weights.tolist() == [pytest.approx(sum(after_each) / 3)]


@pytest.mark.parametrize("seed", range(3))
def test_the_weights_of_the_best_epoch_are_kept(seed: int) -> None:
    """With one more epoch they are either the same, or better on the pool; and both happens."""
    pool = planted_pool(np.random.default_rng(seed), 5)
    problem = planted_problem(pool)
    fitted = [Mira(epochs=n).fit(problem, np.random.default_rng(1)) for n in range(1, 31)]
    gains = [problem.objective.corpus(chosen_statistics(pool, weights)) for weights in fitted]
    same = [bool((fitted[i] == fitted[i + 1]).all()) for i in range(29)]
    assert same == [gains[i] >= gains[i + 1] for i in range(29)]
    assert {*same} == {True, False}
