"""Settings of a tuning run; `configs/tune-*.yaml` are annotated presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from sbmt.config import MOST_COUNTED, check_fields
from sbmt.errors import unknown_name
from sbmt.tuning.tuners.mert import Mert
from sbmt.tuning.tuners.mira import Mira
from sbmt.tuning.tuners.pro import Pro
from sbmt.tuning.tuners.ranking import LogisticRanker, PerceptronRanker, Ranker
from sbmt.tuning.tuners.sampling import Sampler
from sbmt.tuning.tuners.tuner import Tuner


@dataclass(frozen=True, slots=True)
class ProSettings:
    """Settings of PRO; see `sbmt.tuning.tuners.pro`, `sampling` and `ranking` for the symbols."""

    tau: int = 5000
    xi: int = 50
    min_difference: float = 0.02
    ranker: str = "logistic"
    l2: float = 1e-3
    epochs: int = 30
    rate: float = 0.5
    restarts: int = 3
    normalise: str = ""

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, (("tau xi epochs restarts", 1, MOST_COUNTED), ("min_difference l2 rate", 0, inf)))

    def make_tuner(self) -> Pro:
        """Return PRO with these settings; raises SbmtError for an unknown ranker."""
        rankers: dict[str, Ranker] = {
            "logistic": LogisticRanker(self.l2),
            "perceptron": PerceptronRanker(self.epochs, self.rate),
        }
        if self.ranker not in rankers:
            raise unknown_name("pro.ranker", self.ranker, list(rankers))
        sampler = Sampler(self.tau, self.xi, self.min_difference)
        return Pro(sampler, rankers[self.ranker], self.restarts, self.normalise)


_BOUNDS = (
    ("iterations nbest", 1, MOST_COUNTED),
    ("pool_iterations", 0, MOST_COUNTED),
    ("seed min_new", 0, inf),
    ("interpolation held_out", 0, 1),
)


@dataclass(frozen=True, slots=True)
class TuneSettings:
    """Settings of a run.

    metric: as `sbmt-eval` names it; on white-space tokens in lower case unless it sets these options itself.
    interpolation: share of the newly fitted weights in the next ones. held_out: share of the sentences used only to
    choose the best iteration; 0 takes the last one, whose fitted weights are then not interpolated.
    min_new: the run ends after an iteration with no more new candidates than this share of `nbest` per sentence.
    fit_last: whether that iteration also fits weights; otherwise the weights it decoded with are the last.
    pool_iterations: how many iterations a string stays without being decoded again. fixed, ranges, without: see
    `WeightSpace`.
    """

    metric: str = "sari"
    tuner: str = "pro"
    iterations: int = 15
    min_new: float = 0.01
    fit_last: bool = True
    nbest: int = 100
    seed: int = 1
    interpolation: float = 0.5
    held_out: float = 0.1
    pool_iterations: int = 20
    fixed: Mapping[str, float] = field(default_factory=dict, hash=False)
    ranges: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict, hash=False)
    without: tuple[str, ...] = ()
    pro: ProSettings = field(default_factory=ProSettings)
    mert: Mert = field(default_factory=Mert)
    mira: Mira = field(default_factory=Mira)

    def __post_init__(self) -> None:
        """Raises ConfigError, as `check_fields` does."""
        check_fields(self, _BOUNDS)

    def make_tuner(self) -> Tuner:
        """Return the tuner named by `tuner`; raises SbmtError for an unknown one."""
        tuners: dict[str, Tuner] = {"pro": self.pro.make_tuner(), "mira": self.mira, "mert": self.mert}
        if self.tuner not in tuners:
            raise unknown_name("tuner", self.tuner, list(tuners))
        return tuners[self.tuner]
