"""MERT: envelopes and line searches against brute force, and restarts where one climb is not enough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.tuning.objective import Objective
from sbmt.tuning.pool import chosen_statistics
from sbmt.tuning.tuners.mert import LineSearch, Mert, upper_envelope
from sbmt.tuning.tuners.tuner import Problem
from sbmt.tuning.weights import WeightSpace
from tests.tuning.planted import BEST, Planted, listed, plain_problem, planted_pool, space


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
    search = LineSearch(Problem(pool, Objective(Planted("x")), w, space()))
    gain, step = search.line(w, direction)
    assert search.gain(w + step * direction) == pytest.approx(gain)
    assert gain >= max(search.gain(w + x * direction) for x in np.linspace(-50, 50, 1001)) - 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_a_line_search_stays_inside_the_ranges(seed: int) -> None:
    rng = np.random.default_rng(seed)
    restricted = space(ranges={"a": (-0.5, 0.5), "b": (0.0, 0.2)})
    w, direction = restricted.clip(rng.normal(size=4)), rng.normal(size=4)
    search = LineSearch(Problem(planted_pool(rng, 20, 20), Objective(Planted("x")), w, restricted))
    gain, step = search.line(w, direction)
    point = w + step * direction
    assert (restricted.clip(point) == point).all()
    assert gain == pytest.approx(search.gain(point))
    tried = [w + x * direction for x in np.linspace(-20, 20, 4001)]
    inside = [search.gain(point) for point in tried if (restricted.clip(point) == point).all()]
    assert gain >= max(inside, default=-np.inf) - 1e-9


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e8])
def test_a_line_search_claims_only_what_weights_can_choose(scale: float) -> None:
    """No weights choose the middle one of 0, v and 3v; but for rounding it would not seem to win anywhere."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        v = rng.integers(1, 9, size=3)
        pool = [listed((tuple(0 * v), 0, 1), (tuple(v), 1, 1), (tuple(3 * v), 0, 1))]
        w, direction = rng.normal(size=(2, 3))
        w *= scale
        gain, step = (search := LineSearch(plain_problem(pool, w))).line(w, direction)
        assert gain == search.gain(w + step * direction) == 0


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_the_gain_of_weights_is_that_of_what_they_choose(level: str) -> None:
    rng = np.random.default_rng(1)
    pool, objective = planted_pool(rng, 20, 6), Objective(Planted("x", level=level))
    search = LineSearch(Problem(pool, objective, BEST, space()))
    for w in rng.normal(size=(5, 4)):
        assert search.gain(w) == pytest.approx(objective.corpus(chosen_statistics(pool, w)))


def test_restarts_explore_weights_that_begin_at_0() -> None:
    """The second is best where two weights are alike and negative; of those one alone brings nothing from 0."""
    pool = [listed(((1, 1, 0), 0.5, 1), ((-1, -1, 0), 1, 1), ((3, -3, 0), 0, 1), ((-3, 3, 0), 0, 1))]
    problem = plain_problem(pool, [0, 0, 1])
    weights = Mert(directions=0, restarts=20).fit(problem, np.random.default_rng(1))
    assert problem.objective.corpus(chosen_statistics(pool, weights)) == 1


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_the_starts_is_taken(seed: int) -> None:
    """Along the axes the best weights can be reached from where one is negative, but not from the start, both being 1.

    With one weight 1 and the other x, the second candidate beats the first where x < -1, but the third or the fourth
    has 3 |1 - x| there, which is more.
    """
    pool = [listed(((1, 1), 0.5, 1), ((-1, -1), 1, 1), ((3, -3), 0, 1), ((-3, 3), 0, 1))]
    problem = plain_problem(pool, [1, 1])

    def reached(restarts: int) -> float:
        weights = Mert(directions=0, restarts=restarts).fit(problem, np.random.default_rng(seed))
        return problem.objective.corpus(chosen_statistics(pool, weights))

    assert (reached(restarts=0), reached(restarts=20)) == (0.5, 1)


@pytest.mark.parametrize("bound", [np.inf, 5.0])
def test_fitted_weights_are_as_long_as_the_start_where_ranges_allow_it(bound: float) -> None:
    """The best interval of the second weight is from 0.6 to 6,000, or to its bound."""
    pool = [listed(((1, 0), 0, 1), ((0, 1), 1, 1)), listed(((1e-3, 0), 1, 1), ((0, 1e-7), 0, 1))]
    space = WeightSpace.build(["w0", "w1"], {}, {"w1": (-np.inf, bound)}, [])
    problem = Problem(pool, Objective(Planted("x")), np.array([0.6, 0.0]), space)
    weights = Mert(directions=0, restarts=0).fit(problem, np.random.default_rng(1))
    assert problem.objective.corpus(chosen_statistics(pool, weights)) == 1
    length = np.linalg.norm(weights)
    assert length == pytest.approx(0.6) if bound == np.inf else length > 1


def test_weights_that_begin_at_0_are_fitted() -> None:
    pool = [listed(((1, 0), 0, 1), ((0, 1), 1, 1))]
    weights = Mert(directions=0, restarts=0).fit(plain_problem(pool, [0, 0]), np.random.default_rng(1))
    assert weights[1] > weights[0]
