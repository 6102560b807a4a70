"""Every tuner finds weights that are known to be best, obeys ranges, and does what its paper says on small cases."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from sbmt.errors import SbmtError
from sbmt.metrics import get_metric
from sbmt.metrics.base import Floats, Metric
from sbmt.tuning.mert import Mert, _Search, upper_envelope
from sbmt.tuning.mira import Mira
from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import Candidates, NBest, Pool, Scores, Texts, choose, chosen_statistics
from sbmt.tuning.pro import Pro
from sbmt.tuning.ranking import Differences, LogisticRanker, PerceptronRanker
from sbmt.tuning.sampling import Sampler
from sbmt.tuning.tuner import Problem
from sbmt.tuning.weights import WeightSpace

BEST = np.array([1.0, -2.0, 0.5, 0.0])
NAMES = ("lm_0", "a", "b", "c")


class Planted(Metric[Any, Any]):
    """A metric whose only statistic is hits out of 100: summable, and so good for corpus-level tuners too."""

    name, label, variants = "planted", "Planted", {"x": {}}

    def read(self, lines: Sequence[str]) -> list[Any]:
        raise NotImplementedError

    def prepare_text(self, source: Any, references: Sequence[Any]) -> Any:
        raise NotImplementedError

    def count(self, prepared: Any, hypotheses: Sequence[Any]) -> Floats:
        raise NotImplementedError

    def score(self, statistics: Floats) -> Floats:
        return np.asarray(100 * statistics[..., 0] / statistics[..., 1])

    def parts(self, statistics: Floats) -> dict[str, Floats]:
        return {}


def planted_pool(rng: np.random.Generator, sentences: int = 60, n: int = 30) -> list[Candidates]:
    """Candidates whose metric grows with BEST . h, saturating, so that the ranking and not the scale is learnable."""
    pool = []
    for _ in range(sentences):
        h = rng.normal(size=(n, len(BEST))).astype(np.float32)
        hits = 1 / (1 + np.exp(-(h @ BEST)))
        statistics = np.stack([hits, np.ones(n)], axis=1).astype(np.float32)
        pool.append(candidates(h, statistics))
    return pool


def candidates(features: NDArray[np.float32], statistics: NDArray[np.float32]) -> Candidates:
    gains = Objective(Planted("x")).gains(statistics.astype(np.float64))
    return Candidates(Texts(map(str, range(len(features)))), features, statistics, gains)


def space(fixed: dict[str, float] | None = None, ranges: dict[str, tuple[float, float]] | None = None) -> WeightSpace:
    return WeightSpace.build(NAMES, fixed or {}, ranges or {}, [])


TUNERS = {
    "pro": Pro(Sampler(), LogisticRanker()),
    "pro, averaged": Pro(Sampler(tau=100, xi=20), LogisticRanker(), restarts=3),
    "joshua": Pro(Sampler(tau=8000, min_difference=0.005), PerceptronRanker(), normalise="lm_0"),
    "mira": Mira(),
    "mert": Mert(),
}


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize("tuner", TUNERS)
def test_the_planted_weights_are_found(tuner: str, level: str) -> None:
    rng = np.random.default_rng(7)
    objective = Objective(Planted("x", level=level))
    start = np.array([0.1, 0.1, 0.1, 0.1])
    weights = TUNERS[tuner].fit(Problem(planted_pool(rng), objective, start, space()), rng)
    unseen = planted_pool(rng)
    best = objective.corpus(chosen_statistics(unseen, BEST))
    assert objective.corpus(chosen_statistics(unseen, start)) < best - 0.1
    assert objective.corpus(chosen_statistics(unseen, weights)) > best - 0.02
    cosine = weights @ BEST / np.linalg.norm(weights) / np.linalg.norm(BEST)
    assert cosine > 0.95


@pytest.mark.parametrize("tuner", TUNERS)
def test_fixed_weights_and_ranges_hold(tuner: str) -> None:
    rng = np.random.default_rng(3)
    restricted = space({"lm_0": 0.1}, {"a": (-0.5, 0.5)})  # the mean of three times 0.1 is a little more in floats
    start = restricted.vector({"lm_0": 9.0, "b": 0.1})
    weights = TUNERS[tuner].fit(Problem(planted_pool(rng), Objective(Planted("x")), start, restricted), rng)
    assert weights[0] == 0.1
    assert -0.5 <= weights[1] <= 0.5
    assert weights[1] < 0


@pytest.mark.parametrize("tuner", TUNERS)
def test_the_same_seed_gives_the_same_weights(tuner: str) -> None:
    pool = planted_pool(np.random.default_rng(5), sentences=20)
    problem = Problem(pool, Objective(Planted("x")), np.full(4, 0.1), space())
    runs = [TUNERS[tuner].fit(problem, np.random.default_rng(11)) for _ in range(2)]
    assert runs[0].tobytes() == runs[1].tobytes()


@pytest.mark.parametrize("tuner", TUNERS)
def test_a_feature_that_never_differs_does_no_harm(tuner: str) -> None:
    rng = np.random.default_rng(5)
    pool = [
        candidates(np.concatenate([c.features[:, :3], np.full((len(c), 1), 7.0, np.float32)], 1), c.statistics)
        for c in planted_pool(rng)
    ]
    weights = TUNERS[tuner].fit(Problem(pool, Objective(Planted("x")), np.full(4, 0.1), space()), rng)
    assert np.isfinite(weights).all()
    assert weights[0] > 0 > weights[1]


@pytest.mark.parametrize("tuner", [*TUNERS, "pro, any difference"])
def test_candidates_all_alike(tuner: str) -> None:
    rng = np.random.default_rng(5)
    tuners = {**TUNERS, "pro, any difference": Pro(Sampler(min_difference=0), LogisticRanker())}
    pool = [candidates(c.features, np.ones_like(c.statistics)) for c in planted_pool(rng, 5)]
    with pytest.raises(SbmtError, match="there is nothing to learn"):
        tuners[tuner].fit(Problem(pool, Objective(Planted("x")), np.full(4, 0.1), space()), rng)


@pytest.mark.parametrize(("name", "gain"), [("bleu:joshua", 1.0), ("length", -3.0), ("fk:xu2016", 0.0)])
def test_gains_are_fractions_of_the_best_or_in_units_of_their_own(name: str, gain: float) -> None:
    """More is always better. "a b c" has no grade: 0.39 x 3 + 11.8 - 15.19 is below 0."""
    metric = get_metric(name)
    rows = metric.corpus_statistics(metric.prepare_many(["d"], [["a b c"]]), ["a b c"])
    objective = Objective(metric)
    assert objective.gains(rows).tolist() == [pytest.approx(gain)]
    assert objective.corpus(rows) == pytest.approx(gain)
    assert objective.unit * gain == pytest.approx(metric.corpus(rows).value)


def test_a_gain_that_is_not_finite_is_named() -> None:
    with pytest.raises(SbmtError, match="planted is not finite for candidate 2"), np.errstate(invalid="ignore"):
        Objective(Planted("x")).gains(np.array([[1.0, 2.0], [0.0, 0.0]]))


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=12))
def test_envelope_is_the_maximum_everywhere(lines: list[tuple[int, int]]) -> None:
    a, b = (np.array(column, dtype=np.float64) for column in zip(*lines, strict=True))
    chosen, turns = upper_envelope(a, b)
    assert turns == sorted(turns)
    for x in np.linspace(-30, 30, 241):
        line = chosen[int(np.searchsorted(turns, x))]
        assert a[line] + b[line] * x == pytest.approx(float((a + b * x).max()))


@pytest.mark.parametrize("towards", [1.0, -1.0, 0.0])
@pytest.mark.parametrize("seed", range(10))
def test_a_line_search_finds_the_best_point(seed: int, towards: float) -> None:
    """Against a grid; straight towards or away from what is best, the outermost interval is."""
    rng = np.random.default_rng(seed)
    pool, w = planted_pool(rng, 4, 6), rng.normal(size=4)
    direction = towards * BEST if towards else rng.normal(size=4)
    search = _Search(Problem(pool, Objective(Planted("x")), w, space()))
    gain, step = search.line(w, direction)
    assert search.gain(w + step * direction) == pytest.approx(gain)
    assert gain >= max(search.gain(w + x * direction) for x in np.linspace(-50, 50, 1001)) - 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_a_line_search_stays_inside_the_ranges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    restricted = space(ranges={"a": (-0.5, 0.5), "b": (0.0, 0.2)})
    w, direction = restricted.clip(rng.normal(size=4)), rng.normal(size=4)
    search = _Search(Problem(planted_pool(rng, 20, 20), Objective(Planted("x")), w, restricted))
    gain, step = search.line(w, direction)
    point = w + step * direction
    assert (restricted.clip(point) == point).all()
    assert gain == pytest.approx(search.gain(point))
    tried = [w + x * direction for x in np.linspace(-20, 20, 4001)]
    inside = [search.gain(point) for point in tried if (restricted.clip(point) == point).all()]
    assert gain >= max(inside, default=-np.inf) - 1e-9


def test_mert_takes_the_best_of_its_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    climbs = iter([(0.1, np.zeros(4)), (0.9, np.ones(4)), (0.5, np.full(4, 2.0))])
    monkeypatch.setattr(Mert, "_climb", lambda *_: next(climbs))
    rng = np.random.default_rng(1)
    problem = Problem(planted_pool(rng, 2), Objective(Planted("x")), np.full(4, 0.1), space())
    assert Mert(restarts=2).fit(problem, rng).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(("c", "expected"), [(10, 0.25), (0.1, 0.2)])
def test_a_step_of_mira_by_hand(c: float, expected: float) -> None:
    """Margin 0, cost 0.5, squared length 4: a step of 0.5 / 4, but at most c, along (2, 0)."""
    h, gain, w = np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([0.5, 0.0]), np.zeros(2)
    hope, weights = Mira(c)._update(h, gain, w, WeightSpace.build(("a", "b"), {}, {}, []), np.ones(2))
    assert hope == 0
    assert weights.tolist() == [expected, 0]


def test_miras_background_decays(monkeypatch: pytest.MonkeyPatch) -> None:
    """From one mean sentence: 0.9 x (1 + 1) = 1.8, 0.9 x (1.8 + 1) = 2.52; every candidate counts 1 in column 1."""
    in_context, seen = Objective.in_context, []

    def watched(objective: Objective, statistics: Floats, background: Floats, size: float) -> Floats:
        seen.append((float(background[1]), size))
        return in_context(objective, statistics, background, size)

    monkeypatch.setattr(Objective, "in_context", watched)
    rng = np.random.default_rng(1)
    problem = Problem(planted_pool(rng, 3), Objective(Planted("x")), np.full(4, 0.1), space())
    Mira(epochs=1, decay=0.9).fit(problem, rng)
    assert np.array(seen) == pytest.approx(np.array([[1, 1], [1.8, 1.8], [2.52, 2.52]]))


def test_mira_keeps_the_weights_of_its_best_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(planted_pool(np.random.default_rng(1), 5), Objective(Planted("x")), np.full(4, 0.1), space())

    def fitted(*gains: float) -> list[float]:
        reached = iter(gains)
        monkeypatch.setattr(Objective, "corpus", lambda *_: next(reached))
        weights: list[float] = Mira(epochs=len(gains)).fit(problem, np.random.default_rng(1)).tolist()
        return weights

    first, second, third = fitted(1), fitted(1, 2), fitted(1, 2, 3)
    assert fitted(1, 3, 2) == second
    assert fitted(3, 1, 2) == first
    assert len({*map(tuple, (first, second, third))}) == 3


class Given:
    """A ranker that says what it was told to say."""

    def __init__(self, *weights: float) -> None:
        self.weights = iter(weights)

    def fit(self, pairs: Differences, start: Floats, space: WeightSpace) -> Floats:
        return np.full(len(start), next(self.weights))


def test_pro_averages_its_restarts() -> None:
    rng = np.random.default_rng(1)
    problem = Problem(planted_pool(rng, 2), Objective(Planted("x")), np.full(4, 0.1), space())
    assert Pro(Sampler(), Given(0, 1, 5), restarts=3).fit(problem, rng).tolist() == [2, 2, 2, 2]


def test_pro_makes_the_named_weight_1_or_minus_1() -> None:
    weights = np.array([-2.0, 4.0, 0.0, 0.0])
    assert Pro(Sampler(), Given(), normalise="lm_0")._scaled(weights, space()).tolist() == [-1, 2, 0, 0]
    assert Pro(Sampler(), Given(), normalise="b")._scaled(weights, space()).tolist() == weights.tolist()  # it is 0


def test_pairs_that_differ_by_just_enough_are_sampled() -> None:
    better, worse, difference = Sampler(min_difference=0.5).pairs(np.array([0.0, 0.5]), np.random.default_rng(1))
    assert (better.tolist(), worse.tolist(), difference.tolist()) == ([1], [0], [0.5])


def test_logistic_regression_minimises_what_it_says() -> None:
    """In the weights' own units, by another method; the fixed weight shifts margins, c's bound is reached."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 4)) * [1, 0.5, 1, 10] + [0.3, -0.5, 0.2, 4]
    importance, l2 = rng.random(200) ** 2, 0.1
    restricted = space({"lm_0": 3.0}, {"c": (-1.0, 0.02)})
    size = np.sqrt((x[:, 1:] ** 2).mean(axis=0))

    def loss(w: Floats) -> float:
        margin = 3 * x[:, 0] + x[:, 1:] @ w
        return float(importance @ np.log1p(np.exp(-margin)) / importance.sum() + l2 / 2 * ((w * size) ** 2).sum())

    bounds = [(None, None), (None, None), (-1, 0.02)]
    expected = minimize(loss, np.zeros(3), method="SLSQP", bounds=bounds, options={"ftol": 1e-12}).x
    start = restricted.vector({"lm_0": 3.0})
    weights = LogisticRanker(l2).fit(Differences(x, importance), start, restricted)
    assert weights.tolist() == pytest.approx([3, *expected], abs=1e-3)
    assert weights[3] == pytest.approx(0.02)


