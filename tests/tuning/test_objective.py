"""The metric as tuners see it: on tokens unless it says otherwise, and more is better."""

from __future__ import annotations

import numpy as np
import pytest

from sbmt.errors import SbmtError
from sbmt.metrics import get_metric
from sbmt.tuning.objective import Objective, tuning_metric
from tests.tuning.planted import Planted


@pytest.mark.parametrize(("name", "gain"), [("bleu:joshua", 1.0), ("length", -3.0), ("fk:xu2016", 0.0)])
def test_gains_are_fractions_of_the_best_or_in_units_of_their_own(name: str, gain: float) -> None:
    """More is always better. "a b c" has no grade: 0.39 x 3 + 11.8 - 15.19 is below 0."""
    metric = get_metric(name)
    rows = metric.corpus_statistics(metric.prepare_many(["d"], [["a b c"]]), ["a b c"])
    objective = Objective(metric)
    assert objective.gains(rows, "d").tolist() == [pytest.approx(gain)]
    assert objective.corpus(rows) == pytest.approx(gain)
    assert objective.unit * gain == pytest.approx(metric.corpus(rows).value)


def test_a_gain_that_is_not_finite_is_named() -> None:
    message = "planted is not finite for candidate 2 of 'a b': mend the function"
    with pytest.raises(SbmtError, match=message), np.errstate(invalid="ignore"):
        Objective(Planted("x")).gains(np.array([[1.0, 2.0], [0.0, 0.0]]), "a b")


def test_what_is_neither_better_nor_worse_is_no_objective() -> None:
    with pytest.raises(SbmtError, match=r"neither more nor less of length is better: .* sari:easse\+-0\.1\*length"):
        tuning_metric("length")
    assert tuning_metric("sari:easse+-0.1*length").higher_is_better


def test_every_term_is_read_on_tokens_unless_it_says_otherwise() -> None:
    for specification in ("sari:easse+0.5*bleu:easse,tok=13a", "sari:easse + 0.5*bleu:easse,tok=13a"):
        metric = tuning_metric(specification)
        assert [(m.tok, m.case) for m in metric.terms()] == [("none", "lc"), ("13a", "lc")]
