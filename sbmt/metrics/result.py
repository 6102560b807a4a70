"""Results of systems under metrics: figures with intervals and tests, and how these were computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Any

from sbmt.arrays import Floats
from sbmt.config import check_fields
from sbmt.errors import unknown_name
from sbmt.metrics.base import Score
from sbmt.metrics.significance import RESAMPLES, SWAPS, holm, paired_bootstrap, permutation_test

TESTS = {"permutation": (permutation_test, SWAPS), "bootstrap": (paired_bootstrap, RESAMPLES)}


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals and tests are drawn; all systems and metrics share the same draws.

    `samples` are drawn for intervals (0: no intervals). If a `baseline` is named, the other systems are tested against
    it by `test`, "permutation" or "bootstrap", with `test_samples` draws (None: the test's default).
    """

    samples: int = RESAMPLES
    seed: int = 1
    baseline: str | None = None
    test: str = "permutation"
    test_samples: int | None = None

    def __post_init__(self) -> None:
        """Raise SbmtError for an unknown test, ConfigError as `check_fields` does."""
        check_fields(self, (("samples seed", 0, inf), ("test_samples", 1, inf)))
        if self.test not in TESTS:
            raise unknown_name("test", self.test, list(TESTS))


@dataclass(frozen=True, slots=True)
class Test:
    """The test behind a p-value."""

    name: str  # a key of TESTS
    baseline: str
    samples: int  # swaps, or resamples
    seed: int
    corrected_for: int = 0  # number of tests the p-value is corrected for; 0: uncorrected


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How an interval was drawn."""

    samples: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Result:
    """One system under one metric; `interval` holds 95 % bounds (none for a single sentence), `p_value` is `test`'s.

    `scale` and `higher_is_better` are the metric's. `drawn` says how the interval was computed. For several runs of a
    system all figures are means over them; `runs` are their scores (empty for a single run).
    """

    score: Score
    interval: tuple[float, float] | None
    p_value: float | None
    test: Test | None
    sentences: Floats
    sentence_parts: dict[str, Floats]
    sentence_signature: str
    scale: float
    higher_is_better: bool | None
    runs: tuple[float, ...] = ()
    drawn: Bootstrap | None = None

    def __repr__(self) -> str:
        """The figure with its interval and signature, on one line."""
        bounds = " [{:.4g}, {:.4g}]".format(*self.interval) if self.interval else ""
        p_value = "" if self.p_value is None else f" p={self.p_value:.4f}"
        return f"<{self.score.value:.4g}{bounds}{p_value} {self.score.signature}, {len(self.sentences)} sentences>"

    def to_dict(self, sentence_level: bool = False) -> dict[str, Any]:
        """Return the result for JSON.

        That is {score, parts, interval, signature}, and as far as they exist bootstrap (how the interval was drawn),
        p_value and test, runs; with `sentence_level` also sentences, sentence_parts and sentence_signature.
        """
        record: dict[str, Any] = {
            "score": self.score.value,
            "parts": self.score.parts,
            "interval": list(self.interval) if self.interval else None,
            "signature": self.score.signature,
        }
        if self.drawn is not None:
            record["bootstrap"] = asdict(self.drawn)
        if self.test is not None:
            record |= {"p_value": self.p_value, "test": asdict(self.test)}
        if self.runs:
            record["runs"] = list(self.runs)
        if sentence_level:
            record["sentences"] = self.sentences.tolist()
            record["sentence_parts"] = {name: part.tolist() for name, part in self.sentence_parts.items()}
            record["sentence_signature"] = self.sentence_signature
        return record


Table = Mapping[str, Mapping[str, Result]]  # system -> metric -> result


def corrected(table: Table) -> dict[str, dict[str, Result]]:
    """Correct the p-values of a table for the number of its tests (`significance.holm`)."""
    corrected_table = {system: dict(results) for system, results in table.items()}
    tested = [
        (system, metric, result.test, result.p_value)
        for system, results in table.items()
        for metric, result in results.items()
        if result.test is not None and result.p_value is not None
    ]
    values = holm([p_value for *_, p_value in tested])
    for (system, metric, test, _), p_value in zip(tested, values, strict=True):
        corrected_test = replace(test, corrected_for=len(tested))
        corrected_table[system][metric] = replace(table[system][metric], p_value=p_value, test=corrected_test)
    return corrected_table