@given(st.integers(0, 10_000), st.integers(2, 12), st.sampled_from([4, 50, 1000]), st.sampled_from([0.0, 0.3]))
def test_sampled_pairs_are_valid(seed: int, n: int, tau: int, least: float) -> None:
    rng = np.random.default_rng(seed)
    gains = rng.integers(0, 5, n) / 5
    sampler = Sampler(tau=tau, xi=6, min_difference=least)
    better, worse, difference = sampler.pairs(gains, rng)
    assert (gains[better] - gains[worse] == difference).all()
    assert len({frozenset(pair) for pair in zip(better.tolist(), worse.tolist(), strict=True)}) == len(better)
    drawn: set[tuple[int, int]] = set(combinations(range(n), 2))
    if tau < n * (n - 1):  # not all pairs are looked at, but these
        rng = np.random.default_rng(seed)
        rng.integers(0, 5, n)
        first, second = rng.integers(n, size=tau), rng.integers(n, size=tau)
        drawn = {(min(pair), max(pair)) for pair in zip(first.tolist(), second.tolist(), strict=True)}
    differences = [float(abs(gains[a] - gains[b])) for a, b in drawn]
    assert difference.tolist() == sorted((value for value in differences if value >= max(least, 0.1)), reverse=True)[:6]


def test_perceptron_by_hand() -> None:
    """Two pairs, one epoch, from w = 0: (1, 0) errs (0 is no margin): w = (.5, 0); its negation is right.

    (-1, 1) errs: w = (0, .5); then right. Sum of the weights after updates (.5, .5), divided by one epoch.
    """
    x = np.array([[1.0, 0.0], [-1.0, 1.0]])
    free = WeightSpace.build(("a", "b"), {}, {}, [])
    weights = PerceptronRanker(epochs=1).fit(Differences(x, np.ones(2)), np.zeros(2), free)
    assert weights.tolist() == [0.5, 0.5]


