"""Correlations against scipy's, published and simulated values."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from sbmt.errors import SbmtError
from sbmt.evaluation.correlation import EXACT, KINDS, SAMPLES, Correlation, correlate, williams
from sbmt.evaluation.studies.ratings import comparisons

RNG = np.random.default_rng(7)
X = RNG.normal(size=40)
Y = 0.6 * X + RNG.normal(size=40)


@pytest.mark.parametrize("kind", KINDS)
def test_values_and_tests_are_scipys(kind: str) -> None:
    correlation = correlate(kind, X, Y, np.random.default_rng(1))
    value, p_value = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind](X, Y)
    assert correlation.value == pytest.approx(value)
    assert correlation.p_value == pytest.approx(p_value, abs=0.012)  # of 2000 permutations
    assert correlation.interval is not None
    low, high = correlation.interval
    assert low < value < high


def test_pearsons_interval_is_fishers() -> None:
    expected = stats.pearsonr(X, Y).confidence_interval(0.95)
    assert correlate("pearson", X, Y, np.random.default_rng(1)).interval == pytest.approx(tuple(expected))


@pytest.mark.parametrize(("kind", "variance"), [("spearman", 1.06 / (40 - 3)), ("kendall", 0.437 / (40 - 4))])
def test_intervals_of_rank_correlations_are_those_of_fieller_hartley_and_pearson(kind: str, variance: float) -> None:
    value = {"spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind](X, Y).statistic
    expected = [np.tanh(np.arctanh(value) + sign * 1.959964 * variance**0.5) for sign in (-1, 1)]
    assert correlate(kind, X, Y, np.random.default_rng(1)).interval == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_cover_in_simulations(kind: str) -> None:
    rng = np.random.default_rng(3)
    covered = 0
    rho = 0.5
    truth = {"pearson": rho, "spearman": 6 / np.pi * np.arcsin(rho / 2), "kendall": 2 / np.pi * np.arcsin(rho)}[kind]
    for _ in range(200):
        a = rng.normal(size=50)
        b = rho * a + np.sqrt(1 - rho**2) * rng.normal(size=50)
        correlation = correlate(kind, a, b, rng)
        assert correlation.interval is not None
        covered += correlation.interval[0] <= truth <= correlation.interval[1]
    assert covered >= 180  # 95 % of 200 is 190; fewer than 180 has probability below 0.001


def test_constant_lists_and_few_points() -> None:
    rng = np.random.default_rng(1)
    assert correlate("pearson", [1, 1, 1], [1, 2, 3], rng) == Correlation(None, None, None)  # 0 / 0
    rounded = [0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2]
    for kind in KINDS:
        assert correlate(kind, rounded, [1, 2, 3, 5], rng) == correlate(kind, [1, 2, 3, 5], rounded, rng)
        assert correlate(kind, rounded, [1, 2, 3, 5], rng).value is None
    assert comparisons({"a": rounded, "b": [1, 2, 4, 3], "c": [2, 1, 3, 5]}, {"h": rounded}).figures == []
    assert len(comparisons({"a": rounded, "b": [1, 2, 4, 3], "c": [2, 1, 3, 5]}, {"h": [1, 2, 3, 5]}).figures) == 1
    assert correlate("spearman", [1, 2, 3], [2, 4, 9], rng).value == pytest.approx(1)
    assert correlate("spearman", [1, 2, 3], [2, 4, 9], rng).interval is None
    for x, y in (([1, 2], [1, 2]), ([1, 2, 3], [1, 2])):
        with pytest.raises(SbmtError, match="two lists of the same length, 3 at least"):
            correlate("pearson", x, y, rng)
    with pytest.raises(SbmtError, match="3 at least: 3 x 1 and 3"):
        correlate("pearson", np.ones((3, 1)), [1, 2, 3], rng)
    with pytest.raises(SbmtError, match="unknown correlation 'spearmen': did you mean 'spearman'"):
        correlate("spearmen", [1, 2, 3], [1, 2, 3], rng)
    for odd in (np.nan, np.inf):
        with pytest.raises(SbmtError, match="needs finite numbers"):
            correlate("kendall", [1, 2, odd], [1, 2, 3], rng)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slope", [3, -0.1])
def test_a_perfect_correlation_has_no_interval_however_it_is_rounded(kind: str, slope: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        x = rng.normal(size=8)
        assert correlate(kind, x, slope * x + 1, rng).interval is None


@pytest.mark.parametrize("kind", KINDS)
def test_small_differences_of_large_numbers_are_no_rounding(kind: str) -> None:
    small = [0.1, 0.2, 0.3, 0.5]
    shifted, expected = (
        correlate(kind, x, [1, 2, 5, 3], np.random.default_rng(1)) for x in ([1e9 + value for value in small], small)
    )
    assert shifted.value == pytest.approx(expected.value, abs=1e-6)


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
@pytest.mark.parametrize("n", [3, 5, 6])
def test_of_few_points_all_permutations_are_looked_at(kind: str, n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.integers(5, size=n).tolist(), [0, *rng.integers(1, 4, size=n - 1).tolist()]
    a[0] = 7  # with ties, but not constant
    function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}[kind]
    observed = abs(function(a, b).statistic)
    values = [abs(function(a, order).statistic) for order in permutations(b)]
    expected = np.mean([value >= observed - 1e-9 for value in values])
    assert correlate(kind, a, b, rng).p_value == pytest.approx(expected)


@pytest.mark.parametrize("at_once", [1, 7, SAMPLES])
def test_permutations_do_not_depend_on_how_many_are_held_at_once(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sbmt.evaluation.correlation._MAX_CELLS", at_once * len(X))
    weak = Y[::-1]
    shuffled = np.random.default_rng(1).permuted(np.tile(weak, (SAMPLES, 1)), axis=1)
    as_strong = sum(abs(np.corrcoef(X, row)[0, 1]) >= abs(np.corrcoef(X, weak)[0, 1]) for row in shuffled)
    assert 0 < as_strong < SAMPLES / 2
    assert correlate("pearson", X, weak, np.random.default_rng(1)).p_value == (as_strong + 1) / (SAMPLES + 1)


@pytest.mark.parametrize("n", [EXACT, 40])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("factor", [1e-12, 1e-6, 1e6])
def test_units_play_no_part(kind: str, n: int, factor: float) -> None:
    plain, other = (correlate(kind, f * X[:n], f * Y[:n], np.random.default_rng(1)) for f in (1, factor))
    assert other.p_value == plain.p_value
    assert other.value == pytest.approx(plain.value)


def test_the_least_p_value() -> None:
    few, more = range(EXACT), range(EXACT + 1)
    assert correlate("spearman", few, few, np.random.default_rng(1)).p_value == pytest.approx(2 / 362880)  # of 9!
    assert correlate("spearman", more, more, np.random.default_rng(1)).p_value == pytest.approx(1 / (SAMPLES + 1))


def test_a_strong_metric_of_which_lower_is_better_follows_people_better() -> None:
    rng = np.random.default_rng(8)
    human = rng.normal(size=200)
    strong, weak, against = -human + rng.normal(size=200) / 2, human + 4 * rng.normal(size=200), rng.normal(size=200)
    against -= human / 2
    table = comparisons({"weak": weak, "strong": strong, "against": against}, {"simplicity": human})
    figures = {figure.name: figure for figure in table.figures}
    assert list(figures) == [
        "simplicity: strong (inverse) over weak",
        "simplicity: against (inverse) over weak",
        "simplicity: strong (inverse) over against (inverse)",
    ]
    size = {name: abs(np.corrcoef(v, human)[0, 1]) for name, v in (("strong", strong), ("weak", weak))}
    difference = figures["simplicity: strong (inverse) over weak"]
    assert difference.ours == pytest.approx(size["strong"] - size["weak"])
    turned = comparisons({"weak": weak, "strong": -strong, "against": -against}, {"simplicity": human})
    assert [f.p_value for f in turned.figures] == pytest.approx([f.p_value for f in table.figures])
    either_way = [{"weak": sign * weak, "against": against} for sign in (1, -1)]
    p_values = [comparisons(scores, {"simplicity": human}).figures[0].p_value for scores in either_way]
    assert p_values[0] == pytest.approx(p_values[1])
    assert difference.p_value is not None
    assert difference.p_value < 1e-6
    r = size["strong"], size["weak"], -np.corrcoef(strong, weak)[0, 1]
    alone = comparisons({"weak": weak, "strong": strong}, {"simplicity": human}).figures[0]
    assert alone.p_value == pytest.approx(williams(*r, 200))
    assert "for 3 comparisons" in table.p_values


def test_a_comparison_whose_direction_the_data_choose_keeps_its_level() -> None:
    rng = np.random.default_rng(9)
    rejected = 0
    for _ in range(500):
        human = rng.normal(size=60)
        scores = {name: human + rng.normal(size=60) for name in ("a", "b")}
        rejected += (comparisons(scores, {"h": human}).figures[0].p_value or 0) < 0.05
    assert rejected <= 46  # 25 expected (50 if one-sided); more has probability below 0.0001


def test_williams() -> None:
    # Steiger's case A as the documentation of R's psych::r.test has it: n 103, t -0.89, two-sided p 0.37.
    assert williams(0.5, 0.4, 0.1, 103) == pytest.approx(0.37, abs=0.01)
    # By hand: |R| = 0.32, t^2 = 0.36 x 4 / 1.53 = 16/17; with 2 degrees of freedom p = 1 - t / sqrt(t^2 + 2).
    assert williams(0.8, 0.2, 0.0, 5) == pytest.approx(1 - 0.32**0.5)
    # Likewise |R| = 0.23, t^2 = 0.36 x 4 x 1.5 / (0.92 + 0.25 / 8).
    t_squared = 2.16 / 0.95125
    assert williams(0.8, 0.2, 0.5, 5) == pytest.approx(1 - (t_squared / (t_squared + 2)) ** 0.5)
    assert williams(0.4, 0.4, 0.5, 50) == pytest.approx(1)
    assert williams(0.5, 0.4, 0.3, 50) == pytest.approx(williams(0.4, 0.5, 0.3, 50))
    assert 0 < williams(0.8, 0.2, 0.0, 4) < 1
    with pytest.raises(SbmtError, match="Williams' test needs 4 points at least: 3"):
        williams(0.8, 0.2, 0.0, 3)
    for wrong in (np.nan, 1.5):
        with pytest.raises(SbmtError, match=f"Williams' test needs correlations from -1 to 1: {wrong}"):
            williams(0.8, wrong, 0.0, 5)


def test_williams_keeps_its_level() -> None:
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(500):
        human = rng.normal(size=60)
        one, other = human + rng.normal(size=60), human + rng.normal(size=60)
        r = np.corrcoef([human, one, other])
        rejected += williams(r[0, 1], r[0, 2], r[1, 2], 60) < 0.05
    assert 8 <= rejected <= 46  # 25 expected; beyond has probability below 0.0001
