"""Workers: how many processes they are."""

from __future__ import annotations

from typing import Any

import joblib
import pytest

from sbmt.errors import SbmtError
from sbmt.tuning.workers import Workers


def test_no_number_of_jobs_is_that_of_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Asked(joblib.Parallel):
        def __init__(self, **options: Any) -> None:
            asked.append(joblib.effective_n_jobs(options["n_jobs"]))
            super().__init__(**{**options, "n_jobs": 1})

    monkeypatch.setattr(joblib, "Parallel", Asked)
    assert list(Workers(0).map(abs, [(-1,), (2,)], "sizes")) == [1, 2]
    assert asked == [joblib.cpu_count()]


def test_jobs_that_cannot_be() -> None:
    with pytest.raises(SbmtError, match="jobs=-1: 0 or more"):
        Workers(-1)
    with pytest.raises(TypeError, match="jobs: '2' is not a whole number"):
        Workers("2")  # type: ignore[arg-type]