def column(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)[:, None]


def scores(*values: float) -> Scores:
    return Scores(column(*values), np.array(values) / 10)


def test_pool_merges_by_string_and_forgets() -> None:
    pool = Pool(keep=1)
    assert pool.unknown(0, Texts("xy")) == ("x", "y")
    assert pool.merge([NBest(Texts("xy"), column(1, 2))], [scores(10, 20)]) == 2
    assert pool.unknown(0, Texts("yz")) == ("z",)
    assert pool.merge([NBest(Texts("yz"), column(3, 4))], [scores(40)]) == 1
    assert pool.sentences[0].texts == ("y", "z", "x")
    assert pool.sentences[0].features[:, 0].tolist() == [3, 4, 1]  # the newest features of y
    assert pool.sentences[0].statistics[:, 0].tolist() == [20, 40, 10]  # y's were not asked for again
    assert pool.sentences[0].gains.tolist() == [2, 4, 1]
    assert pool.merge([NBest(Texts("z"), column(5))], [scores()]) == 0
    assert pool.sentences[0].texts == ("z", "y")  # x was last decoded two iterations ago
    assert pool.sentences[0].statistics[:, 0].tolist() == [40, 20]
    assert pool.unknown(0, Texts("x")) == ("x",)
    assert choose(pool.sentences, np.array([-1.0])) == [1]


