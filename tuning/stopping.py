"""The stopping rule of tuning runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sbmt.tuning.folder import Record
from sbmt.tuning.settings import TuneSettings


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """Stops after all iterations that the settings allow, or after one with too few new candidates."""

    settings: TuneSettings
    sentences: int  # number of sentences tuned on

    def is_reached(self, records: Sequence[Record]) -> bool:
        """Whether these are all iterations of the run."""
        if len(records) >= self.settings.iterations:
            return True
        return bool(records) and records[-1].new_candidates <= self.too_few

    def is_fitted(self, new_candidates: int) -> bool:
        """Whether an iteration with this number of new candidates fits weights."""
        return self.settings.fit_last or new_candidates > self.too_few

    @property
    def too_few(self) -> float:
        """The number of new candidates up to which an iteration is the last: `min_new` of all possible ones."""
        possible = self.settings.nbest * self.sentences
        return self.settings.min_new * possible
