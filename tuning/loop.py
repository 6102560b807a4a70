"""The tuning loop: decode, merge the n-best lists, fit, interpolate; until nothing is new or time is up.

This module makes it ready (`sbmt.tuning.iterations` does the rest), or finds that it is over.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from sbmt.errors import counted
from sbmt.model import FILE_NAME, Model
from sbmt.paths import is_there
from sbmt.tuning.folder import Record, RunFolder
from sbmt.tuning.iterations import Iterations, how_found
from sbmt.tuning.messages import explain_end
from sbmt.tuning.objective import Objective, tuning_metric
from sbmt.tuning.settings import TuneSettings
from sbmt.tuning.shards import make_shards, prepare_shard, sentence_count
from sbmt.tuning.stopping import StoppingRule
from sbmt.tuning.weights import StartWeights, WeightSpace, matching
from sbmt.tuning.workers import Workers

_log = logging.getLogger(__name__)


class Loop:
    """A run that is to be done, or to be gone on with; what is done of it is in its folder."""

    def __init__(
        self,
        folder: RunFolder,
        settings: TuneSettings,
        sources: Sequence[str],
        references: Sequence[tuple[str, ...]],
        folds: Sequence[int],
        workers: Workers,
    ) -> None:
        self.folder, self.settings, self.workers = folder, settings, workers
        self.model = Model.load(folder.start)
        self.objective = Objective(tuning_metric(settings.metric))
        self.tuned, self.held_out = make_shards(folder, settings, sources, references, folds)
        self.ending = StoppingRule(settings, sentence_count(self.tuned))

    def run(self) -> Model:
        """All iterations that are still to be done; returns the tuned model."""
        records = self.folder.records()
        if done := self._done(records):
            return done
        iterations = Iterations(
            folder=self.folder,
            settings=self.settings,
            workers=self.workers,
            model=self.model,
            objective=self.objective,
            tuned=self.tuned,
            held_out=self.held_out,
            ending=self.ending,
            start=self._prepare(),
        )
        return iterations.run(records)

    def _done(self, records: Sequence[Record]) -> Model | None:
        """The model that a run of these iterations has come to before, if none is to be added."""
        if not (self.ending.is_reached(records) and is_there(self.folder.path / FILE_NAME)):
            return None
        model = Model.load(self.folder.path)
        notes = model.config.tuned
        if not notes.get("finished") or notes.get("settings") != how_found(self.settings, records):
            return None
        explain_end(self.ending, records)
        _log.info("the result: %s", notes.get("chosen"))
        return model

    def _prepare(self) -> StartWeights:
        """Parse what was not parsed before, which shows what weights there are."""
        shards = self.tuned + self.held_out
        if to_parse := sentence_count(shard for shard in shards if not shard.forests.exists()):
            _log.info("parsing %s", counted(to_parse, "sentence"))
        shown = set().union(*self.workers.map(prepare_shard, [(shard,) for shard in shards], "parsing"))
        space, own = self._space(shown), self.model.config.weights
        return StartWeights(space, np.array([own.get(name, 0.0) for name in space.names]))

    def _space(self, shown: set[str]) -> WeightSpace:
        """Weights of the features that some sentence shows, and those that settings name; others of the model stay."""
        settings, weights = self.settings, self.model.config.weights
        off = {name for pattern in settings.without for name in matching(weights, pattern)}
        named = weights.keys() & (settings.fixed.keys() | settings.ranges.keys() | off)
        return WeightSpace.build(sorted(shown | named), settings.fixed, settings.ranges, settings.without)