@pytest.mark.parametrize("texts", [(), ("",), ("a", "", "b c"), ("\u2028", "\r")])
def test_texts_survive_pickling(texts: tuple[str, ...]) -> None:
    again = pickle.loads(pickle.dumps(Texts(texts)))
    assert (type(again), again) == (Texts, texts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"d": 1.0}, {}, []), "no feature is called 'd'"),
        (({}, {"d": (0, 1)}, []), "no feature is called 'd'"),
        (({}, {"a": (2, 1)}, []), "the range of a is empty: 2 to 1"),
        (({}, {"a": (2,)}, []), "the range of a has 1 bounds"),
        (({"a": np.nan}, {}, []), "the weight of a cannot be fixed at nan"),
        (({}, {}, ["x*"]), r"no feature matches 'x\*'"),
    ],
)
def test_wrong_restrictions(arguments: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(SbmtError, match=message):
        WeightSpace.build(NAMES, *arguments)


def test_features_switched_off_by_pattern() -> None:
    made = WeightSpace.build(("lm_0", "SourceSyl", "TargetSyl"), {}, {}, ["*Syl"])
    mask: NDArray[np.bool_] = made.free
    assert mask.tolist() == [True, False, False]
    assert made.named(made.vector({"lm_0": 2.0, "SourceSyl": 5.0})) == {"lm_0": 2.0, "SourceSyl": 0.0, "TargetSyl": 0.0}
